#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace sluice::json {

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
  // Lanes that become 0 by the exclusive or are found by the borrow of a subtraction.
  const auto any_in_word = [](const char* first) {
    std::uint64_t word;
    std::memcpy(&word, first, sizeof word);
    word ^= 0x5C5C5C5C5C5C5C5Cu;
    return ((word - 0x0101010101010101u) & ~word & 0x8080808080808080u) != 0;
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
  word ^= 0x5C5C5C5C5C5C5C5Cu;
  // A byte that is found by mistake stands behind one that is found rightly.
  const std::uint64_t found = (word - 0x0101010101010101u) & ~word & 0x8080808080808080u;
  return !text.empty() && found << (64 - 8 * text.size()) != 0;
}

}  // namespace sluice::json
