#pragma once

#include <cstddef>
#include <cstdint>

#include "kernel/streams.h"

/// Records that are alike are not checked token by token: their tokens equal, but for the kinds of
/// values, those of a record that was. The grammar cannot tell a string from a number or literal.
namespace sluice::kernel {

/// Tokens of a shape, its newline included.
inline constexpr u32 kShapeTokens = 256;

/// Stands for any string, number or literal that is a value, in a shape's tokens.
inline constexpr u8 kAnyValue = 's';

/// Up to 32 bytes of a key, quotes included: what stands `offset` bytes behind token `token`.
struct KeyPiece {
  u8 token;
  u8 size;
  u16 offset;
  u8 bytes[32];
};

/// Where a field that is there stands: from token `first` to before token `behind`.
struct FieldPlace {
  u16 field;
  u8 first;
  u8 behind;
};

struct Shape {
  /// {":s," :[s,s]}\n and zeros behind; a quote is a key.
  alignas(64) u8 tokens[kShapeTokens];
  u32 token_count = 0;
  /// All keys of the objects in which fields are looked for, so that no repeated one can hide.
  /// The heads come first; a tail, the rest of a key longer than 32 bytes, behind its head.
  const KeyPiece* keys = nullptr;
  u32 head_count = 0;
  u32 tail_count = 0;
  const FieldPlace* fields = nullptr;
  u32 field_count = 0;
  const u64* presence = nullptr;
};

/// A run of the replay pass over the complete lines in the token streams.
struct Replay {
  const u8* text;  ///< 64 bytes readable behind its end
  const u8* tokens;
  const u16* places;
  u32 token_count;
  u32 base;  ///< where place 0 is in the text
  u32 presence_words;
  u32 field_count;
  const Shape* shapes;
  u32 shape_count;
  const Shape* likely;  ///< the shape of the last record; may be null

  u32 line;       ///< in and out: start of the next line in the text
  u64* row;       ///< in and out: the next row (json/scan.h draws one)
  u32 rows_left;  ///< in and out
};

}  // namespace sluice::kernel
