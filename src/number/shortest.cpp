#include "number/shortest.h"

namespace sluice::number {
namespace {

/// power x factor / 2^128, with the lowest bit set when anything was cut off.
std::uint64_t scaled_to_odd(const Power& power, std::uint64_t factor) {
  const std::uint64_t below = multiply(power.low, factor).high;
  const Product product = multiply(power.high, factor);
  const std::uint64_t middle = product.low + below;
  const std::uint64_t whole = product.high + (middle < below ? 1 : 0);
  return whole | (middle > 1 ? 1 : 0);
}

}  // namespace

Shortest exact_shortest(std::uint64_t mantissa, int exponent, bool at_power_of_two) {
  // For three quarters of the power of two: the interval is as much narrower.
  const int k =
      at_power_of_two ? (exponent * 1262611 - 524031) >> 22 : log10_of_power_of_two(exponent);
  const int shift = exponent + log2_of_power(-k) + 1;
  const Power power = power_rounded_up(-k);
  const std::uint64_t four = mantissa * 4;
  // The ends belong to the interval when the mantissa is even, as ties go to it.
  const std::uint64_t open = mantissa & 1;
  const std::uint64_t center = scaled_to_odd(power, four << shift);
  const std::uint64_t lower =
      scaled_to_odd(power, (four - 2 + (at_power_of_two ? 1 : 0)) << shift) + open;
  const std::uint64_t upper = scaled_to_odd(power, (four + 2) << shift) - open;

  const std::uint64_t below = center / 4;
  if (below >= 10) {
    const std::uint64_t tens = below / 10;
    const bool tens_inside = lower <= 40 * tens;
    const bool next_inside = 40 * tens + 40 <= upper;
    if (tens_inside != next_inside) return {tens + (next_inside ? 1 : 0), k + 1};
  }
  const bool below_inside = lower <= 4 * below;
  const bool above_inside = 4 * below + 4 <= upper;
  if (below_inside != above_inside) return {below + (above_inside ? 1 : 0), k};
  const std::uint64_t half = 4 * below + 2;
  const bool up = center > half || (center == half && (below & 1) != 0);
  return {below + (up ? 1 : 0), k};
}

}  // namespace sluice::number
