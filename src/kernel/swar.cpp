#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "kernel/attributes.h"
#include "kernel/classes.h"
#include "kernel/compact.h"
#include "kernel/decode.h"
#include "kernel/escape.h"
#include "kernel/kernels.h"

// The kernel without intrinsics: a block is eight words of eight bytes, a comparison leaves its
// answer in the top bit of each byte, and those of all eight words become one mask.
namespace sluice::kernel {
namespace {

constexpr u32 kPrefetchBytes = 1024;
constexpr bool kBranchyEscapes = true;  // whether to ask first if a block has escapes
constexpr u32 kLeafRounds = 0;          // gathering bits by mask costs more here than walking them
constexpr u64 kLow = 0x0101010101010101u;
constexpr u64 kHigh = 0x8080808080808080u;

/// Top bit clear in the bytes equal to `byte`; exact where no byte of `ascii` has its top bit set,
/// because then the addition cannot carry over.
inline u64 other_than(u64 ascii, u8 byte) { return (ascii ^ (kLow * byte)) + ~kHigh; }

/// Top bit set in the bytes of `ascii`, which has no top bits set, that are `limit` or more.
inline u64 at_least(u64 ascii, u8 limit) { return ascii + kLow * (0x80u - limit); }

/// The top bits of eight words as one mask, in the order of the bytes. `rows` holds them a column
/// each: bit 7 - w of byte b is that of byte b of word w. Exchanges rows and columns by halves
/// (H. S. Warren, "Hacker's Delight", 7-3). One of these a mask is cheaper than a multiplication a
/// word, and leaves the compiler free to do two words at once.
inline u64 in_byte_order(u64 rows) {
  u64 swap = (rows ^ rows >> 7) & 0x00AA00AA00AA00AAu;
  rows ^= swap ^ swap << 7;
  swap = (rows ^ rows >> 14) & 0x0000CCCC0000CCCCu;
  rows ^= swap ^ swap << 14;
  swap = (rows ^ rows >> 28) & 0x00000000F0F0F0F0u;
  rows ^= swap ^ swap << 28;
  return __builtin_bswap64(rows);
}

struct Block {
  u64 words[8];

  static Block load(const u8* bytes) {
    static_assert(std::endian::native == std::endian::little);
    Block block;
    std::memcpy(block.words, bytes, sizeof block.words);
    return block;
  }

  /// Bits of the bytes whose top bit `test` sets.
  template <class Test>
  u64 top_bits(Test test) const {
    u64 even = 0;
    u64 odd = 0;
    for (u32 i = 0; i < 8; i += 2) {
      even |= (test(words[i]) & kHigh) >> i;
      odd |= (test(words[i + 1]) & kHigh) >> i;
    }
    return in_byte_order(even | odd >> 1);
  }
  /// The same where `test` is given the words without their top bits; a byte outside ASCII is
  /// never one of them.
  template <class Test>
  u64 mask(Test test) const {
    return top_bits([test](u64 word) { return test(word & ~kHigh) & ~word; });
  }
  /// Whether `test` sets any top bit, given the words as they are.
  template <class Test>
  bool any(Test test) const {
    u64 all = 0;
    for (const u64 word : words) all |= test(word);
    return (all & kHigh) != 0;
  }

