// Eight numbers at once, one a 64-bit lane, for the number pass of AVX-512. Included by avx512.cpp.
//
//     text       65.613616999999977,     (the sign apart)
//     words      65.61361 69999997 7,    of eight bytes
//     digits     65061361 69999997 7000  the dot a digit 0, zeros up to the twentieth
//     without it 6561361699999997700     less 9 x 65 x 10^17
//     exponent   -17                     19 less the digits before the dot
//
// The plain loop reads digit by digit, and its exit cannot be guessed. Here nothing waits for how
// long a number is; 24 bytes of it are read whatever it looks like. The nearest double comes from
// one product with a power of ten (number/nearest.h has the algorithm and its sources); where that
// is not enough, and of other shapes, numbers are left to the exact way. (To read the words behind
// the dot where it was found, left to right, took twice as long: each load waited for the last.)

constexpr u32 kWholeDigitsMax = 7;  // before a dot

/// An entry for each of 0 to 7.
struct LaneTable {
  alignas(64) u64 entries[8];

  __m512i look_up(__m512i indices) const {
    return _mm512_permutexvar_epi64(indices, _mm512_load_si512(entries));
  }
};

constexpr u64 ten_to(u32 exponent) {
  u64 power = 1;
  while (exponent-- != 0) power *= 10;
  return power;
}

/// The 64 most significant bits of 10^-exponent. Requires: 1 to 19.
constexpr u64 inverse_of_ten_to(u32 exponent) {
  const u64 divisor = ten_to(exponent);
  u64 rest = 1;
  u64 bits = 0;
  while (bits >> 63 == 0) {  // long division, one bit a step
    const bool above = rest >> 63 != 0 || rest * 2 >= divisor;
    rest = rest * 2 - (above ? divisor : 0);
    bits = bits << 1 | (above ? 1 : 0);
  }
  return bits;
}

/// By the number of digits before the dot: what a dot taken for a digit adds to each unit of them;
/// the power of ten that the rest is multiplied by.
constexpr LaneTable kDotExcess = [] {
  LaneTable table{};
  for (u32 i = 1; i <= kWholeDigitsMax; ++i) table.entries[i] = 9 * ten_to(19 - i);
  return table;
}();
constexpr LaneTable kInverses = [] {
  LaneTable table{};
  for (u32 i = 1; i <= kWholeDigitsMax; ++i) table.entries[i] = inverse_of_ten_to(19 - i);
  return table;
}();
constexpr LaneTable kTens = [] {
  LaneTable table{};
  for (u32 i = 0; i < 8; ++i) table.entries[i] = ten_to(i);
  return table;
}();

inline __m512i lanes(u64 value) { return _mm512_set1_epi64(static_cast<long long>(value)); }

/// Twenty-four bytes of each number's text behind its sign; of the last word five at least.
struct NumberText {
  __m512i words[3];
  __mmask8 negative;

  /// Reads 32 bytes from the places of eight tokens on, whose numbers count from `first`. The words
  /// of a number lie side by side when they are loaded, and are moved so that each register has one
  /// word of all.
  NumberText(const Numbers& numbers, u32 first, const u16* tokens) {
    const u32* const places = numbers.places + first;
    const auto load_two = [&](u32 a, u32 b) {
      const auto* low = reinterpret_cast<const __m256i*>(numbers.text + places[tokens[a]]);
      const auto* high = reinterpret_cast<const __m256i*>(numbers.text + places[tokens[b]]);
      return _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_loadu_si256(low)),
                                _mm256_loadu_si256(high), 1);
    };
    const __m512i one = load_two(0, 2);
    const __m512i two = load_two(1, 3);
    const __m512i three = load_two(4, 6);
    const __m512i four = load_two(5, 7);
    const __m512i even_low = _mm512_unpacklo_epi64(one, two);
    const __m512i even_high = _mm512_unpacklo_epi64(three, four);
    const __m512i odd_low = _mm512_unpackhi_epi64(one, two);
    const __m512i odd_high = _mm512_unpackhi_epi64(three, four);
    words[0] = _mm512_shuffle_i64x2(even_low, even_high, 0x88);
    words[1] = _mm512_shuffle_i64x2(odd_low, odd_high, 0x88);
    words[2] = _mm512_shuffle_i64x2(even_low, even_high, 0xDD);
    drop_signs();
  }

 private:
  void drop_signs() {
    negative = _mm512_cmpeq_epi64_mask(_mm512_and_si512(words[0], lanes(0xFF)), lanes('-'));
    words[0] = _mm512_mask_shrdi_epi64(words[0], negative, words[0], words[1], 8);
    words[1] = _mm512_mask_shrdi_epi64(words[1], negative, words[1], words[2], 8);
    words[2] = _mm512_mask_srli_epi64(words[2], negative, words[2], 8);
  }
};

