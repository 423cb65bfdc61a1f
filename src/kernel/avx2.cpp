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

// From here to the end of the file the compiler may use these instructions; what was included
// above may not, so that no shared inline function carries them into another file.
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,pclmul,lzcnt,popcnt"))), \
                             apply_to = function)
#else
#pragma GCC target("avx2,bmi,bmi2,pclmul,lzcnt,popcnt")
#endif

namespace sluice::kernel {
namespace {

constexpr u32 kPrefetchBytes = 4096;
constexpr bool kBranchyEscapes = false;  // whether to ask first if a block has escapes
constexpr u32 kLeafRounds = 4;

inline __m256i load_half(const void* bytes) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(bytes));
}
inline u64 top_bits(__m256i low, __m256i high) {
  return static_cast<u32>(_mm256_movemask_epi8(low)) |
         static_cast<u64>(static_cast<u32>(_mm256_movemask_epi8(high))) << 32;
}
inline __m256i every(u8 byte) { return _mm256_set1_epi8(static_cast<char>(byte)); }

/// A table of sixteen bytes, in both halves of a register.
using Table = std::array<u8, 16>;
inline __m256i table(const Table& bytes) {
  return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(&bytes)));
}

// Structure and blanks: a byte belongs to the class when the table's entry for its low four bits
// is the byte itself ([ and ] folded to { and }). Some controls fold to structure as well.
constexpr Table kStructure = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ':', '{', ',', '}', 0, 0};
constexpr Table kBlanks = {' ',  0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
                           0xFF, '\t', '\n', 0xFF, 0xFF, '\r', 0xFF, 0xFF};
// Escapes: one bit for each high half that occurs, in the table of high and of low halves.
constexpr Table kEscapeHigh = {0, 0, 1, 0, 0, 2, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0};
constexpr Table kEscapeLow = {0, 0, 1 | 4 | 8, 0, 8, 0, 4, 0, 0, 0, 0, 0, 2, 0, 4, 1};
static_assert('"' == 0x22 && '/' == 0x2F && '\\' == 0x5C && 'b' == 0x62 && 'f' == 0x66 &&
              'n' == 0x6E && 'r' == 0x72 && 't' == 0x74);

struct Block {
  __m256i low;
  __m256i high;

  static Block load(const u8* bytes) { return {load_half(bytes), load_half(bytes + 32)}; }

  u64 equal(u8 byte) const {
    const __m256i all = every(byte);
    return top_bits(_mm256_cmpeq_epi8(low, all), _mm256_cmpeq_epi8(high, all));
  }
  /// As `equal`, for a byte that most blocks do not have.
  u64 rare(u8 byte) const { return equal(byte); }
  u64 between(u8 first, u8 last) const {
    const __m256i width = every(static_cast<u8>(last - first));
    const __m256i a = _mm256_sub_epi8(low, every(first));
    const __m256i b = _mm256_sub_epi8(high, every(first));
    return top_bits(_mm256_cmpeq_epi8(_mm256_min_epu8(a, width), a),
                    _mm256_cmpeq_epi8(_mm256_min_epu8(b, width), b));
  }
  bool any_non_ascii() const { return _mm256_movemask_epi8(_mm256_or_si256(low, high)) != 0; }
  u64 non_ascii() const { return top_bits(low, high); }
  /// Controls and what is not ASCII: both are below a blank when taken as signed.
  u64 odd_in_string() const {
    const __m256i blank = every(' ');
    return top_bits(_mm256_cmpgt_epi8(blank, low), _mm256_cmpgt_epi8(blank, high));
  }
  bool any_odd_in_string() const {
    const __m256i blank = every(' ');
    const __m256i odd =
        _mm256_or_si256(_mm256_cmpgt_epi8(blank, low), _mm256_cmpgt_epi8(blank, high));
    return _mm256_movemask_epi8(odd) != 0;
  }
  u64 controls() const { return between(0, 0x1F); }
  u64 blanks() const {
    const __m256i blanks = table(kBlanks);
    return top_bits(_mm256_cmpeq_epi8(low, _mm256_shuffle_epi8(blanks, low)),
                    _mm256_cmpeq_epi8(high, _mm256_shuffle_epi8(blanks, high)));
  }
  /// { } [ ] : and the comma, and some controls.
  u64 structure() const {
    const __m256i structure = table(kStructure);
    const Block fold = folded();
    return top_bits(_mm256_cmpeq_epi8(fold.low, _mm256_shuffle_epi8(structure, low)),
                    _mm256_cmpeq_epi8(fold.high, _mm256_shuffle_epi8(structure, high)));
  }
  /// Characters that may not be escaped, and the u.
  u64 odd_escapes() const { return top_bits(not_escape(low), not_escape(high)); }
  /// Where tokens are not those of a shape (shape.h).
  u64 unlike(const Block& shape) const {
    return ~top_bits(_mm256_cmpeq_epi8(seen(low, shape.low), shape.low),
                     _mm256_cmpeq_epi8(seen(high, shape.high), shape.high));
  }
  Block folded() const {
    return {_mm256_or_si256(low, every(0x20)), _mm256_or_si256(high, every(0x20))};
  }

