#pragma once

#include "kernel/streams.h"

namespace sluice::kernel {

/// What the compact pass takes from one piece of a text to the next.
struct CompactCarry {
  u64 in_string = 0;  ///< all bits set inside a string
  u64 escaped = 0;    ///< 1 behind a backslash
};

/// Bytes that the compact pass may write behind its end.
inline constexpr u32 kCompactSlack = 64;

}  // namespace sluice::kernel
