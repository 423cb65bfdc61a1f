#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace sluice {

/// What a declared field holds.
enum class FieldType : std::uint8_t {
  text,
  i64,
  u64,
  i32,
  u32,
  f64,
  f32,
  boolean,
  time,  ///< RFC 3339 in the text, nanoseconds since 1970 UTC in the record
  json,  ///< any value, kept as its bytes
};

/// As a config spells it, e.g. "i64".
const char* field_type_name(FieldType type);
std::optional<FieldType> field_type_named(std::string_view name);

/// Whether a value of the type fits the 64 bits of a slot; others are ranges of the body.
constexpr bool is_fixed_size(FieldType type) {
  return type != FieldType::text && type != FieldType::json;
}

}  // namespace sluice
