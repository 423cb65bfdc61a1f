#pragma once

#include "kernel/streams.h"

namespace sluice::kernel {

/// A bracket that is open, and how many tokens before it were not hidden.
struct OpenBracket {
  u32 token;
  u32 seen;
};

/// Arrays over all tokens of a text, and where the index pass goes on in them.
///
///     text      {"a":[7,8],"b":[[]]}
///     number    0    1    2    3    4    5    6    7    8    9    10   11   12   13   14   15
///     tokens    {    "    :    [    7    ,    8    ]    ,    "    :    [    [    ]    ]    }
///     places    0    1    4    5    6    7    8    9    10   11   14   15   16   17   18   19
///     links     15   (2)       7    (2)            3              14   13   12   11   0
///
/// `links` of a bracket is the token that closes or opens it; (n) is the number of values in a
/// container, kept where no bracket needs the slot (see `count_slot`).
struct IndexCarry {
  u8* tokens;
  u32* places;
  u32* links;
  OpenBracket* open;       ///< from 1 on; with room for all that the next chunk may open
  OpenBracket inner = {};  ///< open[depth]: what is stored last is slow to load
  u32 count = 0;           ///< tokens written
  u32 depth = 0;
  u32 hidden = 0;  ///< tokens that are in closed containers
};

/// Where the number of values in the container at `opener` is kept once it is closed: with the
/// first token in it, or, when that is an opener too, with the comma behind its value. When that
/// token turns out to be a closer, the number is not kept: an empty container has no first token,
/// and one value has no comma behind it.
inline u32 count_slot(const u8* tokens, const u32* links, u32 opener) {
  const u32 first = opener + 1;
  const bool nested = (tokens[first] | 0x20) == '{';  // [ becomes {
  return nested ? links[first] + 1 : first;
}

}  // namespace sluice::kernel
