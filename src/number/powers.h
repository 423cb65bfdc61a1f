#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace sluice::number {

/// The 128 most significant bits of a power of ten, which are those of the power of five:
/// 2^127 <= high * 2^64 + low < 2^128. Of 10^0 and up rounded down (exact to 10^55), of negative
/// powers rounded up, as Eisel-Lemire asks for.
struct Power {
  std::uint64_t high;
  std::uint64_t low;
};

inline constexpr int kPowerMin = -342;     ///< below it no 64-bit integer times it is above zero
inline constexpr int kPowerMax = 324;      ///< above it no double needs it to be written
inline constexpr int kExactPowerMax = 55;  ///< 5^55 is the last below 2^128

/// Entry i is 10^(kPowerMin + i).
using Powers = std::array<Power, kPowerMax - kPowerMin + 1>;
extern const Powers kPowers;

/// Requires: kPowerMin <= exponent <= kPowerMax.
inline const Power& power_of_ten(int exponent) {
  return kPowers.data()[exponent - kPowerMin];  // data(): the checked library looks twice otherwise
}

/// floor(log2(10^exponent)), for |exponent| <= 1,233.
constexpr int log2_of_power(int exponent) { return (exponent * 1741647) >> 19; }

}  // namespace sluice::number
