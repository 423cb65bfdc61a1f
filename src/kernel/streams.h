#pragma once

#include <cstddef>
#include <cstdint>

/// What the passes over the bytes hand to each other: two dense streams and the state that is
/// carried from one chunk to the next.
///
///     text      {"id":17,"ok":true}
///     tokens    {" :1," :t}            one byte per token: structure, opening quotes, and the
///               {":1,":t}              first byte of every number and literal
///     places    0 1 5 6 8 9 13 14 18   where each token stands, from the window's base
///     scalars   17,true}               numbers and literals, each with the byte that ends it
namespace sluice::kernel {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// Bytes of text that one step of the passes looks at.
inline constexpr u32 kBlockBytes = 64;

/// Bytes behind the blocks of text that a text pass may read without looking at them.
inline constexpr u32 kOverread = 32;

/// Capacities of the streams. A block of text makes at most 64 tokens and 64 bytes of scalars.
/// Ordinary records have a token in 4 to 6 bytes and scalars in a quarter of them; a text that is
/// denser fills the streams before its chunk is done, and the chunk ends there.
inline constexpr u32 kTokenCapacity = 5120;
inline constexpr u32 kScalarCapacity = 8832;
/// Bytes that a pass may write or read beyond a stream's end.
inline constexpr u32 kSlack = 64;

/// What a text pass tells of the tokens.
enum class TokenForm : u8 {
  bare,    ///< which they are; `places` is left alone
  placed,  ///< and where they stand
  lines,   ///< and where they stand; newlines are tokens
};
inline constexpr u32 kTokenForms = 3;

/// The streams, in memory that somebody else owns.
struct Streams {
  u8* tokens;
  u16* places;
  u8* scalars;
  u32 token_count = 0;
  u32 scalar_count = 0;

  /// Lays the streams out in `memory`: kStreamsBytes at a multiple of 64.
  static Streams in(std::byte* memory) {
    u8* bytes = reinterpret_cast<u8*>(memory);
    return {bytes, reinterpret_cast<u16*>(bytes + kTokenCapacity + kSlack),
            bytes + 3 * (kTokenCapacity + kSlack)};
  }
};
inline constexpr std::size_t kStreamsBytes =
    3 * (kTokenCapacity + kSlack) + kScalarCapacity + kSlack;
static_assert(kStreamsBytes <= 24 * 1024);

/// What the last block leaves of its \u escapes.
struct UnitCarry {
  u64 units = 0;            ///< where their `u`s stood
  u64 surrogates = 0;       ///< where a hex digit D followed such a `u`
  u64 highs = 0;            ///< where the second digit of a high surrogate stood
  u64 pass_surrogates = 0;  ///< all ones: do not pair surrogates

  /// Not 0 when an escape or a pair goes on in the next block.
  u64 pending() const { return units >> 60 | surrogates >> 63 | highs >> 58; }
};

/// State of the text pass between two blocks.
struct TextCarry {
  u64 in_string = 0;  ///< all ones inside a string
  u64 in_scalar = 0;  ///< 1 when the block ended with a byte of a number or literal
  u64 escaped = 0;    ///< 1 when the block ended with a backslash that escapes
  UnitCarry unit;
  u8 tail[3] = {};  ///< the last three bytes, for UTF-8 sequences that go on

  u32 busy_blocks = 0;  ///< with backslashes, in the run of blocks read last

  bool inside_escape() const { return (escaped | unit.pending()) != 0; }
};

/// Where a text pass stopped.
struct TextEnd {
  u32 blocks = 0;      ///< blocks whose tokens were written
  bool fault = false;  ///< the next block has a fault, or the one before it had and it shows here
  bool busy = false;   ///< escapes in so many blocks that the variant without a branch pays
};

/// How many newlines there are, and the place behind the last one; 0 when there is none.
struct NewlineCount {
  u64 count = 0;
  u64 behind_last = 0;
};

/// Where a scalar pass stopped.
struct ScalarEnd {
  u32 used = 0;  ///< bytes of whole scalars; the rest lacks its end
  bool fault = false;
};

/// Scalars that are wrong, numbered from 0 in their stream, ascending; the first kMax of them. The
/// first one is wrong; of the others some may be right, because a wrong literal also spoils what
/// stands behind it.
struct Suspects {
  static constexpr u32 kMax = 32;

  u32 numbers[kMax];
  u32 count = 0;
};

/// State of the token pass: the open brackets, one bit a level (1: object), and the last tokens.
/// The newline stands for the beginning and the end of a text.
struct TokenCarry {
  u64 levels = 0;        ///< innermost level in bit 0
  u64* spill = nullptr;  ///< word i: `levels` as it was at depth 64 i + 63
  u32 depth = 0;
  u32 depth_max = 0;
  u8 last = '\n';
  u8 before_last = '\n';

  static std::size_t spill_words(u32 depth_max) { return depth_max / 64 + 1; }
  void restart() { levels = depth = 0, last = before_last = '\n'; }
  /// True when the bracket that opened level `level` (0: outermost) is {. Requires level < depth.
  bool is_object(u32 level) const {
    const u32 spilled = depth / 64;  // words; they hold the levels up to 64 * spilled - 2
    if (level + 1 >= 64 * spilled) return (levels >> (depth - 1 - level) & 1) != 0;
    const u32 word = (level + 1) / 64;
    return (spill[word] >> (64 * word + 62 - level) & 1) != 0;
  }
};

}  // namespace sluice::kernel
