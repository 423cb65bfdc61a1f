#include "record/field_value.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "number/read.h"
#include "number/write.h"
#include "record/rfc3339.h"

namespace sluice {
namespace {

constexpr SlotValue kWrongType{.fault = ErrorCode::json_type};
constexpr SlotValue kOutOfRange{.fault = ErrorCode::json_range};

bool is_number(std::string_view json) {
  return !json.empty() && (json[0] == '-' || (json[0] >= '0' && json[0] <= '9'));
}

bool has_fraction(std::string_view json) { return json.find_first_of(".eE") != json.npos; }

template <class T>
SlotValue read_integer(std::string_view json) {
  if (!is_number(json) || has_fraction(json)) return kWrongType;
  if constexpr (std::is_signed_v<T>) {
    const auto value = number::to_int64(json.data(), json.data() + json.size());
    if (!value || !std::in_range<T>(*value)) return kOutOfRange;
    return {.bits = static_cast<std::uint64_t>(*value)};
  } else {
    const auto value = number::to_uint64(json.data(), json.data() + json.size());
    if (!value || !std::in_range<T>(*value)) return kOutOfRange;
    return {.bits = *value};
  }
}

SlotValue read_f64(std::string_view json) {
  if (!is_number(json)) return kWrongType;
  const auto value = number::to_double(json.data(), json.data() + json.size());
  if (!value) return kOutOfRange;
  return {.bits = std::bit_cast<std::uint64_t>(*value)};
}

/// Not by way of a double, which would round twice.
SlotValue read_f32(std::string_view json) {
  if (!is_number(json)) return kWrongType;
  float value = 0;
  const auto fault = std::from_chars(json.data(), json.data() + json.size(), value).ec;
  if (fault != std::errc()) {
    // Too small is said like too large; it is the nearest float, though.
    const auto wide = number::to_double(json.data(), json.data() + json.size());
    if (!wide || std::abs(*wide) > 1) return kOutOfRange;
    value = static_cast<float>(*wide);
  }
  return {.bits = std::bit_cast<std::uint32_t>(value)};
}

SlotValue read_time(std::string_view text) {
  const Rfc3339 time = read_rfc3339(text);
  switch (time.verdict) {
    case Rfc3339::Verdict::good:
      return {.bits = static_cast<std::uint64_t>(time.ns)};
    case Rfc3339::Verdict::out_of_range:
      return kOutOfRange;
    case Rfc3339::Verdict::not_a_time:
      break;
  }
  return kWrongType;
}

/// Whether `text` is a number as JSON writes one (RFC 8259, 6).
bool is_json_number(std::string_view text) {
  const auto digits = [&] {
    std::size_t count = 0;
    while (!text.empty() && text[0] >= '0' && text[0] <= '9') {
      text.remove_prefix(1);
      ++count;
    }
    return count;
  };
  if (text.starts_with('-')) text.remove_prefix(1);
  const bool zero = text.starts_with('0');
  const std::size_t whole = digits();
  if (whole == 0 || (zero && whole > 1)) return false;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    if (digits() == 0) return false;
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
    if (digits() == 0) return false;
  }
  return text.empty();
}

}  // namespace

SlotValue read_slot(FieldType type, std::string_view json) {
  switch (type) {
    case FieldType::i64:
      return read_integer<std::int64_t>(json);
    case FieldType::u64:
      return read_integer<std::uint64_t>(json);
    case FieldType::i32:
      return read_integer<std::int32_t>(json);
    case FieldType::u32:
      return read_integer<std::uint32_t>(json);
    case FieldType::f64:
      return read_f64(json);
    case FieldType::f32:
      return read_f32(json);
    case FieldType::boolean:
      if (json != "true" && json != "false") return kWrongType;
      return {.bits = json == "true" ? 1u : 0u};
    case FieldType::time:
      if (json.size() < 2 || json[0] != '"') return kWrongType;
      return read_time(json.substr(1, json.size() - 2));
    case FieldType::text:
    case FieldType::json:
      break;
  }
  return kWrongType;
}

SlotValue read_slot_text(FieldType type, std::string_view text) {
  if (type == FieldType::time) return read_time(text);
  if (type != FieldType::boolean && !is_json_number(text)) return kWrongType;
  return read_slot(type, text);
}

bool slot_less(FieldType type, std::uint64_t a, std::uint64_t b) {
  switch (type) {
    case FieldType::i64:
    case FieldType::i32:
    case FieldType::time:
      return static_cast<std::int64_t>(a) < static_cast<std::int64_t>(b);
    case FieldType::f64:
      return std::bit_cast<double>(a) < std::bit_cast<double>(b);
    case FieldType::f32:
      return std::bit_cast<float>(static_cast<std::uint32_t>(a)) <
             std::bit_cast<float>(static_cast<std::uint32_t>(b));
    default:
      return a < b;
  }
}

bool slot_allowed(const Shape::Field& field, std::uint64_t bits) {
  if (field.min && slot_less(field.type, bits, *field.min)) return false;
  if (field.max && slot_less(field.type, *field.max, bits)) return false;
  if (field.number_choices.empty()) return true;
  return std::ranges::any_of(field.number_choices, [&](std::uint64_t choice) {
    return !slot_less(field.type, bits, choice) && !slot_less(field.type, choice, bits);
  });
}

std::string slot_json(FieldType type, std::uint64_t bits) {
  char text[number::kNumberBytes];
  switch (type) {
    case FieldType::boolean:
      return bits != 0 ? "true" : "false";
    case FieldType::time:
      return '"' + write_rfc3339(static_cast<std::int64_t>(bits)) + '"';
    case FieldType::f64:
      return {text, number::write(text, std::bit_cast<double>(bits))};
    case FieldType::f32:
      return {text, number::write(text, std::bit_cast<float>(static_cast<std::uint32_t>(bits)))};
    case FieldType::i64:
    case FieldType::i32:
      return {text, number::write(text, static_cast<std::int64_t>(bits))};
    default:
      return {text, number::write(text, bits)};
  }
}

std::string_view type_in_words(FieldType type) {
  switch (type) {
    case FieldType::text:
      return "a string";
    case FieldType::i64:
      return "an integer from -9223372036854775808 to 9223372036854775807";
    case FieldType::u64:
      return "an integer from 0 to 18446744073709551615";
    case FieldType::i32:
      return "an integer from -2147483648 to 2147483647";
    case FieldType::u32:
      return "an integer from 0 to 4294967295";
    case FieldType::f64:
      return "a number";
    case FieldType::f32:
      return "a number that fits 32 bits";
    case FieldType::boolean:
      return "true or false";
    case FieldType::time:
      return "a time as 2026-12-01T08:30:00Z";
    case FieldType::json:
      break;
  }
  return "a value";
}

}  // namespace sluice