/// Neighbours joined to numbers of two digits, and those to numbers of four.
inline __m512i joined_fours(__m512i digits) {
  const __m512i twos = _mm512_maddubs_epi16(digits, _mm512_set1_epi16(10 | 1 << 8));
  return _mm512_madd_epi16(twos, _mm512_set1_epi32(100 | 1 << 16));
}
inline __m512i joined_eights(__m512i digits) {
  const __m512i fours = joined_fours(digits);
  const __m512i together = _mm512_or_si512(fours, _mm512_srli_epi64(fours, 16));
  return _mm512_madd_epi16(together, lanes(10000 | 1 << 16));
}

/// Which bytes of a word are digits.
struct DigitLanes {
  __m512i digits;  ///< 0 to 9; 0 for others
  __m512i others;  ///< 1 in each byte that is none

  explicit DigitLanes(__m512i text) {
    const __m512i values = _mm512_xor_si512(text, every('0'));
    const __mmask64 is_digit = _mm512_cmple_epu8_mask(values, every(9));
    digits = _mm512_maskz_mov_epi8(is_digit, values);
    others = _mm512_maskz_mov_epi8(~is_digit, every(1));
  }
  /// All ones in the bytes before the first that is marked.
  static __m512i before(__m512i marks) {
    return _mm512_andnot_si512(marks, _mm512_sub_epi64(marks, lanes(1)));
  }
  /// The first mark.
  static __m512i first(__m512i marks) {
    return _mm512_andnot_si512(_mm512_sub_epi64(marks, lanes(1)), marks);
  }
  /// The same marks but for the first.
  static __m512i behind_first(__m512i marks) {
    return _mm512_and_si512(marks, _mm512_sub_epi64(marks, lanes(1)));
  }
};

/// A word's first digits as a number; `kept`: all ones in their bytes.
struct WholeLanes {
  __m512i count;
  __m512i value;

  WholeLanes(const DigitLanes& word, __m512i kept) {
    count = _mm512_sad_epu8(_mm512_and_si512(kept, every(1)), _mm512_setzero_si512());
    const __m512i bits = _mm512_sub_epi64(lanes(64), _mm512_slli_epi64(count, 3));
    value = joined_eights(_mm512_sllv_epi64(_mm512_and_si512(word.digits, kept), bits));
  }
};

/// The upper half of the products of 64 x 64 bits.
inline __m512i high_product(__m512i a, __m512i b) {
  const __m512i lower = lanes(0xFFFFFFFF);
  const __m512i a_high = _mm512_srli_epi64(a, 32);
  const __m512i b_high = _mm512_srli_epi64(b, 32);
  const __m512i low_high = _mm512_mul_epu32(a, b_high);
  // Neither sum overflows: (2^32 - 1)^2 + 2 (2^32 - 1) = 2^64 - 1.
  const __m512i middle =
      _mm512_add_epi64(_mm512_mul_epu32(a_high, b), _mm512_srli_epi64(_mm512_mul_epu32(a, b), 32));
  const __m512i middle_2 = _mm512_add_epi64(low_high, _mm512_and_si512(middle, lower));
  return _mm512_add_epi64(
      _mm512_add_epi64(_mm512_mul_epu32(a_high, b_high), _mm512_srli_epi64(middle, 32)),
      _mm512_srli_epi64(middle_2, 32));
}

/// Eight results, and the lanes that are left to the exact way.
struct ConvertedLanes {
  __m512i bits;
  __mmask8 left;
};

