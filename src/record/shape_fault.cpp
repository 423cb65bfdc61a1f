#include "record/shape_fault.h"

#include <vector>

#include "record/field_value.h"
#include "typed/nearest_name.h"

namespace sluice {
namespace {

constexpr std::size_t kMostShown = 64;
constexpr std::size_t kMostInPointer = 256;

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

}  // namespace

std::string shortened(std::string_view text) {
  std::size_t size = text.size();
  if (size > kMostShown) {
    size = kMostShown;
    while (size > 0 && continues_character(text[size])) --size;
  }
  std::string shown(text.substr(0, size));
  for (char& c : shown) c = static_cast<unsigned char>(c) < 0x20 ? '?' : c;
  return size < text.size() ? shown + "..." : shown;
}

std::string member_pointer(const Shape::Group& group, std::string_view name) {
  if (name.size() > kMostInPointer) return group.pointer;
  std::string pointer = group.pointer + "/";
  for (const char c : name) {
    if (c == '~') {
      pointer += "~0";
    } else if (c == '/') {
      pointer += "~1";
    } else {
      pointer += c;
    }
  }
  return pointer;
}

std::string_view kind_in_words(std::uint8_t token) {
  switch (token) {
    case '{':
      return "an object";
    case '[':
      return "an array";
    case '"':
      return "a string";
    case 't':
      return "true";
    case 'f':
      return "false";
    case 'n':
      return "null";
    default:
      return "a number";
  }
}

std::string wrong_kind(const Shape::Field& field, std::uint8_t token) {
  return "found " + std::string(kind_in_words(token)) + ", expected " +
         (field.list ? "an array, each element " : "") + std::string(type_in_words(field.type));
}

std::string unknown_name(std::string_view name, const Shape::Group& group) {
  std::vector<std::string_view> names;
  for (const Shape::Member& member : group.members) names.push_back(member.name());
  const std::string_view nearest = json::nearest_name(name, names);
  // A name may be of any size and hold anything.
  std::string text = "'" + shortened(name) + "' is no member here";
  if (!nearest.empty()) text += ": '" + std::string(nearest) + "' perhaps?";
  return text;
}

std::string not_allowed(const Shape::Field& field, std::string_view value) {
  const std::string shown = shortened(value);
  if (field.min || field.max) {
    std::string text = shown + " is not within ";
    text += field.min ? slot_json(field.type, *field.min) : "the least there is";
    text += " to ";
    return text + (field.max ? slot_json(field.type, *field.max) : "the most there is");
  }
  std::string choices;
  for (const std::string& choice : field.text_choices)
    choices += (choices.empty() ? "" : ", ") + choice;
  for (const std::uint64_t choice : field.number_choices) {
    choices += (choices.empty() ? "" : ", ") + slot_json(field.type, choice);
  }
  return shown + " is none of " + choices;
}

}  // namespace sluice
