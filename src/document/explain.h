#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "document/locate.h"

namespace sluice::json {

/// An error for people, in lines without a newline at the end: where it is, what was found and
/// expected, and the place itself.
///
///     config.json:3:14: found '}', expected a value (json_syntax, byte 57, at /servers/0/port)
///       {"host": "a", "port": }
///                             ^
///
/// `text` is what the error's offset counts from, as it was when it was read; `name` is put in
/// front, "line 3, column 14" without one. Of a long line, what is around the place is shown.
/// Whatever a terminal would obey or not show is a dot, so the output may go to one.
/// An error without a place (out_of_memory, document_limit) is one line without text.
/// `missing_member` says which one it is, for json_missing; typed reading knows (typed/explain.h).
std::string explain(const Error& error, std::string_view text, std::string_view name = "",
                    std::string_view missing_member = "");

}  // namespace sluice::json
