#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

/// The reverse of digits.h: numbers to decimal digits, eight within a 64-bit word.
namespace sluice::number {

static_assert(std::endian::native == std::endian::little, "the first digit is the lowest byte");

/// Eight digits of a number below 10^8, zeros in front, one a byte from 0 to 9. Halves are split
/// off in all lanes at once: by 10,000, by 100 and by 10; the factors are their inverses, rounded
/// so that they are exact for all values that occur.
inline std::uint64_t digits_of_8(std::uint32_t value) {
  const std::uint64_t fours = value / 10000 | std::uint64_t{value % 10000} << 32;
  const std::uint64_t hundreds = fours * 5243 >> 19 & 0x0000007F0000007F;
  const std::uint64_t twos = hundreds | (fours - hundreds * 100) << 16;
  const std::uint64_t tens = twos * 103 >> 10 & 0x000F000F000F000F;
  return tens | (twos - tens * 10) << 8;
}

inline constexpr std::uint64_t kZeroDigits = 0x3030303030303030;

inline void store_word(char* out, std::uint64_t word) { std::memcpy(out, &word, sizeof word); }

}  // namespace sluice::number
