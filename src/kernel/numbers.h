#pragma once

#include "kernel/streams.h"

/// What the number pass makes of the numbers of a text.
namespace sluice::kernel {

/// A number in eight bytes: the bits of the nearest double (of infinity, when it is beyond the
/// largest), or, for an integer of up to 50 bits, a NaN, which no number is, with the integer in
/// its lowest 51 bits.
using NumberBits = u64;

inline constexpr NumberBits kIntegerTag = u64{0xFFF8} << 48;
inline constexpr u64 kTaggedMax = u64{1} << 50;  ///< magnitudes below it

/// Requires: |value| < kTaggedMax.
inline NumberBits tagged_integer(std::int64_t value) {
  return kIntegerTag | (static_cast<u64>(value) & (2 * kTaggedMax - 1));
}
inline bool is_tagged(NumberBits bits) { return bits >= kIntegerTag; }
inline bool is_infinite(NumberBits bits) { return bits << 1 == u64{0x7FF} << 53; }
inline std::int64_t untagged(NumberBits bits) {
  return static_cast<std::int64_t>(bits << 13) >> 13;
}

/// The numbers of an index (index.h). Of two tokens that stand next to each other one is no number,
/// so they share a place: that of token i is values[i / 2].
struct Numbers {
  const u8* text;
  u32 text_size;
  const u8* tokens;
  const u32* places;
  NumberBits* values;
  u32* rest;  ///< tokens whose numbers the pass left to the exact way; room for half of the tokens
  u32 rest_count = 0;
};

/// True of a token that begins a number.
inline bool is_number_token(u8 token) { return static_cast<u8>(token - '0') < 10 || token == '-'; }

}  // namespace sluice::kernel
