#pragma once

#include <string>

#include "base/error.h"
#include "sources/refused.h"

namespace sluice {

/// What happened and what to do about it, for an error that is not about a record's text:
/// "cannot open the input: No such file or directory; check the path". One sentence, no newline.
std::string describe_error(const Error& error);

/// Where a record's fault stands and why:
/// "file:line:column: byte N: code: found ..., expected ...".
std::string describe_refused(const RefusedRecord& record);

/// The name of an input for people: "stdin" for "-".
std::string display_name(const std::string& input);

/// One line on standard error, "sluice: ..."; clears a progress line first where there is one.
void print_message(const std::string& message);

}  // namespace sluice
