#pragma once

#include <bit>
#include <cstdint>

#include "number/powers.h"
#include "number/product.h"

namespace sluice::number {

inline constexpr std::uint64_t kSignBit = std::uint64_t{1} << 63;
inline constexpr std::uint64_t kInfinityBits = std::uint64_t{0x7FF} << 52;

/// The bits of the double nearest to digits x 10^exponent, ties to even; those of infinity when it
/// is beyond the largest. Exact for all digits and exponents.
///
/// Source: D. Lemire, "Number parsing at a gigabyte per second", 2021; that a product of 64 x 128
/// bits is always enough: N. Mushtak, D. Lemire, "Fast number parsing without fallback", 2022.
/// Does not depend on the rounding mode.
inline std::uint64_t nearest_double_bits(std::uint64_t digits, std::int64_t exponent) {
  constexpr int kLargestExponent = 308;
  if (digits == 0 || exponent < kPowerMin) return 0;
  if (exponent > kLargestExponent) return kInfinityBits;
  const int power_exponent = static_cast<int>(exponent);
  const Power& power = power_of_ten(power_exponent);
  const int leading_zeros = std::countl_zero(digits);
  const std::uint64_t normal = digits << leading_zeros;

  // The product's upper half, as exactly as the rounding needs it: its 9 bits below the mantissa
  // all set mean that what the lower half of the power adds may carry into it.
  auto [high, low] = multiply(normal, power.high);
  if ((high & 0x1FF) == 0x1FF) [[unlikely]] {
    const std::uint64_t more = multiply(normal, power.low).high;
    low += more;
    if (low < more) ++high;
  }

  // 54 bits: the mantissa of 53, and one to round by.
  const int top_bit = static_cast<int>(high >> 63);
  const int shift = top_bit + 9;
  std::uint64_t mantissa = high >> shift;
  int biased = log2_of_power(power_exponent) + 63 + top_bit - leading_zeros + 1023;
  if (biased <= 0) [[unlikely]] {
    if (biased <= -63) return 0;
    mantissa >>= 1 - biased;
    // Rounding may make it the smallest normal number, whose exponent field is the carry.
    return (mantissa + (mantissa & 1)) >> 1;
  }
  // Exactly between two doubles (only for small exponents) the even one is nearest.
  const bool between = low <= 1 && power_exponent >= -4 && power_exponent <= 23 &&
                       (mantissa & 3) == 1 && mantissa << shift == high;
  if (between) [[unlikely]]
    --mantissa;
  mantissa = (mantissa + (mantissa & 1)) >> 1;
  // Added, so that a mantissa rounded up to 2^53 carries into the exponent.
  const std::uint64_t bits = (static_cast<std::uint64_t>(biased - 1) << 52) + mantissa;
  return bits < kInfinityBits ? bits : kInfinityBits;
}

}  // namespace sluice::number
