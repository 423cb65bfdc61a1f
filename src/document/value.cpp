#include "document/value.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <span>

#include "document/containers.h"
#include "json/unescape.h"

namespace sluice::json {
namespace {

/// One reference token of a JSON Pointer with ~0 and ~1 undone. Nothing for any other ~.
std::optional<std::string> undo_tildes(std::string_view reference) {
  std::string name;
  for (std::size_t at = 0; at < reference.size(); ++at) {
    if (reference[at] != '~') {
      name += reference[at];
      continue;
    }
    const char behind = ++at < reference.size() ? reference[at] : '\0';
    if (behind != '0' && behind != '1') return std::nullopt;
    name += behind == '0' ? '~' : '/';
  }
  return name;
}

/// An array's index as RFC 6901 has it: 0, or digits that do not begin with one.
std::optional<std::uint32_t> index_of(std::string_view reference) {
  constexpr std::size_t kDigitsMax = 10;
  const bool zeros = reference.size() > 1 && reference[0] == '0';
  if (reference.empty() || reference.size() > kDigitsMax || zeros) return std::nullopt;
  std::uint64_t index = 0;
  for (const char digit : reference) {
    if (digit < '0' || digit > '9') return std::nullopt;
    index = index * 10 + static_cast<std::uint64_t>(digit - '0');
  }
  if (index > ~std::uint32_t{0}) return std::nullopt;
  return static_cast<std::uint32_t>(index);
}

/// Whether a name that is written with escapes means `key`. Decodes a piece at a time.
bool means(std::string_view body, std::string_view key) {
  std::span<const std::uint8_t> raw(reinterpret_cast<const std::uint8_t*>(body.data()),
                                    body.size());
  while (!raw.empty()) {
    std::array<std::uint8_t, 64> piece;
    const Unescaped step = unescape(raw, piece);
    if (step.read == 0 || step.written > key.size()) return false;
    if (std::memcmp(piece.data(), key.data(), step.written) != 0) return false;
    raw = raw.subspan(step.read);
    key.remove_prefix(step.written);
  }
  return key.empty();
}

/// Whether the name at token `name` is `key`. An escape is at least one byte longer than what it
/// means, and at most six times as long; so few names must be looked at for one.
bool is_name(const IndexView& index, std::uint32_t name, std::string_view key) {
  const std::string_view body = index.string_body(name);
  if (body.size() == key.size()) {
    return std::memcmp(body.data(), key.data(), key.size()) == 0 && !has_backslash(body);
  }
  if (body.size() < key.size() || body.size() > 6 * key.size()) return false;
  return has_backslash(body) && means(body, key);
}

}  // namespace

Error Value::error() const {
  if (exists()) return {};
  return fault(problem_, expected_);
}

Error Value::fault(ErrorCode code, Expected expected) const {
  return {.code = code, .detail = static_cast<std::uint16_t>(expected), .offset = offset()};
}

Error Value::wrong_type(Expected expected) const {
  return exists() ? fault(ErrorCode::json_type, expected) : error();
}

Error Value::no_integer() const {
  const bool integer = raw().find_first_of(".eE") == std::string_view::npos;
  return fault(integer ? ErrorCode::json_range : ErrorCode::json_type, Expected::integer);
}

Value Value::absent(ErrorCode problem, Expected expected) const {
  if (!exists()) return *this;
  Value none = *this;
  none.problem_ = problem;
  none.expected_ = expected;
  return none;
}

Type Value::type() const {
  switch (kind()) {
    case 0:
      return Type::absent;
    case 'n':
      return Type::null;
    case 't':
    case 'f':
      return Type::boolean;
    case '"':
      return Type::string;
    case '[':
      return Type::array;
    case '{':
      return Type::object;
    default:
      return Type::number;
  }
}

Result<void> Value::string_into(std::string& out) const {
  if (!is_string()) return wrong_type(Expected::string);
  const std::string_view body = state_->index.string_body(token_);
  try {
    if (!has_backslash(body)) {
      out.assign(body);
      return {};
    }
    out.resize(body.size());
  } catch (const std::bad_alloc&) {
    return fault(ErrorCode::out_of_memory, Expected::none);
  }
  const std::optional<std::size_t> size = decode_string(body, out.data());
  if (!size) return fault(ErrorCode::json_type, Expected::string);
  out.resize(*size);
  return {};
}

Result<Elements> Value::as_array() const {
  if (!is_array()) return wrong_type(Expected::array);
  return elements();
}

Result<Members> Value::as_object() const {
  if (!is_object()) return wrong_type(Expected::object);
  return members();
}

/// From the last member back, so that among members of one name the last is found.
std::optional<Value> Value::find(std::string_view key) const {
  if (size() == 0 || !is_object()) return std::nullopt;
  const IndexView& index = state_->index;
  std::uint32_t last = index.links[token_] - 1;  // the last token of a value
  while (true) {
    const bool closer = (index.tokens[last] | 0x20) == '}';
    const std::uint32_t value = closer ? index.links[last] : last;
    const std::uint32_t name = value - 2;
    if (is_name(index, name, key)) return Value(state_, value);
    if (name - 1 == token_) return std::nullopt;
    last = name - 2;  // before the comma
  }
}

Value Value::operator[](std::string_view key) const {
  if (!is_object()) return absent(ErrorCode::json_type, Expected::object);
  return find(key).value_or(absent(ErrorCode::json_missing));
}

Value Value::element(std::uint32_t index) const {
  if (!is_array()) return absent(ErrorCode::json_type, Expected::array);
  if (index >= size()) return absent(ErrorCode::json_missing);
  const IndexView& tokens = state_->index;
  std::uint32_t token = token_ + 1;
  const bool only_scalars = tokens.links[token_] - token_ == 2 * size();
  if (only_scalars) return Value(state_, token + 2 * index);
  for (; index > 0; --index) token = tokens.behind(token) + 1;
  return Value(state_, token);
}

Value Value::step(std::string_view reference) const {
  if (!is_array()) return (*this)[reference];
  const std::optional<std::uint32_t> index = index_of(reference);
  return index ? element(*index) : absent(ErrorCode::json_missing);
}

Value Value::at(const Pointer& pointer) const {
  Value value = *this;
  for (const std::string& reference : pointer.tokens()) value = value.step(reference);
  return value;
}

Value Value::at(std::string_view pointer) const {
  Value value = *this;
  if (!pointer.empty() && pointer[0] != '/') return absent(ErrorCode::pointer_syntax);
  try {
    while (!pointer.empty()) {
      const std::size_t end = std::min(pointer.find('/', 1), pointer.size());
      const std::string_view reference = pointer.substr(1, end - 1);
      pointer.remove_prefix(end);
      if (!reference.contains('~')) {
        value = value.step(reference);
        continue;
      }
      const std::optional<std::string> name = undo_tildes(reference);
      if (!name) return absent(ErrorCode::pointer_syntax);
      value = value.step(*name);
    }
  } catch (const std::bad_alloc&) {
    return absent(ErrorCode::out_of_memory);
  }
  return value;
}

}  // namespace sluice::json