/// The doubles nearest to digits / 10^(19 - whole), as number::nearest_double_bits finds them. No
/// result is too large or too small for a normal one, and none lies between two doubles: with up to
/// seven digits before the dot a tie has 30 behind it, and here are 18.
inline ConvertedLanes nearest_lanes(__m512i digits, __m512i whole) {
  const __m512i zeros = _mm512_lzcnt_epi64(digits);
  const __m512i high = high_product(_mm512_sllv_epi64(digits, zeros), kInverses.look_up(whole));
  const __m512i top = _mm512_srli_epi64(high, 63);
  const __m512i cut = _mm512_srlv_epi64(high, _mm512_add_epi64(top, lanes(9)));
  const __m512i odd = _mm512_and_si512(cut, lanes(1));
  const __m512i mantissa = _mm512_srli_epi64(_mm512_add_epi64(cut, odd), 1);
  // log2(10) x 2^19, rounded up, for floor(log2(10^-n)).
  const __m512i exponent = _mm512_sub_epi64(whole, lanes(19));
  const __m512i log2 = _mm512_srai_epi64(_mm512_mul_epi32(exponent, lanes(1741647)), 19);
  const __m512i biased =
      _mm512_sub_epi64(_mm512_add_epi64(_mm512_add_epi64(log2, top), lanes(62 + 1023)), zeros);
  // Added, so that a mantissa rounded up to 2^53 carries into the exponent.
  const __m512i bits = _mm512_add_epi64(_mm512_slli_epi64(biased, 52), mantissa);
  // The lower half of the power may carry into the mantissa.
  const __m512i below = _mm512_and_si512(high, lanes(0x1FF));
  return {_mm512_maskz_mov_epi64(_mm512_test_epi64_mask(digits, digits), bits),
          _mm512_cmpeq_epi64_mask(below, lanes(0x1FF))};
}

/// Lanes in which the byte that `marks` marks first is an e or a dot.
inline __mmask8 lanes_going_on(__m512i text, __m512i marks) {
  const __m512i first = DigitLanes::first(marks);
  const __mmask64 is_first = _mm512_test_epi8_mask(first, first);
  const __m512i folded = _mm512_or_si512(text, every(0x20));
  const __mmask64 goes_on = _mm512_mask_cmpeq_epi8_mask(is_first, folded, every('e')) |
                            _mm512_mask_cmpeq_epi8_mask(is_first, folded, every('.'));
  return goes_on == 0 ? 0 : _mm512_test_epi64_mask(_mm512_movm_epi8(goes_on), lanes(~u64{0}));
}