  u64 equal(u8 byte) const {
    return mask([byte](u64 ascii) { return ~other_than(ascii, byte); });
  }
  u64 between(u8 first, u8 last) const {
    return mask([=](u64 ascii) { return at_least(ascii, first) & ~at_least(ascii, last + 1); });
  }
  /// As `equal`, for a byte that most blocks do not have.
  u64 rare(u8 byte) const {
    const bool there = any([byte](u64 word) { return ~(other_than(word & ~kHigh, byte) | word); });
    return there ? equal(byte) : 0;
  }
  bool any_non_ascii() const {
    return any([](u64 word) { return word; });
  }
  u64 non_ascii() const {
    return top_bits([](u64 word) { return word; });
  }
  bool any_control() const {
    return any([](u64 word) { return ~(at_least(word & ~kHigh, 0x20) | word); });
  }
  u64 controls() const {
    return any_control() ? mask([](u64 ascii) { return ~at_least(ascii, 0x20); }) : 0;
  }
  /// Whether a byte is a control or not ASCII.
  bool any_odd_in_string() const {
    return any([](u64 word) { return ~at_least(word & ~kHigh, 0x20) | word; });
  }
  u64 odd_in_string() const {
    if (!any_odd_in_string()) return 0;
    return top_bits([](u64 word) { return ~at_least(word & ~kHigh, 0x20) | word; });
  }
  u64 blanks() const {
    if (!any_control()) return equal(' ');
    return mask([](u64 ascii) {
      return ~(other_than(ascii, ' ') & other_than(ascii, '\n') & other_than(ascii, '\r') &
               other_than(ascii, '\t'));
    });
  }
  /// { } [ ] : and the comma, and some controls.
  u64 structure() const {
    return mask([](u64 ascii) { return ~other_than_structure(ascii); });
  }
  /// Characters that may not be escaped, and the u.
  u64 odd_escapes() const {
    return ~mask([](u64 ascii) {
      const u64 marks = other_than(ascii, '"') & other_than(ascii, '\\') & other_than(ascii, '/');
      return ~(marks & other_than(ascii, 'b') & other_than(ascii, 'f') & other_than(ascii, 'n') &
               other_than(ascii, 'r') & other_than(ascii, 't'));
    });
  }
  /// Whether tokens are not those of a shape (shape.h).
  u64 unlike(const Block& shape) const {
    Block seen;
    for (u32 i = 0; i < 8; ++i) {
      const u64 word = words[i];
      const u64 value = other_than_structure(word) & other_than(word, '\n') &
                        other_than(shape.words[i], '"') & kHigh;
      const u64 value_bytes = (value << 1) - (value >> 7);
      seen.words[i] = ((kLow * kAnyValue & value_bytes) | (word & ~value_bytes)) ^ shape.words[i];
    }
    return seen.top_bits([](u64 word) { return other_than(word, 0); });
  }
  Block folded() const {
    Block block = *this;
    for (u64& word : block.words) word |= kLow * 0x20;
    return block;
  }

