#include <algorithm>
#include <string>

#include "json/has_backslash.h"
#include "record/field_value.h"
#include "record/shape_scanner.h"

// The values of fields: what a token must be, and where it goes in the record.
namespace sluice {
namespace {

constexpr std::size_t kNoElement = ~std::size_t{0};
constexpr std::uint64_t kRawWithEscapes = std::uint64_t{1} << 62;

}  // namespace

void ShapeScanner::read_field(std::uint32_t number, Token token) {
  const Shape::Field& field = shape_.fields()[number];
  const std::uint8_t kind = view_.tokens[token];
  if (!query_.empty() && query_.find(number) != nullptr) {
    fail(ErrorCode::field_twice, view_.places[token], field.pointer,
         "'" + field.path + "' comes in the body and in the query");
    return;
  }
  if (kind == 'n' && field.optional) {
    if (!field.default_slot) return;
    words_[field.place] = *field.default_slot;
    return set_present(number);
  }
  if (field.list) return read_list(field, number, token);
  if (field.type == FieldType::text) return read_text(field, number, token);
  if (field.type != FieldType::json) return read_fixed(field, number, token);
  const std::string_view raw = view_.raw(token);
  if (raw.size() > field.max_bytes) {
    return fail(ErrorCode::json_range, view_.places[token], field.pointer,
                "the value has more than " + std::to_string(field.max_bytes) + " bytes");
  }
  set_range(field, number, raw, false);
}

SlotValue ShapeScanner::slot_at(const Shape::Field& field, Token token) const {
  const std::string_view raw = view_.raw(token);
  const bool is_time_text = field.type == FieldType::time && view_.tokens[token] == '"';
  if (!is_time_text || !json::has_backslash(raw)) return read_slot(field.type, raw);
  return read_slot(field.type, '"' + decoded(view_.string_body(token)) + '"');
}

void ShapeScanner::read_fixed(const Shape::Field& field, std::uint32_t number, Token token) {
  const SlotValue value = slot_at(field, token);
  if (value.fault != ErrorCode::none) return fail_field(field, value.fault, token);
  if (!field.is_plain_number() && !slot_allowed(field, value.bits)) {
    return fail(ErrorCode::json_range, view_.places[token], field.pointer,
                not_allowed(field, view_.raw(token)));
  }
  words_[field.place] = value.bits;
  set_present(number);
}

void ShapeScanner::read_text(const Shape::Field& field, std::uint32_t number, Token token) {
  if (view_.tokens[token] != '"') return fail_field(field, ErrorCode::json_type, token);
  const std::string_view raw = view_.string_body(token);
  const bool escapes =
      json::has_backslash(raw, reinterpret_cast<const char*>(view_.text) + view_.text_size);
  if (raw.size() > field.max_bytes || !field.text_choices.empty()) {
    check_text(field, token, raw, escapes);
  }
  set_range(field, number, raw, escapes);
}

/// What a text must be beyond a string.
void ShapeScanner::check_text(const Shape::Field& field, Token token, std::string_view raw,
                              bool escapes) {
  const std::string meant = escapes ? decoded(raw) : std::string(raw);
  if (meant.size() > field.max_bytes) {
    return fail(ErrorCode::json_range, view_.places[token], pointer_of(field),
                "the text has " + std::to_string(meant.size()) + " bytes, more than " +
                    std::to_string(field.max_bytes));
  }
  const auto& choices = field.text_choices;
  if (!choices.empty() && std::ranges::find(choices, meant) == choices.end()) {
    fail(ErrorCode::json_range, view_.places[token], pointer_of(field), not_allowed(field, meant));
  }
}

void ShapeScanner::read_list(const Shape::Field& field, std::uint32_t number, Token token) {
  if (view_.tokens[token] != '[') return fail_field(field, ErrorCode::json_type, token);
  if (view_.count_of(token) > field.max_items) {
    return fail(ErrorCode::json_range, view_.places[token], field.pointer,
                "the list has more than " + std::to_string(field.max_items) + " items");
  }
  std::size_t index = 0;
  for (Token element = token + 1; view_.tokens[element] != ']'; ++index) {
    element_ = index;
    if (field.type == FieldType::text) {
      if (view_.tokens[element] != '"') {
        fail_field(field, ErrorCode::json_type, element);
      } else {
        const std::string_view raw = view_.string_body(element);
        if (raw.size() > field.max_bytes || !field.text_choices.empty()) {
          check_text(field, element, raw, json::has_backslash(raw));
        }
      }
    } else {
      const SlotValue value = slot_at(field, element);
      if (value.fault != ErrorCode::none) {
        fail_field(field, value.fault, element);
      } else if (!slot_allowed(field, value.bits)) {
        fail(ErrorCode::json_range, view_.places[element], pointer_of(field),
             not_allowed(field, view_.raw(element)));
      }
    }
    element = view_.behind(element);
    if (view_.tokens[element] == ',') ++element;
  }
  element_ = kNoElement;
  set_range(field, number, view_.raw(token), false);
}

void ShapeScanner::set_range(const Shape::Field& field, std::uint32_t number,
                             std::string_view range, bool escapes) {
  const auto start =
      static_cast<std::uint64_t>(range.data() - reinterpret_cast<const char*>(view_.text));
  words_[shape_.table_at() + field.place] =
      start | std::uint64_t{range.size()} << 32 | (escapes ? kRawWithEscapes : 0);
  set_present(number);
}

void ShapeScanner::set_present(std::uint32_t number) {
  words_[shape_.presence_at() + number / 64] |= std::uint64_t{1} << number % 64;
}

/// Of the field, or of the element of it that is being read.
std::string ShapeScanner::pointer_of(const Shape::Field& field) const {
  return element_ == kNoElement ? field.pointer : field.pointer + "/" + std::to_string(element_);
}

void ShapeScanner::fail_field(const Shape::Field& field, ErrorCode code, Token token) {
  std::string detail = wrong_kind(field, view_.tokens[token]);
  const std::string_view raw = view_.raw(token);
  const bool is_number = kind_in_words(view_.tokens[token]) == "a number";
  if (is_number || (field.type == FieldType::time && view_.tokens[token] == '"')) {
    detail = "found " + shortened(raw) + ", expected " + std::string(type_in_words(field.type));
  }
  fail(code, view_.places[token], pointer_of(field), std::move(detail));
}

}  // namespace sluice