 private:
  /// Structure, newlines and keys as they are, and the same byte for every value.
  static __m256i seen(__m256i tokens, __m256i shape) {
    const __m256i structure = _mm256_cmpeq_epi8(_mm256_or_si256(tokens, every(0x20)),
                                                _mm256_shuffle_epi8(table(kStructure), tokens));
    const __m256i newlines = _mm256_cmpeq_epi8(tokens, every('\n'));
    const __m256i keys = _mm256_cmpeq_epi8(shape, every('"'));
    return _mm256_blendv_epi8(every(kAnyValue), tokens,
                              _mm256_or_si256(_mm256_or_si256(structure, newlines), keys));
  }
  static __m256i not_escape(__m256i half) {
    const __m256i nibble = every(0x0F);
    const __m256i lows = _mm256_shuffle_epi8(table(kEscapeLow), _mm256_and_si256(half, nibble));
    const __m256i highs = _mm256_shuffle_epi8(table(kEscapeHigh),
                                              _mm256_and_si256(_mm256_srli_epi16(half, 4), nibble));
    return _mm256_cmpeq_epi8(_mm256_and_si256(lows, highs), _mm256_setzero_si256());
  }
};

/// Bit i: the parity of bits 0 to i; a carry-less product with all ones.
inline u64 prefix_xor(u64 bits) {
  const __m128i product =
      _mm_clmulepi64_si128(_mm_cvtsi64_si128(static_cast<long long>(bits)), _mm_set1_epi8(-1), 0);
  return static_cast<u64>(_mm_cvtsi128_si64(product));
}

inline u64 gather_bits(u64 bits, u64 mask) { return _pext_u64(bits, mask); }
inline u64 scatter_bits(u64 bits, u64 mask) { return _pdep_u64(bits, mask); }

/// Entry m: the positions of the bits set in m, lowest first, one a byte.
constexpr auto kPositions = [] {
  std::array<u64, 256> entries{};
  for (u32 m = 0; m < 256; ++m) {
    u32 count = 0;
    for (u32 bit = 0; bit < 8; ++bit) {
      if ((m >> bit & 1) != 0) entries[m] |= u64{bit} << (8 * count++);
    }
  }
  return entries;
}();

/// Marked bytes of a block, and where it stands.
struct Marked {
  const Block& block;
  const u8* bytes;
  u64 bits;
};

/// Eight bytes a step: the table of positions is the shuffle that moves the marked bytes
/// together, and the list of their places.
template <bool kPlaces>
inline std::size_t write_tokens(const Marked& from, u8* tokens, u16* places, u32 base) {
  u8* const first = tokens;
  __m128i start = _mm_set1_epi16(static_cast<short>(base));
  for (u32 i = 0; i < 64; i += 8) {
    const u64 part = from.bits >> i & 0xFF;
    const __m128i at = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(&kPositions[part]));
    const __m128i text = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from.bytes + i));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(tokens), _mm_shuffle_epi8(text, at));
    if constexpr (kPlaces) {
      _mm_storeu_si128(reinterpret_cast<__m128i*>(places),
                       _mm_add_epi16(_mm_cvtepu8_epi16(at), start));
      start = _mm_add_epi16(start, _mm_set1_epi16(8));
    }
    const u64 count = static_cast<u64>(_mm_popcnt_u64(part));
    tokens += count;
    places += count;
  }
  return static_cast<std::size_t>(tokens - first);
}

/// Copies runs of marked bytes, 32 at a time; what is copied too much is overwritten.
inline std::size_t copy_scalars(const Marked& from, u8* out) {
  u64 bits = from.bits;
  u8* end = out;
  while (bits != 0) {
    const u32 at = static_cast<u32>(std::countr_zero(bits));
    const u32 size = static_cast<u32>(std::countr_one(bits >> at));
    const u8* run = from.bytes + at;
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(end), load_half(run));
    if (size > 32) [[unlikely]] {
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(end + 32), load_half(run + 32));
    }
    end += size;
    bits &= bits + (u64{1} << at);
  }
  return static_cast<std::size_t>(end - out);
}

