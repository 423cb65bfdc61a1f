#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "number/digits.h"
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace sluice::number {

/// Up to sixteen digits as if zeros followed to the sixteenth: "25,..." is 2500000000000000. So
/// nothing has to be moved by a count that is known late, and the power of ten is a constant.
struct Fraction {
  unsigned count;         ///< 0 to 16 digits
  std::uint64_t first_8;  ///< the first eight, zeros behind them
  std::uint64_t last_8;

  std::uint64_t value() const { return first_8 * 100'000'000 + last_8; }
};

/// Reads sixteen bytes at `at`; with plain words.
inline Fraction read_fraction_by_words(const char* at) {
  const DigitWord first(load_word(at));
  if (first.count() < 8) return {first.count(), first.value_or_0() * ten_to(8 - first.count()), 0};
  const DigitWord last(load_word(at + 8));
  if (last.count() == 8) return {16, first.value(), last.value()};
  return {8 + last.count(), first.value(), last.value_or_0() * ten_to(8 - last.count())};
}

#if defined(__SSE2__)

/// A window of sixteen bytes that begins at 16 - n keeps n bytes.
inline constexpr auto kKeepFirst = [] {
  std::array<std::uint8_t, 32> bytes{};
  for (std::size_t i = 0; i < 16; ++i) bytes[i] = 0xFF;
  return bytes;
}();

/// The same with the vectors that every x86-64 has.
inline Fraction read_fraction(const char* at) {
  const auto load = [](const void* bytes) {
    return _mm_loadu_si128(static_cast<const __m128i*>(bytes));
  };
  const __m128i values = _mm_xor_si128(load(at), _mm_set1_epi8('0'));
  const __m128i is_digit = _mm_cmpeq_epi8(_mm_min_epu8(values, _mm_set1_epi8(9)), values);
  const auto mask = static_cast<unsigned>(_mm_movemask_epi8(is_digit));
  const auto count = static_cast<unsigned>(std::countr_one(mask));
  const __m128i digits = _mm_and_si128(values, load(kKeepFirst.data() + 16 - count));
  // Neighbours are joined, the first times ten, a hundred, ten thousand.
  const __m128i firsts = _mm_and_si128(digits, _mm_set1_epi16(0x00FF));
  const __m128i twos =
      _mm_add_epi16(_mm_mullo_epi16(firsts, _mm_set1_epi16(10)), _mm_srli_epi16(digits, 8));
  const __m128i fours = _mm_madd_epi16(twos, _mm_set1_epi32(100 | 1 << 16));
  const __m128i eights =
      _mm_madd_epi16(_mm_packs_epi32(fours, fours), _mm_set1_epi32(10000 | 1 << 16));
  const auto both = static_cast<std::uint64_t>(_mm_cvtsi128_si64(eights));
  return {count, both & 0xFFFFFFFF, both >> 32};
}

#else

inline Fraction read_fraction(const char* at) { return read_fraction_by_words(at); }

#endif

}  // namespace sluice::number
