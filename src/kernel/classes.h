#pragma once

#include "kernel/streams.h"

/// What a kernel tells of 64 bytes at once, a bit each. A kernel with a large table finds all
/// classes by one look-up, the others by a comparison a class; the passes ask for all of them.
namespace sluice::kernel {

/// Bytes outside ASCII are scalars or structure or both.
struct TextClasses {
  u64 structure;  ///< { } [ ] : comma, a newline where it is a token; perhaps some controls
  u64 scalar;     ///< what may stand in a number or literal, and some bytes that may stand nowhere
  u64 odd;        ///< what may not stand in a string as ASCII: 00 to 1F, 80 to FF
  u64 solid;      ///< of the odd ones, all but the blanks; of others any
};

/// Of what stands behind the u of escapes, where these are; of other bytes anything. Up to 4 bytes
/// beyond the block are looked at.
struct UnitDigits {
  u64 hex;          ///< four hex digits
  u64 first_d;      ///< first a D, so a surrogate
  u64 second_high;  ///< then 8 to B
  u64 second_low;   ///< then C to F
};

/// Of a stream of scalars; bytes outside ASCII are in any class or none.
struct ScalarClasses {
  u64 ends;  ///< what ends a scalar: structure, blanks, the quote
  u64 digits;
  u64 zeros;
  u64 dots;
  u64 minus;
  u64 signs;      ///< plus and minus
  u64 exponents;  ///< e and E
};

/// Of tokens: brackets, and what wants one kind of bracket around it.
struct BracketMasks {
  u64 brackets;
  u64 opens;
  u64 objects;  ///< the brackets { and }
  u64 wants_object;
  u64 wants_array;
  u64 wants_any;
  u64 wants_none;
};

}  // namespace sluice::kernel
