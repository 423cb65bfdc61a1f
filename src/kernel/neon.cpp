#if defined(__aarch64__)

#include <arm_neon.h>

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

// The kernel of 64-bit ARM: what it uses is there on every such processor. The carry-less product,
// which is not, is left out.
namespace sluice::kernel {
namespace {

constexpr u32 kPrefetchBytes = 1024;
constexpr bool kBranchyEscapes = true;  // whether to ask first if a block has escapes
constexpr u32 kLeafRounds = 0;          // no instruction gathers bits by a mask

inline uint8x16_t every(u8 byte) { return vdupq_n_u8(byte); }

/// A table of sixteen bytes; the look-up gives 0 for an index beyond.
using Table = std::array<u8, 16>;
inline uint8x16_t table(const Table& bytes) { return vld1q_u8(bytes.data()); }

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

inline uint8x16_t low_half(uint8x16_t bytes) { return vandq_u8(bytes, every(0x0F)); }
inline uint8x16_t high_half(uint8x16_t bytes) { return vshrq_n_u8(bytes, 4); }
inline uint8x16_t is_structure(uint8x16_t bytes) {
  return vceqq_u8(vorrq_u8(bytes, every(0x20)), vqtbl1q_u8(table(kStructure), low_half(bytes)));
}

/// A quarter of a block is tested at a time; a test leaves all ones in the bytes it finds.
struct Block {
  uint8x16_t quarters[4];

  static Block load(const u8* bytes) {
    return {{vld1q_u8(bytes), vld1q_u8(bytes + 16), vld1q_u8(bytes + 32), vld1q_u8(bytes + 48)}};
  }

  /// One bit a byte: each keeps a bit of its own, and neighbours are added up three times.
  template <class Test>
  u64 mask(Test test) const {
    constexpr Table kBits = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const uint8x16_t bits = table(kBits);
    const auto found = [&](u32 i) { return vandq_u8(test(quarters[i]), bits); };
    const uint8x16_t low = vpaddq_u8(found(0), found(1));
    const uint8x16_t high = vpaddq_u8(found(2), found(3));
    const uint8x16_t sums = vpaddq_u8(low, high);
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(sums, sums)), 0);
  }
  uint8x16_t greatest() const {
    return vmaxq_u8(vmaxq_u8(quarters[0], quarters[1]), vmaxq_u8(quarters[2], quarters[3]));
  }
  uint8x16_t least() const {
    return vminq_u8(vminq_u8(quarters[0], quarters[1]), vminq_u8(quarters[2], quarters[3]));
  }

  u64 equal(u8 byte) const {
    return mask([all = every(byte)](uint8x16_t bytes) { return vceqq_u8(bytes, all); });
  }
  /// As `equal`, for a byte that most blocks do not have.
  u64 rare(u8 byte) const {
    const uint8x16_t all = every(byte);
    const uint8x16_t low = vorrq_u8(vceqq_u8(quarters[0], all), vceqq_u8(quarters[1], all));
    const uint8x16_t high = vorrq_u8(vceqq_u8(quarters[2], all), vceqq_u8(quarters[3], all));
    return vmaxvq_u8(vorrq_u8(low, high)) != 0 ? equal(byte) : 0;
  }
  u64 between(u8 first, u8 last) const {
    return mask([=](uint8x16_t bytes) {
      return vcleq_u8(vsubq_u8(bytes, every(first)), every(static_cast<u8>(last - first)));
    });
  }
  bool any_non_ascii() const { return vmaxvq_u8(greatest()) >= 0x80; }
  u64 non_ascii() const {
    return mask([](uint8x16_t bytes) { return vcgeq_u8(bytes, every(0x80)); });
  }
  /// Whether a byte is a control or not ASCII.
  bool any_odd_in_string() const { return any_control() || any_non_ascii(); }
  u64 odd_in_string() const { return controls() | (any_non_ascii() ? non_ascii() : 0); }
  u64 controls() const { return any_control() ? between(0, 0x1F) : 0; }
  u64 blanks() const {
    return mask([](uint8x16_t bytes) {
      return vceqq_u8(bytes, vqtbl1q_u8(table(kBlanks), low_half(bytes)));
    });
  }
  /// { } [ ] : and the comma, and some controls.
  u64 structure() const {
    return mask([](uint8x16_t bytes) { return is_structure(bytes); });
  }
  /// Characters that may not be escaped, and the u.
  u64 odd_escapes() const {
    return mask([](uint8x16_t bytes) {
      return vceqzq_u8(vandq_u8(vqtbl1q_u8(table(kEscapeLow), low_half(bytes)),
                                vqtbl1q_u8(table(kEscapeHigh), high_half(bytes))));
    });
  }
  /// Where tokens are not those of a shape (shape.h).
  u64 unlike(const Block& shape) const {
    Block unlike;
    for (u32 i = 0; i < 4; ++i) unlike.quarters[i] = differs(quarters[i], shape.quarters[i]);
    return unlike.mask([](uint8x16_t bytes) { return bytes; });
  }
  Block folded() const {
    Block block;
    for (u32 i = 0; i < 4; ++i) block.quarters[i] = vorrq_u8(quarters[i], every(0x20));
    return block;
  }

 private:
  bool any_control() const { return vminvq_u8(least()) < 0x20; }
  /// Structure, newlines and keys must be the same, and all values are.
  static uint8x16_t differs(uint8x16_t tokens, uint8x16_t shape) {
    const uint8x16_t newlines = vceqq_u8(tokens, every('\n'));
    const uint8x16_t keys = vceqq_u8(shape, every('"'));
    const uint8x16_t kept = vorrq_u8(vorrq_u8(is_structure(tokens), newlines), keys);
    return vmvnq_u8(vceqq_u8(vbslq_u8(kept, tokens, every(kAnyValue)), shape));
  }
};

