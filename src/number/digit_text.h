#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

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

/// Sixteen digits: those of two numbers below 10^8.
struct Digits16 {
  std::uint64_t high;
  std::uint64_t low;
  int count;  ///< digits but for zeros at their end
};

#if defined(__SSE2__)

/// As digits_of_8 for both at once.
inline Digits16 digits_of_16(std::uint32_t high, std::uint32_t low) {
  const __m128i values = _mm_unpacklo_epi64(_mm_cvtsi32_si128(static_cast<int>(high)),
                                            _mm_cvtsi32_si128(static_cast<int>(low)));
  // 3518437209 / 2^45 is 1 / 10,000, exact for 32 bits; 5243 / 2^19 and 6554 / 2^16 are 1 / 100 and
  // 1 / 10 for what is below 10,000 and 100.
  const __m128i tops = _mm_srli_epi64(_mm_mul_epu32(values, _mm_set1_epi64x(3518437209)), 45);
  const __m128i rests = _mm_sub_epi32(values, _mm_mul_epu32(tops, _mm_set1_epi64x(10000)));
  const __m128i fours = _mm_or_si128(tops, _mm_slli_epi64(rests, 32));
  const __m128i hundreds = _mm_srli_epi16(_mm_mulhi_epu16(fours, _mm_set1_epi16(5243)), 3);
  const __m128i units = _mm_sub_epi16(fours, _mm_mullo_epi16(hundreds, _mm_set1_epi16(100)));
  const __m128i twos = _mm_or_si128(hundreds, _mm_slli_epi32(units, 16));
  const __m128i tens = _mm_mulhi_epu16(twos, _mm_set1_epi16(6554));
  const __m128i ones = _mm_sub_epi16(twos, _mm_mullo_epi16(tens, _mm_set1_epi16(10)));
  const __m128i digits = _mm_or_si128(tens, _mm_slli_epi16(ones, 8));
  const int zeros = _mm_movemask_epi8(_mm_cmpeq_epi8(digits, _mm_setzero_si128()));
  return {static_cast<std::uint64_t>(_mm_cvtsi128_si64(digits)),
          static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_unpackhi_epi64(digits, digits))),
          static_cast<int>(std::bit_width(static_cast<unsigned>(zeros ^ 0xFFFF)))};
}

#else

inline Digits16 digits_of_16(std::uint32_t high, std::uint32_t low) {
  const std::uint64_t first = digits_of_8(high);
  const std::uint64_t last = digits_of_8(low);
  const int zeros = last != 0 ? std::countl_zero(last) / 8 : 8 + std::countl_zero(first) / 8;
  return {first, last, 16 - zeros};
}

#endif

inline constexpr std::uint64_t kZeroDigits = 0x3030303030303030;

inline void store_word(char* out, std::uint64_t word) { std::memcpy(out, &word, sizeof word); }

}  // namespace sluice::number