/// Numbers with a dot behind up to seven digits, and up to twenty bytes with it.
ALWAYS_INLINE ConvertedLanes real_lanes(const NumberText& text, const DigitLanes& first,
                                        const WholeLanes& whole) {
  const DigitLanes second(text.words[1]);
  const DigitLanes third(text.words[2]);
  const __m512i first_ends = DigitLanes::behind_first(first.others);
  const __mmask8 goes_on = _mm512_testn_epi64_mask(first_ends, first_ends);
  const __mmask8 to_third = _mm512_mask_testn_epi64_mask(goes_on, second.others, second.others);
  const __m512i eight_1 =
      joined_eights(_mm512_and_si512(first.digits, DigitLanes::before(first_ends)));
  const __m512i eight_2 = joined_eights(
      _mm512_maskz_and_epi64(goes_on, second.digits, DigitLanes::before(second.others)));
  const __m512i four =
      _mm512_and_si512(joined_fours(_mm512_maskz_and_epi64(to_third, third.digits,
                                                           DigitLanes::before(third.others))),
                       lanes(0xFFFFFFFF));
  const __m512i sixteen = _mm512_add_epi64(_mm512_mul_epu32(eight_1, lanes(100'000'000)), eight_2);
  const __m512i twenty =
      _mm512_add_epi64(_mm512_mullo_epi64(sixteen, lanes(10'000)), four);  // modulo 2^64
  const __m512i excess = _mm512_mullo_epi64(whole.value, kDotExcess.look_up(whole.count));
  ConvertedLanes converted = nearest_lanes(_mm512_sub_epi64(twenty, excess), whole.count);
  const __mmask8 too_long =
      _mm512_mask_testn_epi64_mask(to_third, third.others, lanes(0x0000000101010101));
  const __m512i last_text = _mm512_mask_mov_epi64(
      _mm512_mask_mov_epi64(text.words[0], goes_on, text.words[1]), to_third, text.words[2]);
  const __m512i last_ends = _mm512_mask_mov_epi64(
      _mm512_mask_mov_epi64(first_ends, goes_on, second.others), to_third, third.others);
  converted.left =
      static_cast<__mmask8>(converted.left | too_long | lanes_going_on(last_text, last_ends));
  return converted;
}

/// Integers of eight digits and more, a word at a time.
struct IntegerLanes {
  __m512i value;
  __m512i text;  ///< the word in which they end
  __m512i others;
  __mmask8 goes_on;  ///< lanes that do not end in the words so far

  /// Takes the next word of those that go on; its count of digits is returned.
  ALWAYS_INLINE __m512i take(__m512i next) {
    const DigitLanes word(next);
    const WholeLanes digits(word, DigitLanes::before(word.others));
    const __mmask8 full = _mm512_testn_epi64_mask(word.others, word.others);
    const __m512i tens = _mm512_mask_mov_epi64(kTens.look_up(digits.count), full, lanes(ten_to(8)));
    value = _mm512_mask_add_epi64(value, goes_on, _mm512_mullo_epi64(value, tens), digits.value);
    text = _mm512_mask_mov_epi64(text, goes_on, next);
    others = _mm512_mask_mov_epi64(others, goes_on, word.others);
    goes_on &= full;
    return digits.count;
  }
  /// Takes what is left of up to 19 digits, which always fit into 64 bits.
  ALWAYS_INLINE void take_last(__m512i next) {
    const __mmask8 taken = goes_on;
    const __m512i count = take(next);
    goes_on = _mm512_mask_cmpgt_epu64_mask(taken, count, lanes(3));
  }
};

/// Integers of up to 19 digits, tagged where they are small. -0 is none: its double differs.
ALWAYS_INLINE ConvertedLanes integer_lanes(const NumberText& text, const DigitLanes& first,
                                           const WholeLanes& whole) {
  IntegerLanes integer = {whole.value, text.words[0], first.others,
                          _mm512_testn_epi64_mask(first.others, first.others)};
  if (integer.goes_on != 0) integer.take(text.words[1]);
  if (integer.goes_on != 0) integer.take_last(text.words[2]);
  const __m512i zero = _mm512_setzero_si512();
  const __m512i with_sign =
      _mm512_mask_sub_epi64(integer.value, text.negative, zero, integer.value);
  const __m512i low = _mm512_and_si512(with_sign, lanes(2 * kTaggedMax - 1));
  ConvertedLanes converted;
  converted.bits = _mm512_or_si512(low, lanes(kIntegerTag));
  const __mmask8 large = _mm512_cmpge_epu64_mask(integer.value, lanes(kTaggedMax));
  if (large != 0) {
    const __m512i real = _mm512_castpd_si512(
        _mm512_cvt_roundepu64_pd(integer.value, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
    const __m512i with_bit = _mm512_mask_or_epi64(real, text.negative, real, lanes(u64{1} << 63));
    converted.bits = _mm512_mask_mov_epi64(converted.bits, large, with_bit);
  }
  converted.left = integer.goes_on | lanes_going_on(integer.text, integer.others) |
                   _mm512_mask_cmpeq_epi64_mask(text.negative, integer.value, zero);
  return converted;
}

/// Converts eight numbers.
ALWAYS_INLINE ConvertedLanes convert_lanes(const NumberText& text) {
  const DigitLanes first(text.words[0]);
  const WholeLanes whole(first, DigitLanes::before(first.others));
  const __m512i behind = DigitLanes::first(first.others);
  const __mmask64 dots = _mm512_cmpeq_epi8_mask(text.words[0], every('.'));
  const __mmask8 real = _mm512_test_epi64_mask(_mm512_maskz_mov_epi8(dots, behind), behind);
  ConvertedLanes converted = {};
  if (real != 0) {
    converted = real_lanes(text, first, whole);
    converted.bits =
        _mm512_mask_or_epi64(converted.bits, text.negative, converted.bits, lanes(u64{1} << 63));
  }
  if (real != 0xFF) {
    const ConvertedLanes integers = integer_lanes(text, first, whole);
    converted.bits = _mm512_mask_mov_epi64(integers.bits, real, converted.bits);
    converted.left = static_cast<__mmask8>((converted.left & real) | (integers.left & ~real));
  }
  return converted;
}
