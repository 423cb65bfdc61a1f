#include "document/decoded_strings.h"

#include <cstring>
#include <new>
#include <span>

#include "json/error_text.h"
#include "json/unescape.h"

namespace sluice::json {
namespace {

constexpr Error kNoText = {.code = ErrorCode::json_type,
                           .detail = static_cast<std::uint16_t>(Expected::string)};

/// In front of the characters of a string.
constexpr std::size_t kSizeBytes = sizeof(std::uint32_t);

std::uint32_t size_of(const char* text) {
  std::uint32_t size;
  std::memcpy(&size, text - kSizeBytes, kSizeBytes);
  return size;
}

/// Stands for a string that has no text.
constexpr const char* kUndecodable = "";

/// Whether decoding may bring a backslash. A text decoded over itself must have none left: it
/// would be decoded again.
bool may_mean_backslash(std::string_view body) {
  return body.contains("\\\\") || body.contains("\\u005");
}

/// Moves the closing quote up to the decoded text and fills the rest with blanks: whoever looks
/// for the string's end from the next token back finds it there.
std::string_view close_behind(std::string_view body, char* place, std::size_t decoded) {
  std::memset(place + decoded, ' ', body.size() + 1 - decoded);
  place[decoded] = '"';
  return {place, decoded};
}

}  // namespace

std::optional<std::size_t> decode_string(std::string_view body, char* to) {
  const std::span from(reinterpret_cast<const std::uint8_t*>(body.data()), body.size());
  const Unescaped done = unescape(from, {reinterpret_cast<std::uint8_t*>(to), body.size()});
  if (done.read != body.size()) return std::nullopt;
  return done.written;
}

Result<std::string_view> DecodedStrings::get(std::uint32_t token, std::string_view body,
                                             char* writable) {
  if (writable != nullptr && !may_mean_backslash(body)) {
    const std::optional<std::size_t> size = decode_string(body, writable);
    return size ? Result<std::string_view>(close_behind(body, writable, *size)) : kNoText;
  }
  try {
    Entry& text = entry_of(token);
    if (text == nullptr) text = decode(body);
    if (text == kUndecodable) [[unlikely]]
      return kNoText;
    return std::string_view(text, size_of(text));
  } catch (const std::bad_alloc&) {
    return Error{.code = ErrorCode::out_of_memory};
  }
}

DecodedStrings::Entry* DecodedStrings::make_page(std::size_t page) {
  if (page >= pages_.size()) pages_.resize(page + 1);
  void* const memory = arena_.take(kPageEntries * sizeof(Entry));
  return pages_[page] = new (memory) Entry[kPageEntries]();
}

DecodedStrings::Entry DecodedStrings::decode(std::string_view body) {
  char* const memory = arena_.take(kSizeBytes + body.size());
  char* const text = memory + kSizeBytes;
  const std::optional<std::size_t> decoded = decode_string(body, text);
  arena_.shrink_last(text + decoded.value_or(0));
  if (!decoded) return kUndecodable;
  const auto size = static_cast<std::uint32_t>(*decoded);
  std::memcpy(memory, &size, kSizeBytes);
  return text;
}

void DecodedStrings::clear() {
  pages_.clear();
  arena_.clear();
}

}  // namespace sluice::json
