#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/error.h"
#include "http/limits.h"

namespace sluice::http {

/// Finds the end of a request's head in bytes that come piece by piece, and refuses what the parser
/// behind it would let pass: lines ended by a bare LF, folded headers, headers without a name,
/// blanks inside the request line, targets with characters that no URL has, versions that are none,
/// heads beyond the limits (RFC 9112, 2.2, 3 and 5). Keeps offsets only: the bytes may move.
class HeadFinder {
 public:
  enum class Found { more, head, fault };

  /// `bytes` begins where the head does and has all of it that is there; what was looked at in an
  /// earlier call is not looked at again.
  Found look(std::span<const std::uint8_t> bytes, const Limits& limits);
  /// After Found::head: its size in bytes, the empty line included.
  std::size_t size() const { return line_start_; }
  /// After Found::fault: http_framing, http_version, target_limit or head_limit.
  ErrorCode fault() const { return fault_; }

 private:
  Found refuse(ErrorCode fault);
  ErrorCode check_line(std::span<const std::uint8_t> line, const Limits& limits);

  std::uint32_t line_start_ = 0;
  std::uint32_t searched_ = 0;
  std::uint16_t lines_ = 0;
  ErrorCode fault_ = ErrorCode::none;
};

}  // namespace sluice::http
