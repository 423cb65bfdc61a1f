#pragma once

namespace sluice {

/// Prints the failed condition with its place and aborts. Only for bugs of our own.
[[noreturn]] void check_failed(const char* condition, const char* file, int line);

}  // namespace sluice

/// An always-on check of what only a bug of our own can break; bad input is a `Result`.
#define SLUICE_CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::sluice::check_failed(#condition, __FILE__, __LINE__))
