#pragma once

#include <cstddef>
#include <string_view>

namespace sluice::json {

/// Bytes of the character that `text` begins with, 0 when it is ill-formed (RFC 3629: overlong, a
/// surrogate, beyond U+10FFFF, cut short). A byte at a time; for where the fast check said no.
/// Requires: not empty.
inline std::size_t character_size(std::string_view text) {
  const auto byte = [&](std::size_t index) { return static_cast<unsigned char>(text[index]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  const std::size_t size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (text.size() < size) return 0;
  // Behind these leads the second byte has narrower bounds.
  const unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (byte(1) < low || byte(1) > high) return 0;
  for (std::size_t index = 2; index < size; ++index) {
    if ((byte(index) & 0xC0) != 0x80) return 0;
  }
  return size;
}

}  // namespace sluice::json
