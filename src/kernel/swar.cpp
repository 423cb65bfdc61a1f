#include <algorithm>
#include <bit>
#include <cstring>

#include "kernel/kernels.h"

#define NOINLINE [[gnu::noinline]]

// The kernel without intrinsics: a block is eight words of eight bytes, a comparison leaves its
// answer in the top bit of each byte, and a multiplication gathers the eight top bits.
namespace sluice::kernel {
namespace {

constexpr u32 kPrefetchBytes = 1024;
constexpr u32 kLeafRounds = 0;  // gathering bits by mask costs more here than walking them
constexpr u64 kLow = 0x0101010101010101u;
constexpr u64 kHigh = 0x8080808080808080u;

/// Top bits of the bytes equal to `byte`, exactly: the addition cannot carry over.
inline u64 equal_bytes(u64 word, u8 byte) {
  const u64 difference = word ^ (kLow * byte);
  return ~(((difference & ~kHigh) + ~kHigh) | difference) & kHigh;
}

/// Top bits of the bytes below `limit`, which is at most 0x80.
inline u64 below_bytes(u64 word, u8 limit) {
  return ~(((word & ~kHigh) + kLow * (0x80u - limit)) | word) & kHigh;
}

struct Block {
  u64 words[8];

  static Block load(const u8* bytes) {
    static_assert(std::endian::native == std::endian::little);
    Block block;
    std::memcpy(block.words, bytes, sizeof block.words);
    return block;
  }

  template <class Test>
  u64 mask(Test test) const {
    u64 bits = 0;
    for (u32 i = 0; i < 8; ++i) {
      bits |= (((test(words[i]) >> 7) * 0x0102040810204080u) >> 56) << (8 * i);
    }
    return bits;
  }

  u64 equal(u8 byte) const {
    return mask([byte](u64 word) { return equal_bytes(word, byte); });
  }
  u64 between(u8 first, u8 last) const {
    return mask([first, last](u64 word) {
      return below_bytes(word, last + 1) & ~below_bytes(word, first);
    });
  }
  bool any_non_ascii() const {
    u64 any = 0;
    for (const u64 word : words) any |= word;
    return (any & kHigh) != 0;
  }
  u64 non_ascii() const {
    return mask([](u64 word) { return word & kHigh; });
  }
  /// Whether a byte is a control or not ASCII.
  bool any_odd_in_string() const {
    u64 any = 0;
    for (const u64 word : words) any |= below_bytes(word, 0x20) | (word & kHigh);
    return any != 0;
  }
  u64 controls() const {
    return mask([](u64 word) { return below_bytes(word, 0x20); });
  }
  u64 blanks() const {
    return mask([](u64 word) {
      return equal_bytes(word, ' ') | equal_bytes(word, '\n') | equal_bytes(word, '\r') |
             equal_bytes(word, '\t');
    });
  }
  /// { } [ ] : and the comma.
  u64 structure() const {
    return mask([](u64 word) {
      const u64 folded = word | kLow * 0x20;  // [ and ] become { and }
      const u64 brackets = equal_bytes(folded, '{') | equal_bytes(folded, '}');
      return brackets | equal_bytes(word, ':') | equal_bytes(word, ',');
    });
  }
  /// Characters that may be escaped, but for the u.
  u64 simple_escapes() const {
    return equal('"') | equal('\\') | equal('/') | equal('b') | equal('f') | equal('n') |
           equal('r') | equal('t');
  }
  /// Where tokens are not those of a shape (shape.h).
  u64 unlike(const Block& shape) const {
    u64 bits = 0;
    for (u32 i = 0; i < 8; ++i) {
      const u64 word = words[i];
      const u64 folded = word | kLow * 0x20;
      const u64 exact = equal_bytes(folded, '{') | equal_bytes(folded, '}') |
                        equal_bytes(word, ':') | equal_bytes(word, ',') | equal_bytes(word, '\n') |
                        equal_bytes(shape.words[i], '"');
      const u64 bytes = (exact >> 7) * 0xFF;
      const u64 seen = (word & bytes) | (kLow * kAnyValue & ~bytes);
      const u64 same = equal_bytes(seen ^ shape.words[i], 0);
      bits |= ((((same ^ kHigh) >> 7) * 0x0102040810204080u) >> 56) << (8 * i);
    }
    return bits;
  }
  Block folded() const {
    Block block = *this;
    for (u64& word : block.words) word |= kLow * 0x20;
    return block;
  }
};

inline u64 prefix_xor(u64 bits) {
  for (u32 shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

inline u64 gather_bits(u64, u64) { return 0; }
inline u64 scatter_bits(u64, u64) { return 0; }

inline std::size_t write_tokens(const u8* bytes, u64 bits, u8* tokens, u16* places, u32 base) {
  std::size_t count = 0;
  for (; bits != 0; bits &= bits - 1, ++count) {
    const u32 at = static_cast<u32>(std::countr_zero(bits));
    tokens[count] = bytes[at];
    places[count] = static_cast<u16>(base + at);
  }
  return count;
}

/// Copies runs of marked bytes, eight at a time; what is copied too much is overwritten.
inline std::size_t copy_scalars(const u8* bytes, u64 bits, u8* out) {
  u8* end = out;
  while (bits != 0) {
    const u32 at = static_cast<u32>(std::countr_zero(bits));
    const u32 size = static_cast<u32>(std::countr_one(bits >> at));
    for (u32 i = 0; i < size; ++i) end[i] = bytes[at + i];
    end += size;
    bits &= bits + (u64{1} << at);
  }
  return static_cast<std::size_t>(end - out);
}

inline u32 key_differs(const u8* text, const KeyPiece& key) {
  return std::memcmp(text, key.bytes, key.size) != 0;
}

/// UTF-8 a byte at a time: how many continuation bytes are still to come, and the bounds of the
/// next one, which are narrower behind E0, ED, F0 and F4 (RFC 3629).
class Utf8Check {
 public:
  explicit Utf8Check(const u8 (&tail)[3]) {
    for (const u8 byte : tail) {
      if (byte >= 0xC0 || wanted_ != 0) take(byte);
    }
  }
  bool wants(u64 non_ascii) const { return non_ascii != 0 || wanted_ != 0; }
  /// False at an ill-formed sequence; the state is then that of before the block.
  bool step(const Block& block) {
    const Utf8Check before = *this;
    for (const u64 word : block.words) {
      if (wanted_ == 0 && (word & kHigh) == 0) continue;
      for (u32 i = 0; i < 8; ++i) {
        if (!take(static_cast<u8>(word >> (8 * i)))) {
          *this = before;
          return false;
        }
      }
    }
    return true;
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

#include "kernel/replay_pass.inl"
#include "kernel/scalar_pass.inl"
#include "kernel/skip_pass.inl"
#include "kernel/text_pass.inl"
#include "kernel/token_pass.inl"

}  // namespace

const Kernel kSwar = {
    "swar",
    {{text_pass<false, false>, text_pass<false, true>},
     {text_pass<true, false>, text_pass<true, true>}},
    scalar_pass,
    token_pass,
    skip_pass,
    replay_pass,
};

}  // namespace sluice::kernel
