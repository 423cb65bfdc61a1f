#pragma once

#include <cstdint>

/// What single bytes are in JSON, for the places that look at one at a time; the kernels have
/// their own classes, of 64 at once.
namespace sluice::json {

constexpr bool is_blank(std::uint8_t byte) {
  return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

/// A newline is the end of a line, not a blank in it.
constexpr bool is_blank_in_line(std::uint8_t byte) { return byte != '\n' && is_blank(byte); }

constexpr bool is_digit(std::uint8_t byte) { return byte >= '0' && byte <= '9'; }

/// Whether a number or literal cannot go on with this byte.
constexpr bool ends_scalar(std::uint8_t byte) {
  switch (byte) {
    case '{':
    case '}':
    case '[':
    case ']':
    case ':':
    case ',':
    case '"':
      return true;
    default:
      return is_blank(byte);
  }
}

}  // namespace sluice::json
