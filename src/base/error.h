#pragma once

#include <cstdint>

namespace sluice {

enum class ErrorCode : std::uint16_t {
#define SLUICE_ERROR(name, http_status, text) name,
#include "base/errors.def"
#undef SLUICE_ERROR
};

/// What went wrong and where, small enough to return in registers. Text, line and column are made
/// only at the edge, from the input that is still there.
struct Error {
  ErrorCode code = ErrorCode::none;
  std::uint16_t detail = 0;       ///< narrows the code, e.g. a `json::Expected`
  std::int32_t system_errno = 0;  ///< `errno` of the call that failed, or 0
  std::uint64_t offset = 0;       ///< bytes from the start of what was read

  friend bool operator==(const Error&, const Error&) = default;
};
static_assert(sizeof(Error) == 16);

/// The code's name as users and documents spell it, e.g. "json_syntax".
const char* error_name(ErrorCode code);
/// The code's text without place or detail, e.g. "not valid JSON".
const char* error_text(ErrorCode code);
/// Status of the HTTP answer for this code, or 0 where it never reaches HTTP.
int error_http_status(ErrorCode code);

}  // namespace sluice
