#include "document/value.h"

#include <algorithm>
#include <new>

#include "document/containers.h"
#include "document/names.h"

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

std::optional<Value> Value::find(std::string_view key) const {
  if (size() == 0 || !is_object()) return std::nullopt;
  const IndexView& index = state_->index;
  const auto value = find_last_member(index, token_ + 1, index.links[token_], key);
  return value ? std::optional(Value(state_, *value)) : std::nullopt;
}

Value Value::operator[](std::string_view key) const {
  if (!is_object()) return absent(ErrorCode::json_type, Expected::object);
  return find(key).value_or(absent(ErrorCode::json_missing));
}

Value Value::element(std::uint32_t index) const {
  if (!is_array()) return absent(ErrorCode::json_type, Expected::array);
  const std::uint32_t count = state_->index.count_of(token_);
  if (index >= count) return absent(ErrorCode::json_missing);
  const std::uint32_t behind = state_->index.links[token_];
  return Value(state_, skip_elements(state_->index, token_ + 1, behind, count, index));
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
