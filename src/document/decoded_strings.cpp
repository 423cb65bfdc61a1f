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
    auto known = strings_.find(token);
    if (known == strings_.end()) {
      char* const memory = static_cast<char*>(arena_.allocate(body.size(), 1));
      const std::optional<std::size_t> size = decode_string(body, memory);
      const std::string_view text = size ? std::string_view(memory, *size) : std::string_view();
      known = strings_.emplace(token, text).first;
    }
    if (known->second.data() == nullptr) return kNoText;
    return known->second;
  } catch (const std::bad_alloc&) {
    return Error{.code = ErrorCode::out_of_memory};
  }
}

void DecodedStrings::clear() {
  std::pmr::memory_resource* const arena = &arena_;
  std::destroy_at(&strings_);
  arena_.release();
  std::construct_at(&strings_, arena);
}

}  // namespace sluice::json
