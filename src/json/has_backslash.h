#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace sluice::json {

/// The top bit of each byte of `word` that is a backslash; by mistake also of bytes behind such a
/// one, so the first is right and so is none. (Bytes made 0 are found by the borrow of a
/// subtraction.)
inline std::uint64_t backslash_bits(std::uint64_t word) {
  constexpr std::uint64_t kEach = 0x0101010101010101u;
  const std::uint64_t other = word ^ kEach * '\\';
  return (other - kEach) & ~other & kEach * 0x80;
}

/// True when a string's text has an escape. Strings are short and this stands in every loop, so it
/// is here rather than behind a call; sixteen bytes a step is what every machine has. Long ones are
/// for the C library, which takes four times as many a step where it can.
inline bool has_backslash(std::string_view text) {
  using Lanes [[gnu::vector_size(16)]] = unsigned char;
  using Words [[gnu::vector_size(16)]] = std::uint64_t;
  const auto any_in = [](const char* at) {
    Lanes bytes;
    std::memcpy(&bytes, at, sizeof bytes);
    const Words equal = reinterpret_cast<Words>(bytes == static_cast<unsigned char>('\\'));
    return (equal[0] | equal[1]) != 0;
  };
  const char* at = text.data();
  const char* const end = at + text.size();
  if (text.size() >= 8 * sizeof(Lanes)) {
    return std::memchr(text.data(), '\\', text.size()) != nullptr;
  }
  if (text.size() >= sizeof(Lanes)) {
    for (; end - at > static_cast<std::ptrdiff_t>(sizeof(Lanes)); at += sizeof(Lanes)) {
      if (any_in(at)) return true;
    }
    return any_in(end - sizeof(Lanes));
  }
  const auto any_in_word = [](const char* first) {
    std::uint64_t word;
    std::memcpy(&word, first, sizeof word);
    return backslash_bits(word) != 0;
  };
  if (text.size() >= 8) return any_in_word(at) || any_in_word(end - 8);
  for (; at != end; ++at) {
    if (*at == '\\') return true;
  }
  return false;
}

/// The same, where bytes up to `readable_end` may be read: short strings, whose sizes no machine
/// can foresee, without a branch on their size.
inline bool has_backslash(std::string_view text, const char* readable_end) {
  if (text.size() > 8 || readable_end - text.data() < 8) return has_backslash(text);
  std::uint64_t word;
  std::memcpy(&word, text.data(), sizeof word);
  return !text.empty() && backslash_bits(word) << (64 - 8 * text.size()) != 0;
}

}  // namespace sluice::json
