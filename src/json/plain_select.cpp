#include "json/plain_select.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "json/unescape.h"

namespace sluice::json {
namespace {

/// Where a value stands in the record.
struct Range {
  std::uint32_t start = 0;
  std::uint32_t end = 0;
};

/// Walks over a valid text; each function takes a position and returns the one behind what it
/// names. Nothing is checked again, only what belongs to valid texts is told apart.
class Walk {
 public:
  explicit Walk(std::span<const std::uint8_t> text) : text_(text) {}

  std::uint8_t at(std::uint32_t position) const { return text_[position]; }

  std::uint32_t blanks(std::uint32_t position) const {
    constexpr std::string_view kBlanks = " \t\r\n";
    while (position < text_.size() && kBlanks.contains(static_cast<char>(text_[position]))) {
      ++position;
    }
    return position;
  }

  std::uint32_t string(std::uint32_t position) const {
    for (++position; text_[position] != '"'; ++position) {
      if (text_[position] == '\\') ++position;
    }
    return position + 1;
  }

  /// Brackets are counted, not matched: the text is valid.
  std::uint32_t value(std::uint32_t position) const {
    std::uint32_t depth = 0;
    do {
      const std::uint8_t byte = text_[position];
      if (byte == '"') {
        position = string(position);
      } else if (is_scalar(byte)) {
        position = scalar(position);
      } else {
        if (byte == '[' || byte == '{') ++depth;
        if (byte == ']' || byte == '}') --depth;
        ++position;
      }
    } while (depth > 0);
    return position;
  }

  std::span<const std::uint8_t> bytes(Range range) const {
    return text_.subspan(range.start, range.end - range.start);
  }

 private:
  static bool is_scalar(std::uint8_t byte) {
    constexpr std::string_view kOthers = " \t\r\n,:[]{}\"";
    return !kOthers.contains(static_cast<char>(byte));
  }

  std::uint32_t scalar(std::uint32_t position) const {
    while (position < text_.size() && is_scalar(text_[position])) ++position;
    return position;
  }

  std::span<const std::uint8_t> text_;
};

/// Is `token` what stands between a key's quotes, decoded? Decodes a few bytes at a time, so that
/// a key of any size needs no memory.
bool key_equals(std::span<const std::uint8_t> raw, std::string_view token) {
  std::uint8_t decoded[64];
  while (!raw.empty()) {
    const Unescaped step = unescape(raw, decoded);
    const std::string_view piece(reinterpret_cast<const char*>(decoded), step.written);
    if (step.read == 0 || !token.starts_with(piece)) return false;
    raw = raw.subspan(step.read);
    token.remove_prefix(piece.size());
  }
  return token.empty();
}

/// An array index of RFC 6901: decimal digits without a leading zero. "-" names no element.
std::optional<std::uint64_t> array_index(std::string_view token) {
  constexpr std::size_t kDigitsMax = 10;  // more than any record has bytes
  if (token.empty() || token.size() > kDigitsMax) return std::nullopt;
  if (token[0] == '0' && token.size() > 1) return std::nullopt;
  std::uint64_t index = 0;
  for (const char digit : token) {
    if (digit < '0' || digit > '9') return std::nullopt;
    index = index * 10 + static_cast<std::uint64_t>(digit - '0');
  }
  return index;
}

/// The last member of that name, so that an earlier one, and all below it, is forgotten.
std::optional<Range> find_member(const Walk& walk, Range object, std::string_view token) {
  std::optional<Range> found;
  std::uint32_t position = walk.blanks(object.start + 1);
  while (walk.at(position) != '}') {
    const Range key{position, walk.string(position)};
    const std::uint32_t colon = walk.blanks(key.end);
    const std::uint32_t start = walk.blanks(colon + 1);
    const Range value{start, walk.value(start)};
    if (key_equals(walk.bytes({key.start + 1, key.end - 1}), token)) found = value;
    position = walk.blanks(value.end);
    if (walk.at(position) == ',') position = walk.blanks(position + 1);
  }
  return found;
}

std::optional<Range> find_element(const Walk& walk, Range array, std::string_view token) {
  const std::optional<std::uint64_t> wanted = array_index(token);
  if (!wanted) return std::nullopt;
  std::uint32_t position = walk.blanks(array.start + 1);
  for (std::uint64_t index = 0; walk.at(position) != ']'; ++index) {
    const Range value{position, walk.value(position)};
    if (index == *wanted) return value;
    position = walk.blanks(value.end);
    if (walk.at(position) == ',') position = walk.blanks(position + 1);
  }
  return std::nullopt;
}

std::optional<Range> find(const Walk& walk, Range value, const Pointer& pointer) {
  for (const std::string& token : pointer.tokens()) {
    std::optional<Range> below;
    if (walk.at(value.start) == '{') below = find_member(walk, value, token);
    if (walk.at(value.start) == '[') below = find_element(walk, value, token);
    if (!below) return std::nullopt;
    value = *below;
  }
  return value;
}

}  // namespace

void plain_select(std::span<const std::uint8_t> record, const Selection& selection,
                  std::uint64_t* row) {
  const std::size_t fields = selection.size();
  std::fill_n(row, row_words(fields), 0);
  row[0] = pack_range(0, static_cast<std::uint32_t>(record.size()));
  const Walk walk(record);
  const std::uint32_t start = walk.blanks(0);
  const Range whole{start, walk.value(start)};
  for (std::size_t field = 0; field < fields; ++field) {
    const std::optional<Range> found = find(walk, whole, selection.pointers()[field]);
    if (!found) continue;
    row[1 + field / 64] |= std::uint64_t{1} << field % 64;
    row[1 + presence_words(fields) + field] = pack_range(found->start, found->end - found->start);
  }
}

}  // namespace sluice::json