/// Plain text in the decode pass.
struct Step {
  static constexpr std::size_t kBytes = 32;
  static constexpr u32 kBits = 1;

  __m256i bytes;

  static Step load(const u8* from) { return {load_half(from)}; }
  void store(u8* to) const { _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), bytes); }
  u64 backslashes() const {
    return static_cast<u32>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, every('\\'))));
  }
};

/// What differs between pieces of keys and the texts at which they should stand.
class KeyDifference {
 public:
  KeyDifference() : bits_(_mm256_setzero_si256()) {}
  void see(const u8* text, const KeyPiece& key) {
    const __m256i differs = _mm256_xor_si256(load_half(text), load_half(key.bytes));
    bits_ = _mm256_or_si256(bits_, _mm256_and_si256(differs, load_half(key.mask)));
  }
  bool any() const { return _mm256_testz_si256(bits_, bits_) == 0; }

 private:
  __m256i bits_;
};

/// UTF-8 by three lookups (utf8_tables.h).
class Utf8Check {
 public:
  explicit Utf8Check(const u8 (&tail)[3]) {
    alignas(32) u8 bytes[32] = {};
    std::memcpy(bytes + 29, tail, 3);
    before_ = load_half(bytes);
    pending_ = static_cast<u32>((tail[0] | tail[1] | tail[2]) & 0x80);
  }

  /// False where the block is ASCII and nothing goes on from the block before.
  bool wants(u64 non_ascii) const { return (non_ascii | pending_) != 0; }

  /// Not 0 at an ill-formed sequence; the state then means nothing.
  u64 step(const Block& block) {
    const __m256i faults = _mm256_or_si256(check(block.low, before_), check(block.high, block.low));
    before_ = block.high;
    // Any of the last three bytes outside ASCII: the next block is looked at even if it has none.
    pending_ = static_cast<u32>(_mm256_movemask_epi8(block.high)) >> 29;
    return _mm256_testz_si256(faults, faults) == 0;
  }

 private:
  static __m256i check(__m256i bytes, __m256i before) {
    const __m256i nibble = every(0x0F);
    const __m256i joined = _mm256_permute2x128_si256(before, bytes, 0x21);
    const __m256i one = _mm256_alignr_epi8(bytes, joined, 15);
    const __m256i two = _mm256_alignr_epi8(bytes, joined, 14);
    const __m256i three = _mm256_alignr_epi8(bytes, joined, 13);
    const __m256i first_high = _mm256_shuffle_epi8(
        table(utf8::kFirstHigh), _mm256_and_si256(_mm256_srli_epi16(one, 4), nibble));
    const __m256i first_low =
        _mm256_shuffle_epi8(table(utf8::kFirstLow), _mm256_and_si256(one, nibble));
    const __m256i second_high = _mm256_shuffle_epi8(
        table(utf8::kSecondHigh), _mm256_and_si256(_mm256_srli_epi16(bytes, 4), nibble));
    const __m256i faults = _mm256_and_si256(_mm256_and_si256(first_high, first_low), second_high);
    const __m256i third_or_fourth = _mm256_or_si256(_mm256_subs_epu8(two, every(0xE0 - 0x80)),
                                                    _mm256_subs_epu8(three, every(0xF0 - 0x80)));
    return _mm256_xor_si256(_mm256_and_si256(third_or_fourth, every(0x80)), faults);
  }

  __m256i before_;
  u32 pending_;
};

#include "kernel/backslashes.inl"
#include "kernel/class_masks.inl"
#include "kernel/compact_pass.inl"
#include "kernel/decode_pass.inl"
#include "kernel/escape_digits.inl"
#include "kernel/escape_pass.inl"
#include "kernel/index_pass.inl"
#include "kernel/newline_pass.inl"
#include "kernel/number_pass.inl"
#include "kernel/replay_pass.inl"
#include "kernel/scalar_pass.inl"
#include "kernel/skip_pass.inl"
#include "kernel/text_pass.inl"
#include "kernel/token_masks.inl"
#include "kernel/token_pass.inl"
// Behind all passes.
#include "kernel/kernel_row.inl"

}  // namespace

constinit const Kernel kAvx2 = kernel_row("avx2");

}  // namespace sluice::kernel

#if defined(__clang__)
#pragma clang attribute pop
#endif

#endif  // __x86_64__