inline u64 prefix_xor(u64 bits) {
  for (u32 shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

inline u64 gather_bits(u64, u64) { return 0; }
inline u64 scatter_bits(u64, u64) { return 0; }

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

/// Eight bytes a step: the table of positions is the look-up that moves the marked bytes together,
/// and the list of their places.
template <bool kPlaces>
inline std::size_t write_tokens(const Marked& from, u8* tokens, u16* places, u32 base) {
  u8* const first = tokens;
  for (u32 i = 0; i < 64; i += 8) {
    const u64 part = from.bits >> i & 0xFF;
    const uint8x8_t at = vcreate_u8(kPositions[part]);
    vst1_u8(tokens, vtbl1_u8(vld1_u8(from.bytes + i), at));
    if constexpr (kPlaces) vst1q_u16(places, vaddw_u8(vdupq_n_u16(static_cast<u16>(base + i)), at));
    const u32 count = static_cast<u32>(std::popcount(part));
    tokens += count;
    places += count;
  }
  return static_cast<std::size_t>(tokens - first);
}

/// Copies runs of marked bytes, 16 at a time; what is copied too much is overwritten.
inline std::size_t copy_scalars(const Marked& from, u8* out) {
  u64 bits = from.bits;
  u8* end = out;
  while (bits != 0) {
    const u32 at = static_cast<u32>(std::countr_zero(bits));
    const u32 size = static_cast<u32>(std::countr_one(bits >> at));
    for (u32 i = 0; i < size; i += 16) vst1q_u8(end + i, vld1q_u8(from.bytes + at + i));
    end += size;
    bits &= bits + (u64{1} << at);
  }
  return static_cast<std::size_t>(end - out);
}

/// Plain text in the decode pass.
struct Step {
  static constexpr std::size_t kBytes = 16;
  static constexpr u32 kBits = 4;

  uint8x16_t bytes;

  static Step load(const u8* from) { return {vld1q_u8(from)}; }
  void store(u8* to) const { vst1q_u8(to, bytes); }
  /// Four bits a byte: a shift that narrows leaves the middle ones of each pair.
  u64 backslashes() const {
    const uint16x8_t found = vreinterpretq_u16_u8(vceqq_u8(bytes, every('\\')));
    return vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(found, 4)), 0);
  }
};

/// What differs between pieces of keys and the texts at which they should stand.
class KeyDifference {
 public:
  void see(const u8* text, const KeyPiece& key) {
    const uint8x16_t low = veorq_u8(vld1q_u8(text), vld1q_u8(key.bytes));
    const uint8x16_t high = veorq_u8(vld1q_u8(text + 16), vld1q_u8(key.bytes + 16));
    low_ = vorrq_u8(low_, vandq_u8(low, vld1q_u8(key.mask)));
    high_ = vorrq_u8(high_, vandq_u8(high, vld1q_u8(key.mask + 16)));
  }
  bool any() const { return vmaxvq_u8(vorrq_u8(low_, high_)) != 0; }

 private:
  uint8x16_t low_ = vdupq_n_u8(0);
  uint8x16_t high_ = vdupq_n_u8(0);
};

/// UTF-8 by three lookups (utf8_tables.h).
class Utf8Check {
 public:
  explicit Utf8Check(const u8 (&tail)[3]) {
    u8 bytes[16] = {};
    std::memcpy(bytes + 13, tail, 3);
    before_ = vld1q_u8(bytes);
    pending_ = (tail[0] | tail[1] | tail[2]) & 0x80;
  }

  /// False where the block is ASCII and nothing goes on from the block before.
  bool wants(u64 non_ascii) const { return (non_ascii | pending_) != 0; }

  /// Not 0 at an ill-formed sequence; the state then means nothing.
  u64 step(const Block& block) {
    uint8x16_t faults = check(block.quarters[0], before_);
    for (u32 i = 1; i < 4; ++i) {
      faults = vorrq_u8(faults, check(block.quarters[i], block.quarters[i - 1]));
    }
    before_ = block.quarters[3];
    // Any of the last three bytes outside ASCII: the next block is looked at even if it has none.
    pending_ = vgetq_lane_u32(vreinterpretq_u32_u8(before_), 3) & 0x80808000;
    return vmaxvq_u8(faults);
  }

 private:
  static uint8x16_t check(uint8x16_t bytes, uint8x16_t before) {
    const uint8x16_t one = vextq_u8(before, bytes, 15);
    const uint8x16_t two = vextq_u8(before, bytes, 14);
    const uint8x16_t three = vextq_u8(before, bytes, 13);
    const uint8x16_t first_high = vqtbl1q_u8(table(utf8::kFirstHigh), high_half(one));
    const uint8x16_t first_low = vqtbl1q_u8(table(utf8::kFirstLow), low_half(one));
    const uint8x16_t second_high = vqtbl1q_u8(table(utf8::kSecondHigh), high_half(bytes));
    const uint8x16_t faults = vandq_u8(vandq_u8(first_high, first_low), second_high);
    const uint8x16_t third_or_fourth =
        vorrq_u8(vqsubq_u8(two, every(0xE0 - 0x80)), vqsubq_u8(three, every(0xF0 - 0x80)));
    return veorq_u8(vandq_u8(third_or_fourth, every(0x80)), faults);
  }

  uint8x16_t before_;
  u64 pending_;
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

constinit const Kernel kNeon = kernel_row("neon");

}  // namespace sluice::kernel

#endif  // __aarch64__
