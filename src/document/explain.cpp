#include "document/explain.h"

#include <algorithm>
#include <cstdint>
#include <span>

#include "json/error_text.h"
#include "json/utf8.h"

namespace sluice::json {
namespace {

/// Columns of text shown before and behind the place.
constexpr std::size_t kBefore = 50;
constexpr std::size_t kBehind = 26;
constexpr std::size_t kPointerMax = 160;
constexpr std::string_view kMargin = "  ";
constexpr std::string_view kCut = "...";

std::uint8_t byte_at(std::string_view text, std::size_t at) {
  return static_cast<std::uint8_t>(text[at]);
}

bool is_continuation(std::string_view text, std::size_t at) {
  return (byte_at(text, at) & 0xC0) == 0x80;
}

/// One character: its size in bytes and its code point; 0 for what is no UTF-8, of one byte.
struct Character {
  std::size_t size = 1;
  std::uint32_t code = 0;
};

Character character_at(std::string_view text, std::size_t at) {
  const std::size_t size = character_size(text.substr(at));
  if (size == 0) return {};
  const std::uint8_t lead = byte_at(text, at);
  std::uint32_t code = size == 1 ? lead : lead & (0xFFu >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) code = code << 6 | (byte_at(text, at + i) & 0x3Fu);
  return {size, code};
}

/// Controls, and what turns or hides text (Unicode's bidirectional controls and joiners).
bool is_harmless(std::uint32_t code) {
  if (code < 0x20 || (code >= 0x7F && code < 0xA0)) return false;
  const bool turns = (code >= 0x200B && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
                     (code >= 0x2060 && code <= 0x206F) || code == 0xFEFF || code == 0x061C;
  return !turns;
}

/// A piece of a line as it can be shown; every character becomes one.
struct Shown {
  std::string text;
  std::size_t caret = 0;  ///< characters before the place
};

Shown shown_piece(std::string_view line, std::size_t from, std::size_t to, std::size_t place) {
  Shown shown;
  for (std::size_t at = from; at < to;) {
    const Character character = character_at(line, at);
    if (at + character.size <= place) ++shown.caret;
    if (character.code == '\t') {
      shown.text += ' ';
    } else if (is_harmless(character.code)) {
      shown.text += line.substr(at, character.size);
    } else {
      shown.text += '.';
    }
    at += character.size;
  }
  return shown;
}

/// The line, or what is around its byte `place`, and a caret below.
std::string shown_place(std::string_view line, std::size_t place) {
  std::size_t from = place > kBefore ? place - kBefore : 0;
  std::size_t to = std::min(line.size(), place + kBehind);
  while (from > 0 && from < place && is_continuation(line, from)) ++from;
  while (to > place && to < line.size() && is_continuation(line, to)) --to;
  const Shown shown = shown_piece(line, from, to, place);
  const std::string_view before = from > 0 ? kCut : "";
  const std::string_view behind = to < line.size() ? kCut : "";
  std::string out = "\n";
  out.append(kMargin).append(before).append(shown.text).append(behind).append("\n");
  out.append(kMargin.size() + before.size() + shown.caret, ' ');
  return out + '^';
}

/// The line that holds byte `offset`, which is its `column`.
std::string_view line_around(std::string_view text, std::size_t offset, std::size_t column) {
  const std::size_t start = offset - (column - 1);
  std::string_view line = text.substr(start);
  line = line.substr(0, line.find('\n'));
  if (line.ends_with('\r') && offset + 1 < start + line.size()) line.remove_suffix(1);
  return line;
}

std::string harmless(std::string_view text) { return shown_piece(text, 0, text.size(), 0).text; }

/// The end of a pointer that is too long to be read.
std::string shown_pointer(const std::string& pointer) {
  std::size_t from = pointer.size() > kPointerMax ? pointer.size() - kPointerMax : 0;
  while (from > 0 && from < pointer.size() && is_continuation(pointer, from)) ++from;
  return std::string(from > 0 ? kCut : "") + harmless(std::string_view(pointer).substr(from));
}

bool has_place(ErrorCode code) {
  switch (code) {
    case ErrorCode::json_syntax:
    case ErrorCode::json_utf8:
    case ErrorCode::json_depth:
    case ErrorCode::json_duplicate:
    case ErrorCode::json_type:
    case ErrorCode::json_field:
    case ErrorCode::json_missing:
    case ErrorCode::json_range:
    case ErrorCode::patch_syntax:
    case ErrorCode::patch_target:
    case ErrorCode::patch_test:
      return true;
    default:
      return false;
  }
}

std::string sentence(const Error& error, std::string_view text, const FaultNames& names) {
  if (!names.missing.empty()) {
    const std::string missing = "the member \"" + harmless(names.missing) + "\" is missing";
    if (names.nearest.empty()) return missing;
    return missing + "; there is \"" + harmless(names.nearest) + "\"";
  }
  const std::string found =
      harmless(describe(error, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}));
  if (names.nearest.empty()) return found;
  return found + "; \"" + harmless(names.nearest) + "\" was perhaps meant";
}

std::string prefix(std::string_view name, const Location& location) {
  const std::string line = std::to_string(location.line);
  const std::string column = std::to_string(location.column);
  if (name.empty()) return "line " + line + ", column " + column + ": ";
  return harmless(name) + ":" + line + ":" + column + ": ";
}

}  // namespace

std::string explain(const Error& error, std::string_view text, std::string_view name,
                    const FaultNames& names) {
  if (!has_place(error.code)) {
    const std::string before = name.empty() ? std::string() : harmless(name) + ": ";
    return before + error_text(error.code) + " (" + error_name(error.code) + ")";
  }
  const std::size_t offset = std::min<std::uint64_t>(error.offset, text.size());
  const Location location = locate(text, offset);
  const std::string pointer = shown_pointer(pointer_at(text, offset));
  std::string out = prefix(name, location);
  out += sentence(error, text, names);
  out.append(" (").append(error_name(error.code)).append(", byte ").append(std::to_string(offset));
  out.append(pointer.empty() ? "" : ", at ").append(pointer).append(")");
  return out + shown_place(line_around(text, offset, location.column), location.column - 1);
}

}  // namespace sluice::json
