#if defined(__x86_64__)

#include <immintrin.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "kernel/attributes.h"
#include "kernel/classes.h"
#include "kernel/compact.h"
#include "kernel/escape.h"
#include "kernel/kernels.h"
#include "kernel/utf8_tables.h"

// As in avx2.cpp: these instructions from here to the end of the file only.
#if defined(__clang__)
#pragma clang attribute push(                                                       \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512cd,avx512vbmi," \
                          "avx512vbmi2,avx2,bmi,bmi2,pclmul,lzcnt,popcnt"))),       \
    apply_to = function)
#else
// GCC 12 takes the deliberately undefined operands of its own intrinsics for mistakes.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC target(                                                                     \
    "avx512f,avx512bw,avx512vl,avx512dq,avx512cd,avx512vbmi,avx512vbmi2,avx2,bmi,bmi2," \
    "pclmul,lzcnt,popcnt")
#endif

namespace sluice::kernel {
namespace {

constexpr u32 kPrefetchBytes = 4096;
constexpr bool kBranchyEscapes = false;  // whether to ask first if a block has escapes
constexpr u32 kLeafRounds = 4;

inline __m512i every(u8 byte) { return _mm512_set1_epi8(static_cast<char>(byte)); }

/// An entry for every ASCII byte; a byte beyond gets that of its low seven bits.
struct AsciiTable {
  alignas(64) u8 entries[128];

  template <class F>
  static constexpr AsciiTable of(F entry) {
    AsciiTable table{};
    for (u32 byte = 0; byte < 128; ++byte) table.entries[byte] = entry(static_cast<u8>(byte));
    return table;
  }
  __m512i look_up(__m512i bytes) const {
    return _mm512_permutex2var_epi8(_mm512_load_si512(entries), bytes,
                                    _mm512_load_si512(entries + 64));
  }
};

constexpr bool is_structure(u8 byte) {
  return byte == '{' || byte == '}' || byte == '[' || byte == ']' || byte == ':' || byte == ',';
}
constexpr bool is_blank(u8 byte) {
  return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}
constexpr bool is_digit(u8 byte) { return byte >= '0' && byte <= '9'; }

struct Block {
  __m512i bytes;

  static Block load(const u8* from) { return {_mm512_loadu_si512(from)}; }
  /// The first `count` bytes, 0 to 64, and blanks; nothing else is read.
  static Block load_some(const u8* from, u32 count) {
    const u64 there = count == 64 ? ~u64{0} : (u64{1} << count) - 1;
    return {_mm512_mask_loadu_epi8(every(' '), there, from)};
  }
  void store(u8* to) const { _mm512_storeu_si512(to, bytes); }

