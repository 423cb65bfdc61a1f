#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "document/locate.h"

namespace sluice::json {

/// Names that an error of 16 bytes cannot hold; empty where they are not known.
struct FaultNames {
  std::string_view missing;  ///< the member that is missing
  std::string_view nearest;  ///< the name that was perhaps meant
};

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
/// `names` make it plainer, where a member is missing or unknown (typed/explain.h has them).
std::string explain(const Error& error, std::string_view text, std::string_view name = "",
                    const FaultNames& names = {});

}  // namespace sluice::json
