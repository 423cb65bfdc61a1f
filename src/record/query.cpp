#include "record/query.h"

#include <algorithm>
#include <optional>

#include "record/field_value.h"

namespace sluice {
namespace {

std::optional<int> hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

/// What of a name that a peer made up may stand in an answer.
std::string shown(std::string_view name) {
  std::string text(name.substr(0, 64));
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7E) c = '?';
  }
  return text;
}

}  // namespace

std::string percent_decoded(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '+') {
      decoded += ' ';
      continue;
    }
    const bool room = text[at] == '%' && text.size() - at > 2;
    const auto high = room ? hex_digit(text[at + 1]) : std::nullopt;
    const auto low = room ? hex_digit(text[at + 2]) : std::nullopt;
    if (high && low) {
      decoded += static_cast<char>(*high * 16 + *low);
      at += 2;
    } else {
      decoded += text[at];
    }
  }
  return decoded;
}

void Query::read(const Shape& shape, std::string_view query, std::vector<ShapeFault>& faults) {
  const auto fail = [&](ErrorCode code, const std::string& name, std::string detail) {
    if (faults.size() < 16) {
      faults.push_back({.code = code,
                        .offset = 0,
                        .pointer = {},
                        .parameter = shown(name),
                        .detail = std::move(detail)});
    }
  };
  values_.clear();
  std::size_t keys = 0;
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(pair.size() + 1, query.size()));
    if (pair.empty()) continue;
    if (++keys > kMostKeys) {
      faults.clear();  // beside that, nothing about single keys matters
      return fail(ErrorCode::query_limit, "", "the query has more than 64 keys");
    }
    const std::size_t equals = std::min(pair.find('='), pair.size());
    const std::string name = percent_decoded(pair.substr(0, equals));
    const std::string value =
        equals < pair.size() ? percent_decoded(pair.substr(equals + 1)) : std::string();
    const auto number = shape.field_at(name);
    if (!number) {
      fail(ErrorCode::json_field, name, "'" + shown(name) + "' is no field of this input");
      continue;
    }
    const Shape::Field& field = shape.fields()[*number];
    if (!field.is_fixed()) {
      fail(ErrorCode::json_field, name,
           "only numbers, times and bools come in a query: '" + shown(name) +
               "' goes into the body");
      continue;
    }
    if (find(*number) != nullptr) {
      fail(ErrorCode::field_twice, name, "'" + shown(name) + "' comes twice in the query");
      continue;
    }
    const SlotValue slot = read_slot_text(field.type, value);
    if (slot.fault != ErrorCode::none) {
      fail(slot.fault, name,
           "found '" + shown(value) + "', expected " + std::string(type_in_words(field.type)));
    } else if (!slot_allowed(field, slot.bits)) {
      fail(ErrorCode::json_range, name, not_allowed(field, shown(value)));
    } else {
      values_.push_back({.field = *number, .bits = slot.bits});
    }
  }
}

const Query::Value* Query::find(std::uint32_t field) const {
  const auto found = std::ranges::find(values_, field, &Value::field);
  return found == values_.end() ? nullptr : &*found;
}

bool Query::has_any_in(const Shape& shape, std::string_view pointer) const {
  return std::ranges::any_of(values_, [&](const Value& value) {
    const std::string_view of = shape.fields()[value.field].pointer;
    return of.size() > pointer.size() && of.starts_with(pointer) && of[pointer.size()] == '/';
  });
}

}  // namespace sluice