  u64 equal(u8 byte) const { return _mm512_cmpeq_epi8_mask(bytes, every(byte)); }
  u64 rare(u8 byte) const { return equal(byte); }
  u64 between(u8 first, u8 last) const {
    return _mm512_cmple_epu8_mask(_mm512_sub_epi8(bytes, every(first)),
                                  every(static_cast<u8>(last - first)));
  }
  bool any_non_ascii() const { return non_ascii() != 0; }
  u64 non_ascii() const { return _mm512_movepi8_mask(bytes); }
  /// Whether a byte is a control or not ASCII: both are below a blank when taken as signed.
  u64 odd_in_string() const { return _mm512_cmplt_epi8_mask(bytes, every(' ')); }
  bool any_odd_in_string() const { return odd_in_string() != 0; }
  u64 controls() const { return _mm512_cmplt_epu8_mask(bytes, every(' ')); }
  /// Characters that may not be escaped, and the u.
  u64 odd_escapes() const {
    static constexpr AsciiTable kOdd = AsciiTable::of([](u8 byte) -> u8 {
      const bool mark = byte == '"' || byte == '\\' || byte == '/';
      const bool letter = byte == 'b' || byte == 'f' || byte == 'n' || byte == 'r' || byte == 't';
      return mark || letter ? 0 : 0x80;
    });
    return _mm512_movepi8_mask(kOdd.look_up(bytes) | bytes);
  }
  /// Where tokens are not those of a shape (shape.h).
  u64 unlike(const Block& shape) const {
    static constexpr AsciiTable kSeen = AsciiTable::of(
        [](u8 byte) -> u8 { return is_structure(byte) || byte == '\n' ? byte : kAnyValue; });
    const __m512i seen = _mm512_mask_mov_epi8(kSeen.look_up(bytes), shape.equal('"'), bytes);
    return _mm512_cmpneq_epi8_mask(seen, shape.bytes);
  }
  Block folded() const { return {_mm512_or_si512(bytes, every(0x20))}; }
};

/// A bit for each class of the text pass; they meet in a register and are told apart by tests.
/// A byte outside ASCII has the classes of another one, and is a scalar besides.
template <bool kLines>
inline TextClasses text_classes(const Block& block, u64) {
  enum : u8 { kStructure = 4, kScalar = 0x80 };
  static constexpr AsciiTable kClasses = AsciiTable::of([](u8 byte) -> u8 {
    const bool structure = is_structure(byte) || (kLines && byte == '\n');
    const bool scalar = !structure && !is_blank(byte) && byte != '"';
    return static_cast<u8>((structure ? kStructure : 0) | (scalar ? kScalar : 0));
  });
  const __m512i classes = kClasses.look_up(block.bytes);
  TextClasses is;
  is.structure = _mm512_test_epi8_mask(classes, every(kStructure));
  is.scalar = _mm512_movepi8_mask(_mm512_or_si512(classes, block.bytes));
  is.odd = block.odd_in_string();
  is.solid = is.scalar;
  return is;
}

inline UnitDigits unit_digits(const u8* text, u64) {
  enum : u8 { kD = 1, kHigh = 2, kLow = 4, kOther = 0x80 };
  static constexpr AsciiTable kDigits = AsciiTable::of([](u8 byte) -> u8 {
    const u8 folded = byte | 0x20;
    const bool high = byte == '8' || byte == '9' || folded == 'a' || folded == 'b';
    const bool low = folded >= 'c' && folded <= 'f';
    if (!is_digit(byte) && !low && !high) return kOther;
    return static_cast<u8>((folded == 'd' ? kD : 0) | (high ? kHigh : 0) | (low ? kLow : 0));
  });
  const __m512i one = _mm512_loadu_si512(text + 1);
  const __m512i two = _mm512_loadu_si512(text + 2);
  const __m512i three = _mm512_loadu_si512(text + 3);
  const __m512i four = _mm512_loadu_si512(text + 4);
  const __m512i first = kDigits.look_up(one);
  const __m512i second = kDigits.look_up(two);
  const __m512i rest = kDigits.look_up(three) | kDigits.look_up(four);
  UnitDigits digits;
  digits.hex = ~_mm512_movepi8_mask(first | second | rest | one | two | three | four);
  digits.first_d = _mm512_test_epi8_mask(first, every(kD));
  digits.second_high = _mm512_test_epi8_mask(second, every(kHigh));
  digits.second_low = _mm512_test_epi8_mask(second, every(kLow));
  return digits;
}

#include "kernel/neighbours_avx512.inl"

/// Bit i: the parity of bits 0 to i; a carry-less product with all ones.
inline u64 prefix_xor(u64 bits) {
  const __m128i product =
      _mm_clmulepi64_si128(_mm_cvtsi64_si128(static_cast<long long>(bits)), _mm_set1_epi8(-1), 0);
  return static_cast<u64>(_mm_cvtsi128_si64(product));
}

inline u64 gather_bits(u64 bits, u64 mask) { return _pext_u64(bits, mask); }
inline u64 scatter_bits(u64 bits, u64 mask) { return _pdep_u64(bits, mask); }

/// The numbers 0 to 63.
inline constexpr auto kIndices = [] {
  std::array<u8, 64> indices{};
  for (u32 i = 0; i < 64; ++i) indices[i] = static_cast<u8>(i);
  return indices;
}();

/// Marked bytes of a block, and where it stands.
struct Marked {
  const Block& block;
  const u8* bytes;
  u64 bits;
};

/// All marked bytes at once: the same compression brings the bytes together and their places.
template <bool kPlaces>
inline std::size_t write_tokens(const Marked& from, u8* tokens, u16* places, u32 base) {
  const std::size_t count = static_cast<std::size_t>(_mm_popcnt_u64(from.bits));
  _mm512_storeu_si512(tokens, _mm512_maskz_compress_epi8(from.bits, from.block.bytes));
  if constexpr (!kPlaces) return count;
  const __m512i at = _mm512_maskz_compress_epi8(from.bits, _mm512_loadu_si512(kIndices.data()));
  const __m512i start = _mm512_set1_epi16(static_cast<short>(base));
  _mm512_storeu_si512(places,
                      _mm512_add_epi16(start, _mm512_cvtepu8_epi16(_mm512_castsi512_si256(at))));
  if (count > 32) [[unlikely]] {
    const __m256i rest = _mm512_extracti64x4_epi64(at, 1);
    _mm512_storeu_si512(places + 32, _mm512_add_epi16(start, _mm512_cvtepu8_epi16(rest)));
  }
  return count;
}

inline std::size_t copy_scalars(const Marked& from, u8* out) {
  _mm512_storeu_si512(out, _mm512_maskz_compress_epi8(from.bits, from.block.bytes));
  return static_cast<std::size_t>(_mm_popcnt_u64(from.bits));
}

/// What differs between pieces of keys and the texts at which they should stand.
class KeyDifference {
 public:
  KeyDifference() : bits_(_mm256_setzero_si256()) {}
  void see(const u8* text, const KeyPiece& key) {
    const __m256i seen = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text));
    const __m256i wanted = _mm256_load_si256(reinterpret_cast<const __m256i*>(key.bytes));
    const __m256i mask = _mm256_load_si256(reinterpret_cast<const __m256i*>(key.mask));
    bits_ = _mm256_or_si256(bits_, _mm256_and_si256(_mm256_xor_si256(seen, wanted), mask));
  }
  bool any() const { return _mm256_testz_si256(bits_, bits_) == 0; }

