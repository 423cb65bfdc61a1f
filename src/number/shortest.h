#pragma once

#include <cstdint>

#include "number/powers.h"
#include "number/product.h"

namespace sluice::number {

/// digits x 10^exponent.
struct Shortest {
  std::uint64_t digits;  ///< at most 17; zeros at their end are possible
  int exponent;
};

/// The power of ten as these want it: rounded up, where kPowers is rounded down.
inline Power power_rounded_up(int exponent) {
  Power power = power_of_ten(exponent);
  // Not a carry: no power has all its lower bits set.
  if (exponent > kExactPowerMax) ++power.low;
  return power;
}

/// floor(log10(2^exponent)), for |exponent| <= 1,700.
constexpr int log10_of_power_of_two(int exponent) { return (exponent * 1262611) >> 22; }

/// The decimal with the fewest digits that reads back as the double mantissa x 2^exponent; among
/// those the nearest to it, and of two as near the even one.
/// Requires: a finite double above 0, its mantissa below 2^53; `at_power_of_two` where the
/// neighbour below is half as far as the one above.
///
/// Source: R. Giulietti, "The Schubfach way to render doubles", 2020. All is scaled by a power of
/// ten to where the interval that reads back as the double holds one or two integers, or one
/// multiple of ten; four times as large, so that its ends are integers.
Shortest exact_shortest(std::uint64_t mantissa, int exponent, bool at_power_of_two);

/// As exact_shortest for most doubles, in a third of the time, and without a branch on how many
/// digits there are; `digits` 0 where it cannot tell.
/// Requires: a normal double, not a power of two.
///
/// The same scale, but only the double itself is multiplied; the ends lie half a step away from it:
///
///     tens         double        tens + 10
///      |             |               |
///      |<- above  -->|<-- below  --->|        half_step on either side of the double is in
///
/// Distances are in units of 2^-60. They are off by 2 units at most; whatever is that near to a
/// decision, ties and ends of the interval among it, is left to the exact way.
inline Shortest quick_shortest(std::uint64_t mantissa, int exponent) {
  const int k = log10_of_power_of_two(exponent);
  const int shift = exponent + log2_of_power(-k) + 1;
  const Power power = power_rounded_up(-k);
  const std::uint64_t scaled = mantissa << shift;
  const Product product = multiply(power.high, scaled);
  const std::uint64_t fraction = product.low + multiply(power.low, scaled).high;
  const std::uint64_t whole = product.high + (fraction < product.low ? 1 : 0);

  constexpr std::uint64_t kTen = std::uint64_t{10} << 60;
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 63;
  const std::uint64_t unit = whole % 10;
  const std::uint64_t above_tens = unit << 60 | fraction >> 4;
  const std::uint64_t below_next = kTen - above_tens;
  const std::uint64_t half_step = power.high >> (5 - shift);
  const auto near = [](std::uint64_t a, std::uint64_t b) { return a - b + 4 <= 8 ? 1 : 0; };
  const int undecided =
      near(above_tens, half_step) | near(below_next, half_step) | near(fraction, kHalf);
  if (undecided != 0) [[unlikely]] {
    return {0, k};
  }
  std::uint64_t digits = whole + (fraction >> 63);
  if (above_tens < half_step) digits = whole - unit;
  if (below_next < half_step) digits = whole - unit + 10;
  return {digits, k};
}

}  // namespace sluice::number
