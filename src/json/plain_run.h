#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace sluice::json {

/// Bytes that stand for themselves inside a string and need no state: printable ASCII but the
/// quote and the backslash.
inline bool is_plain(std::uint8_t byte) {
  return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

/// The top bit of each byte that is not plain. A borrow may also mark a byte above a marked one;
/// the run is then cut there and read byte by byte, so that is harmless.
inline std::uint64_t not_plain(std::uint64_t word) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  constexpr std::uint64_t kTops = 0x8080808080808080;
  const std::uint64_t quote = word ^ kOnes * '"';
  const std::uint64_t backslash = word ^ kOnes * '\\';
  return ((word - kOnes * 0x20) | (quote - kOnes) | (backslash - kOnes) | word) & kTops;
}

/// How many bytes at the start of `text` are plain.
inline std::size_t plain_run(std::span<const std::uint8_t> text) {
  std::size_t size = 0;
  for (; size + 8 <= text.size(); size += 8) {
    std::uint64_t word;
    std::memcpy(&word, text.data() + size, sizeof word);
    if (not_plain(word) != 0) break;
  }
  while (size < text.size() && is_plain(text[size])) ++size;
  return size;
}

}  // namespace sluice::json
