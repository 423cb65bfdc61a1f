#include "json/unescape.h"

#include <algorithm>
#include <cstring>

#include "kernel/kernel.h"

namespace sluice::json {
namespace {

using Bytes = std::span<const std::uint8_t>;

/// For what is no code unit.
constexpr std::uint32_t kNoUnit = 0x10000;

bool is_continuation(std::uint8_t byte) { return (byte & 0xC0) == 0x80; }
bool is_high_surrogate(std::uint32_t code) { return (code & ~0x3FFu) == 0xD800; }
bool is_low_surrogate(std::uint32_t code) { return (code & ~0x3FFu) == 0xDC00; }

/// A nonzero bit for every backslash in `word`, and perhaps for bytes above one.
std::uint64_t backslashes(std::uint64_t word) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  const std::uint64_t difference = word ^ kOnes * '\\';
  return (difference - kOnes) & ~difference & kOnes * 0x80;
}

/// Copies up to `limit` bytes that stand for themselves and returns how many. Only words without a
/// backslash are stored whole: decoding over the text itself must not touch what is still unread.
std::size_t copy_plain(const std::uint8_t* from, std::size_t limit, std::uint8_t* to) {
  std::size_t size = 0;
  for (; size + 8 <= limit; size += 8) {
    std::uint64_t word;
    std::memcpy(&word, from + size, sizeof word);
    if (backslashes(word) != 0) break;
    std::memcpy(to + size, &word, sizeof word);
  }
  for (; size < limit && from[size] != '\\'; ++size) to[size] = from[size];
  return size;
}

/// The plain bytes in front of the next backslash, as many whole characters as `out` holds.
Unescaped take_plain(Bytes raw, std::span<std::uint8_t> out) {
  const std::size_t limit = std::min(raw.size(), out.size());
  std::size_t size = copy_plain(raw.data(), limit, out.data());
  if (size == out.size() && size < raw.size()) {
    while (size > 0 && is_continuation(raw[size])) --size;
  }
  return {size, size};
}

/// The four digits behind \u at `at`; kNoUnit where the text is too short or not hexadecimal.
std::uint32_t code_unit(Bytes raw, std::size_t at) {
  if (raw.size() < at + 6 || raw[at] != '\\' || raw[at + 1] != 'u') return kNoUnit;
  std::uint32_t unit = 0;
  for (const std::uint8_t digit : raw.subspan(at + 2, 4)) {
    const std::uint8_t value = kernel::hex_value(digit);
    if (value > 0xF) return kNoUnit;
    unit = unit << 4 | value;
  }
  return unit;
}

std::size_t utf8_size(std::uint32_t code) {
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

std::uint8_t continuation(std::uint32_t code, unsigned shift) {
  return static_cast<std::uint8_t>(0x80 | (code >> shift & 0x3F));
}

void write_utf8(std::uint32_t code, std::size_t size, std::uint8_t* to) {
  switch (size) {
    case 1:
      to[0] = static_cast<std::uint8_t>(code);
      break;
    case 2:
      to[0] = static_cast<std::uint8_t>(0xC0 | code >> 6);
      to[1] = continuation(code, 0);
      break;
    case 3:
      to[0] = static_cast<std::uint8_t>(0xE0 | code >> 12);
      to[1] = continuation(code, 6);
      to[2] = continuation(code, 0);
      break;
    default:
      to[0] = static_cast<std::uint8_t>(0xF0 | code >> 18);
      to[1] = continuation(code, 12);
      to[2] = continuation(code, 6);
      to[3] = continuation(code, 0);
  }
}

Unescaped take_unicode(Bytes raw, std::span<std::uint8_t> out) {
  std::uint32_t code = code_unit(raw, 0);
  std::size_t read = 6;
  if (is_high_surrogate(code)) {
    const std::uint32_t low = code_unit(raw, 6);
    if (!is_low_surrogate(low)) return {};
    code = 0x10000 + ((code & 0x3FF) << 10 | (low & 0x3FF));
    read = 12;
  } else if (code > 0xFFFF || is_low_surrogate(code)) {
    return {};
  }
  const std::size_t written = utf8_size(code);
  if (written > out.size()) return {};
  write_utf8(code, written, out.data());
  return {read, written};
}

Unescaped take_escape(Bytes raw, std::span<std::uint8_t> out) {
  if (raw.size() < 2 || out.empty()) return {};
  if (raw[1] == 'u') return take_unicode(raw, out);
  out[0] = kernel::escaped_letter(raw[1]);
  return {2, 1};
}

/// What the decode pass of a kernel leaves: surrogates, and the ends of text and room.
Unescaped take_step(Bytes raw, std::span<std::uint8_t> out) {
  return raw[0] == '\\' ? take_escape(raw, out) : take_plain(raw, out);
}

}  // namespace

Unescaped unescape(Bytes raw, std::span<std::uint8_t> out) {
  const kernel::Kernel& kernel = kernel::active();
  Unescaped done;
  while (done.read < raw.size()) {
    const Bytes rest = raw.subspan(done.read);
    const std::span<std::uint8_t> room = out.subspan(done.written);
    const kernel::Decoded fast = kernel.decode(rest.data(), rest.size(), room.data(), room.size());
    done.read += fast.read;
    done.written += fast.written;
    if (fast.read == rest.size()) break;
    const Unescaped step = take_step(rest.subspan(fast.read), room.subspan(fast.written));
    if (step.read == 0) break;
    done.read += step.read;
    done.written += step.written;
  }
  return done;
}

}  // namespace sluice::json
