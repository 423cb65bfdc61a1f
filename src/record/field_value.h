#pragma once

#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "json/error_text.h"
#include "record/shape.h"

namespace sluice {

/// A value of fixed size as a slot has it, or why there is none.
struct SlotValue {
  std::uint64_t bits = 0;
  ErrorCode fault = ErrorCode::none;  ///< json_type or json_range
};

/// The number, bool or time that `json`, one checked JSON value, stands for; a time is a string
/// without escapes.
SlotValue read_slot(FieldType type, std::string_view json);
/// The same of text that is no JSON: of a query, where a time has no quotes.
SlotValue read_slot_text(FieldType type, std::string_view text);

/// Whether a < b, both of the type and as slots have them.
bool slot_less(FieldType type, std::uint64_t a, std::uint64_t b);
/// Whether the value is within what the field allows.
bool slot_allowed(const Shape::Field& field, std::uint64_t bits);
/// The value as JSON text.
std::string slot_json(FieldType type, std::uint64_t bits);

/// What a field of the type is called in a sentence, e.g. "an integer from -2147483648 to
/// 2147483647".
std::string_view type_in_words(FieldType type);

}  // namespace sluice
