#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "number/digit_text.h"
#include "number/digits.h"

/// Numbers of the machine to JSON text.
namespace sluice::number {

/// Bytes that a number may take, and that `write` may touch; what it leaves behind the end it
/// returns has no meaning.
inline constexpr std::size_t kNumberBytes = 32;

namespace detail {
/// Digits of a number, 1 for 0. The length of a number decides where the next one begins: it must
/// not wait for the digits.
inline unsigned count_digits(std::uint64_t value) {
  // 1233 / 4096 is a little more than log10(2): the count, or one too few.
  const unsigned estimate = static_cast<unsigned>(std::bit_width(value | 1)) * 1233 >> 12;
  return estimate + ((value | 1) >= ten_to(estimate) ? 1 : 0);
}

/// A number below 10^8, without leading zeros.
inline char* write_up_to_8(char* out, std::uint32_t value) {
  const unsigned count = count_digits(value);
  store_word(out, (digits_of_8(value) | kZeroDigits) >> (64 - 8 * count));
  return out + count;
}
inline char* write_8(char* out, std::uint32_t value) {
  store_word(out, digits_of_8(value) | kZeroDigits);
  return out + 8;
}
char* write_long(char* out, std::uint64_t value);
}  // namespace detail

/// Writes the number, returns its end. Requires: kNumberBytes at `out`.
inline char* write(char* out, std::uint64_t value) {
  if (value < 100'000'000) [[likely]] {
    return detail::write_up_to_8(out, static_cast<std::uint32_t>(value));
  }
  return detail::write_long(out, value);
}

inline char* write(char* out, std::int64_t value) {
  *out = '-';
  const auto bits = static_cast<std::uint64_t>(value);
  return value < 0 ? write(out + 1, 0 - bits) : write(out, bits);
}

/// The shortest text that reads back as the same double, in the notation of ECMAScript's
/// Number::toString: plain from 1e-6 to below 1e21, else with an exponent. Other than there, what
/// would look like an integer gets `.0` (`1.0`, `-0.0`), so that it reads back as the same kind of
/// number.
///
///     0.1   -2.5   1.0   123456789012345680000.0   1e+21   1.5e-7   5e-324
///
/// Requires: a finite value; kNumberBytes at `out`. Cost: about 15 ns, integral values 3 ns.
char* write(char* out, double value);
/// The same for a float: the shortest text that reads back as that float. Cost: about 30 ns.
char* write(char* out, float value);

}  // namespace sluice::number
