#pragma once

#include <array>

#include "kernel/streams.h"

/// What the escape pass makes of the bytes that a JSON string cannot hold as they are.
namespace sluice::kernel {

/// An escape's text from the lowest byte on, and its size in the highest.
using Escape = u64;

inline constexpr u32 kEscapeBytes = 6;   ///< of the longest, \u001f
inline constexpr u32 kEscapeSlack = 64;  ///< bytes that are written behind the end
inline constexpr u32 escape_size(Escape escape) { return static_cast<u32>(escape >> 56); }

/// Entry b: the escape of the byte b; 0 for bytes that need none. The short forms where there are
/// any, as ECMAScript's JSON.stringify has them.
inline constexpr auto kEscapes = [] {
  constexpr char kHex[] = "0123456789abcdef";
  const auto pack = [](const char* text, u32 size) {
    Escape escape = static_cast<Escape>(size) << 56;
    for (u32 i = 0; i < size; ++i) {
      escape |= static_cast<Escape>(static_cast<u8>(text[i])) << (8 * i);
    }
    return escape;
  };
  std::array<Escape, 256> escapes{};
  for (u32 byte = 0; byte < 0x20; ++byte) {
    const char text[] = {'\\', 'u', '0', '0', kHex[byte >> 4], kHex[byte & 15]};
    escapes[byte] = pack(text, kEscapeBytes);
  }
  escapes['\b'] = pack("\\b", 2);
  escapes['\t'] = pack("\\t", 2);
  escapes['\n'] = pack("\\n", 2);
  escapes['\f'] = pack("\\f", 2);
  escapes['\r'] = pack("\\r", 2);
  escapes['"'] = pack("\\\"", 2);
  escapes['\\'] = pack("\\\\", 2);
  return escapes;
}();

/// Where an escape pass ended.
struct EscapeEnd {
  u8* out;          ///< behind what was written
  bool ill_formed;  ///< the text is not UTF-8; what was written has no meaning
};

}  // namespace sluice::kernel