 private:
  __m256i bits_;
};

/// UTF-8 by three lookups (utf8_tables.h).
class Utf8Check {
 public:
  explicit Utf8Check(const u8 (&tail)[3]) {
    alignas(64) u8 bytes[64] = {};
    std::memcpy(bytes + 61, tail, 3);
    before_ = _mm512_load_si512(bytes);
    pending_ = (tail[0] | tail[1] | tail[2]) & 0x80;
  }

  /// False where the block is ASCII and nothing goes on from the block before.
  bool wants(u64 non_ascii) const { return (non_ascii | pending_) != 0; }

  /// Not 0 at an ill-formed sequence; the state then means nothing.
  u64 step(const Block& block) {
    const __m512i faults = check(block.bytes, before_);
    before_ = block.bytes;
    // Any of the last three bytes outside ASCII: the next block is looked at even if it has none.
    pending_ = block.non_ascii() >> 61;
    return _mm512_test_epi8_mask(faults, faults);
  }

 private:
  static __m512i table(const utf8::Table& bytes) {
    return _mm512_broadcast_i32x4(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes.data())));
  }
  static __m512i check(__m512i bytes, __m512i before) {
    const __m512i nibble = every(0x0F);
    const __m512i joined = _mm512_alignr_epi32(bytes, before, 12);
    const __m512i one = _mm512_alignr_epi8(bytes, joined, 15);
    const __m512i two = _mm512_alignr_epi8(bytes, joined, 14);
    const __m512i three = _mm512_alignr_epi8(bytes, joined, 13);
    const __m512i first_high = _mm512_shuffle_epi8(
        table(utf8::kFirstHigh), _mm512_and_si512(_mm512_srli_epi16(one, 4), nibble));
    const __m512i first_low =
        _mm512_shuffle_epi8(table(utf8::kFirstLow), _mm512_and_si512(one, nibble));
    const __m512i second_high = _mm512_shuffle_epi8(
        table(utf8::kSecondHigh), _mm512_and_si512(_mm512_srli_epi16(bytes, 4), nibble));
    const __m512i faults = _mm512_and_si512(_mm512_and_si512(first_high, first_low), second_high);
    const __m512i third_or_fourth = _mm512_or_si512(_mm512_subs_epu8(two, every(0xE0 - 0x80)),
                                                    _mm512_subs_epu8(three, every(0xF0 - 0x80)));
    return _mm512_xor_si512(_mm512_and_si512(third_or_fourth, every(0x80)), faults);
  }

  __m512i before_;
  u64 pending_;
};

#include "kernel/backslashes.inl"
#include "kernel/compact_pass.inl"
#include "kernel/decode_pass_avx512.inl"
#include "kernel/escape_pass.inl"
#include "kernel/index_pass.inl"
#include "kernel/newline_pass.inl"
#include "kernel/number_lanes_avx512.inl"
#include "kernel/number_pass_avx512.inl"
#include "kernel/replay_pass.inl"
#include "kernel/scalar_pass.inl"
#include "kernel/skip_pass.inl"
#include "kernel/text_pass.inl"
#include "kernel/token_pass.inl"
// Behind all passes.
#include "kernel/kernel_row.inl"

}  // namespace

constinit const Kernel kAvx512 = kernel_row("avx512");

}  // namespace sluice::kernel

#if defined(__clang__)
#pragma clang attribute pop
#endif

#endif  // __x86_64__
