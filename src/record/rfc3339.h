#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sluice {

/// A date and time as RFC 3339 writes it, `2026-12-01T08:30:00.25+01:00`, in nanoseconds since
/// 1970-01-01T00:00:00Z. Further digits of the second are cut off; a leap second counts as the
/// first moment of the next minute.
struct Rfc3339 {
  enum class Verdict { good, not_a_time, out_of_range };  ///< in range: 1677-09-21 to 2262-04-11
  Verdict verdict = Verdict::not_a_time;
  std::int64_t ns = 0;
};
Rfc3339 read_rfc3339(std::string_view text);

/// The shortest form with Z, without trailing zeros of the fraction.
std::string write_rfc3339(std::int64_t ns);

}  // namespace sluice
