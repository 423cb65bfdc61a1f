#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// For tests: strings decoded a character at a time, by RFC 8259, section 7.
namespace sluice::json {

inline std::uint32_t naive_unit(std::string_view digits) {
  return static_cast<std::uint32_t>(std::stoul(std::string(digits.substr(0, 4)), nullptr, 16));
}

inline void append_naive_utf8(std::string& out, std::uint32_t code) {
  const auto add = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) return add(code);
  if (code < 0x800) {
    add(0xC0 + code / 64);
  } else {
    if (code < 0x10000) {
      add(0xE0 + code / 4096);
    } else {
      add(0xF0 + code / 262144);
      add(0x80 + code / 4096 % 64);
    }
    add(0x80 + code / 64 % 64);
  }
  add(0x80 + code % 64);
}

/// What a valid string's inside means.
inline std::string naive_decode(std::string_view body) {
  std::string out;
  for (std::size_t at = 0; at < body.size(); ++at) {
    if (body[at] != '\\') {
      out += body[at];
      continue;
    }
    const char letter = body[++at];
    const std::size_t simple = std::string_view("bfnrt").find(letter);
    if (letter != 'u') {
      out += simple == std::string_view::npos ? letter : "\b\f\n\r\t"[simple];
      continue;
    }
    std::uint32_t code = naive_unit(body.substr(at + 1));
    at += 4;
    if (code >= 0xD800 && code < 0xDC00) {
      code = 0x10000 + (code - 0xD800) * 1024 + naive_unit(body.substr(at + 3)) - 0xDC00;
      at += 6;
    }
    append_naive_utf8(out, code);
  }
  return out;
}

}  // namespace sluice::json