 private:
  static u64 other_than_structure(u64 ascii) {
    const u64 folded = ascii | kLow * 0x20;  // [ and ] become { and }
    return other_than(folded, '{') & other_than(folded, '}') & other_than(folded, ':') &
           other_than(folded, ',');
  }
};

inline u64 prefix_xor(u64 bits) {
  for (u32 shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

inline u64 gather_bits(u64, u64) { return 0; }
inline u64 scatter_bits(u64, u64) { return 0; }

/// Marked bytes of a block, and where it stands.
struct Marked {
  const Block& block;
  const u8* bytes;
  u64 bits;
};

/// Eight tokens a step, those that are not there included: how often a loop over them turns is
/// seldom guessed right, and a wrong guess costs more than a few stores that are overwritten.
template <bool kPlaces>
inline std::size_t write_tokens(const Marked& from, u8* tokens, u16* places, u32 base) {
  const std::size_t count = static_cast<std::size_t>(std::popcount(from.bits));
  u64 bits = from.bits;
  for (std::size_t done = 0; done < count; done += 8) {
    for (std::size_t i = done; i < done + 8; ++i) {
      const u32 at = static_cast<u32>(std::countr_zero(bits));
      tokens[i] = from.bytes[at];
      if constexpr (kPlaces) places[i] = static_cast<u16>(base + at);
      bits &= bits - 1;
    }
  }
  return count;
}

/// Copies runs of marked bytes, eight at a time; what is copied too much is overwritten.
inline std::size_t copy_scalars(const Marked& from, u8* out) {
  u64 bits = from.bits;
  u8* end = out;
  while (bits != 0) {
    const u32 at = static_cast<u32>(std::countr_zero(bits));
    const u32 size = static_cast<u32>(std::countr_one(bits >> at));
    for (u32 i = 0; i < size; i += 8) std::memcpy(end + i, from.bytes + at + i, 8);
    end += size;
    bits &= bits + (u64{1} << at);
  }
  return static_cast<std::size_t>(end - out);
}

using Step = WordStep;

/// What differs between pieces of keys and the texts at which they should stand.
class KeyDifference {
 public:
  void see(const u8* text, const KeyPiece& key) {
    for (u32 at = 0; at < sizeof key.bytes; at += 8) {
      bits_ |= (word_at(text + at) ^ word_at(key.bytes + at)) & word_at(key.mask + at);
    }
  }
  bool any() const { return bits_ != 0; }

 private:
  static u64 word_at(const u8* bytes) {
    u64 word;
    std::memcpy(&word, bytes, sizeof word);
    return word;
  }

  u64 bits_ = 0;
};

/// Size of the ASCII run or the well-formed two- or three-byte character at the start of eight
/// bytes, 0 for anything else. (Four two-byte characters at once were tried: words are too short.)
/// Masks leave the marks of lead and continuation bytes, and the bits of the lead that tell
/// overlong forms and surrogates.
inline u32 common_character(u64 word) {
  const u64 non_ascii = word & kHigh;
  if ((word & 0x80) == 0) {
    return non_ascii == 0 ? 8 : static_cast<u32>(std::countr_zero(non_ascii)) / 8;
  }
  if ((word & 0xC0E0) == 0x80C0) return (word & 0x1E) != 0 ? 2 : 0;
  const u64 second = word & 0x200F;
  const bool three = (word & 0xC0C0F0) == 0x8080E0 && second != 0 && second != 0x200D;
  return three ? 3 : 0;
}

/// UTF-8, common characters at once and the others a byte at a time: how many continuation bytes
/// are still to come, and the bounds of the next one, which are narrower behind E0, ED, F0 and F4
/// (RFC 3629).
class Utf8Check {
 public:
  explicit Utf8Check(const u8 (&tail)[3]) {
    for (const u8 byte : tail) {
      if (byte >= 0xC0 || wanted_ != 0) take(byte);
    }
  }
  bool wants(u64 non_ascii) const { return non_ascii != 0 || wanted_ != 0; }
  /// Not 0 at an ill-formed sequence; the state then means nothing.
  u64 step(const Block& block) {
    u8 bytes[kBlockBytes];
    std::memcpy(bytes, block.words, sizeof bytes);
    for (u32 at = 0; at < kBlockBytes;) {
      u32 size = 0;
      if (wanted_ == 0 && at <= kBlockBytes - 8) {
        u64 word;
        std::memcpy(&word, bytes + at, sizeof word);
        size = common_character(word);
      }
      if (size == 0 && !take(bytes[at++])) return 1;
      at += size;
    }
    return 0;
  }

 private:
  bool take(u8 byte) {
    if (wanted_ != 0) {
      if (byte < low_ || byte > high_) return false;
      --wanted_;
      low_ = 0x80;
      high_ = 0xBF;
      return true;
    }
    if (byte < 0x80) return true;
    if (byte < 0xC2 || byte > 0xF4) return false;
    wanted_ = byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3;
    low_ = byte == 0xE0 ? 0xA0 : byte == 0xF0 ? 0x90 : 0x80;
    high_ = byte == 0xED ? 0x9F : byte == 0xF4 ? 0x8F : 0xBF;
    return true;
  }

  u8 wanted_ = 0;
  u8 low_ = 0x80;
  u8 high_ = 0xBF;
};

/// One by one: masks of all the kinds of digits would take longer.
inline UnitDigits unit_digits(const u8* text, u64 units) {
  static constexpr auto kValues = [] {
    std::array<u8, 256> values{};
    for (u32 byte = 0; byte < 256; ++byte) values[byte] = hex_value(static_cast<u8>(byte));
    return values;
  }();
  UnitDigits digits{};
  for (u64 rest = units; rest != 0; rest &= rest - 1) {
    const u8* const unit = text + std::countr_zero(rest);
    const u64 bit = rest & -rest;
    const u8 first = kValues[unit[1]];
    const u8 second = kValues[unit[2]];
    digits.hex |= (first | second | kValues[unit[3]] | kValues[unit[4]]) <= 0xF ? bit : 0;
    digits.first_d |= first == 0xD ? bit : 0;
    digits.second_high |= second >= 0x8 && second <= 0xB ? bit : 0;
    digits.second_low |= second >= 0xC ? bit : 0;
  }
  return digits;
}

#include "kernel/backslashes.inl"
#include "kernel/class_masks.inl"
#include "kernel/compact_pass.inl"
#include "kernel/decode_pass.inl"
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

constinit const Kernel kSwar = kernel_row("swar");

}  // namespace sluice::kernel
