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
  alignas(32) u8 bytes[32] = {};  ///< zeros behind the key
  u8 mask[32] = {};               ///< all ones for every byte of the key
  u16 offset = 0;
  u8 token = 0;
};

/// Heads of keys are compared so many at a time: where shapes take turns at random, a loop whose
/// count differs from shape to shape is mispredicted once a record. What is missing to a multiple
/// is made up by pieces without bytes, which are equal to everything.
inline constexpr u32 kHeadsAtOnce = 4;

/// Where a field stands: from token `first` to before token `behind`. Of an absent one the range is
/// masked to 0, without a branch.
struct FieldPlace {
  u64 mask = 0;  ///< all ones when it is there
  u8 first = 0;
  u8 behind = 1;
};

struct Shape {
  /// {":s," :[s,s]}\n and zeros behind; a quote is a key.
  alignas(64) u8 tokens[kShapeTokens];
  u32 token_count = 0;
  /// All keys of the objects in which fields are looked for, so that no repeated one can hide.
  /// The heads come first, a multiple of kHeadsAtOnce; a tail, the rest of a key longer than 32
  /// bytes, behind its head.
  const KeyPiece* keys = nullptr;
  u32 key_count = 0;
  u32 head_count = 0;
  u32 tail_count = 0;
  const FieldPlace* fields = nullptr;  ///< of every field
  const u64* presence = nullptr;
  const Shape* next = nullptr;  ///< another one in the same slot
};

/// Slots of a table of shapes.
inline constexpr u32 kShapeSlots = 128;

/// Where shapes of `count` tokens are, of which `opens` says where brackets open: bit i is token i,
/// of the first 64. Where members change places, this is what tells most shapes apart.
inline u32 shape_slot(u32 count, u64 opens) {
  return (static_cast<u32>(opens * 0x9E3779B97F4A7C15u >> 57) ^ count) % kShapeSlots;
}

/// Names that members are looked up by, where a record's shape is known and its keys have changed
/// places.
inline constexpr u32 kNamesMax = 8;

/// A run of the replay pass over the complete lines in the token streams.
struct Replay {
  const u8* text;  ///< 64 bytes readable behind its end
  const u8* tokens;
  const u16* places;
  u32 token_count;
  u32 base;  ///< where place 0 is in the text
  u32 presence_words;
  u32 field_count;
  /// The shapes by their slots, null where there are none; or null, when only the likely shape is
  /// to be tried.
  const Shape* const* shapes;
  /// The names of the fields in their order, when each is a member of the record itself, its name
  /// fits into one piece and there are few; else null.
  const KeyPiece* names;

  u32 line;             ///< in and out: start of the next line in the text
  u64* row;             ///< in and out: the next row (json/scan.h draws one)
  const Shape* likely;  ///< in and out: the shape of the last record; may be null
  u32 rows_left;        ///< in and out
};

}  // namespace sluice::kernel
