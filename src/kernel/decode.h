#pragma once

#include <cstddef>
#include <cstring>

#include "kernel/streams.h"

namespace sluice::kernel {

/// How far a decode pass came.
struct Decoded {
  std::size_t read = 0;
  std::size_t written = 0;
};

/// What a backslash makes of the letter behind it; the u apart.
constexpr u8 escaped_letter(u8 letter) {
  switch (letter) {
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return letter;
  }
}

/// The value of a hexadecimal digit; above 0xF for any other byte.
constexpr u8 hex_value(u8 byte) {
  if (byte >= '0' && byte <= '9') return static_cast<u8>(byte - '0');
  const u8 letter = byte | 0x20;
  return letter >= 'a' && letter <= 'f' ? static_cast<u8>(letter - 'a' + 10) : 0x80;
}

/// Room that must be left behind a step of a decode pass, for the rest of a character that the
/// step cut. To go back instead would spoil text that is decoded where it stands.
inline constexpr std::ptrdiff_t kCharacterRest = 3;

/// Copies what is left of a character that a step cut.
inline void finish_character(const u8*& from, const u8* end, u8*& to) {
  for (std::ptrdiff_t i = 0; i < kCharacterRest && from != end && (*from & 0xC0) == 0x80; ++i) {
    *to++ = *from++;
  }
}

/// A step of the portable decode pass in eight bytes.
struct WordStep {
  static constexpr std::size_t kBytes = 8;
  static constexpr u32 kBits = 8;  ///< a byte in `backslashes`

  u64 word;

  static WordStep load(const u8* from) {
    WordStep step;
    std::memcpy(&step.word, from, sizeof step.word);
    return step;
  }
  void store(u8* to) const { std::memcpy(to, &word, sizeof word); }
  /// The top bit of every backslash, and perhaps of bytes above one.
  u64 backslashes() const {
    constexpr u64 kOnes = 0x0101010101010101u;
    const u64 other = word ^ kOnes * '\\';
    return (other - kOnes) & ~other & kOnes * 0x80;
  }
};

}  // namespace sluice::kernel
