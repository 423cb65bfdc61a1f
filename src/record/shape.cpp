#include "record/shape.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "document/document.h"
#include "record/field_value.h"

namespace sluice {
namespace {

bool is_name(std::string_view name) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !name.empty() && letter(name[0]) &&
         std::ranges::all_of(name, [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

/// The string that `json` stands for; nothing when it is none.
std::optional<std::string> string_in(const std::string& json) {
  const auto document = json::Document::parse(json);
  if (!document) return std::nullopt;
  const auto text = document->root().as_string();
  if (!text) return std::nullopt;
  return std::string(*text);
}

}  // namespace

/// Lays the fields out, one after the other.
struct Shape::Builder {
  Shape shape;
  std::optional<ShapeError> error;

  bool fail(const std::string& path, const char* key, std::string message) {
    error = ShapeError{.path = path, .key = key, .message = std::move(message)};
    return false;
  }
  bool add_members(const std::vector<FieldDeclaration>& declarations, std::uint32_t group,
                   const std::string& path, std::size_t depth);
  static void sort_names(Group& group);
  bool add_group(const FieldDeclaration& declaration, std::uint32_t group, const std::string& path,
                 std::size_t depth);
  bool add_field(const FieldDeclaration& declaration, std::uint32_t group, const std::string& path);
  bool read_limits(const FieldDeclaration& declaration, Field& field);
  bool read_choices(const FieldDeclaration& declaration, Field& field);
  bool read_default(const FieldDeclaration& declaration, Field& field);
  bool read_bound(const std::string& json, const char* key, const Field& field,
                  std::optional<std::uint64_t>& bound);
};

bool Shape::Builder::add_members(const std::vector<FieldDeclaration>& declarations,
                                 std::uint32_t group, const std::string& path, std::size_t depth) {
  if (depth > kMostDepth) return fail(path, "name", "groups may be nested 32 deep: flatten it");
  shape.depth_ = std::max(shape.depth_, depth);
  if (declarations.empty()) return fail(path, "fields", "there is no field: declare at least one");
  std::set<std::string_view> names;
  for (const FieldDeclaration& declaration : declarations) {
    const std::string inner = path.empty() ? declaration.name : path + "." + declaration.name;
    if (!is_name(declaration.name)) {
      return fail(inner, "name", "a name has letters, digits and _, and begins with no digit");
    }
    if (!names.insert(declaration.name).second) {
      return fail(inner, "name", "the name is declared twice: drop one");
    }
    const bool added = declaration.is_group ? add_group(declaration, group, inner, depth)
                                            : add_field(declaration, group, inner);
    if (!added) return false;
  }
  sort_names(shape.groups_[group]);
  return true;
}

void Shape::Builder::sort_names(Group& group) {
  group.by_name.resize(group.members.size());
  std::iota(group.by_name.begin(), group.by_name.end(), std::uint16_t{0});
  std::ranges::sort(group.by_name, {},
                    [&](std::uint16_t member) { return group.members[member].name(); });
}

bool Shape::Builder::add_group(const FieldDeclaration& declaration, std::uint32_t group,
                               const std::string& path, std::size_t depth) {
  const auto number = static_cast<std::uint32_t>(shape.groups_.size());
  shape.groups_.push_back({.pointer = shape.groups_[group].pointer + "/" + declaration.name,
                           .parent = group,
                           .members = {},
                           .by_name = {}});
  shape.groups_[group].members.push_back(
      {.quoted = '"' + declaration.name + '"', .number = number, .is_group = true});
  if (!add_members(declaration.members, number, path, depth + 1)) return false;
  if (shape.groups_[number].has_required) shape.groups_[group].has_required = true;
  return true;
}

bool Shape::Builder::add_field(const FieldDeclaration& declaration, std::uint32_t group,
                               const std::string& path) {
  if (shape.fields_.size() == kMostFields) {
    return fail(path, "name", "more than 1,024 fields: keep some together in a json field");
  }
  Field field;
  field.name = declaration.name;
  field.path = path;
  field.pointer = shape.groups_[group].pointer + "/" + declaration.name;
  field.type = declaration.type;
  field.list = declaration.list;
  field.optional = declaration.optional;
  if (declaration.list && declaration.type == FieldType::json) {
    return fail(path, "type", "a list of json is a json field: take \"json\"");
  }
  if (!read_limits(declaration, field) || !read_choices(declaration, field) ||
      !read_default(declaration, field)) {
    return false;
  }
  field.place = static_cast<std::uint32_t>(field.is_fixed() ? shape.slots_++ : shape.table_++);
  const auto number = static_cast<std::uint32_t>(shape.fields_.size());
  shape.groups_[group].members.push_back(
      {.quoted = '"' + declaration.name + '"', .number = number});
  if (field.is_required()) shape.groups_[group].has_required = true;
  shape.fields_.push_back(std::move(field));
  return true;
}

bool Shape::Builder::read_bound(const std::string& json, const char* key, const Field& field,
                                std::optional<std::uint64_t>& bound) {
  if (json.empty()) return true;
  if (!is_fixed_size(field.type) || field.type == FieldType::boolean) {
    return fail(field.path, key, "only numbers and times have one");
  }
  const SlotValue value = read_slot(field.type, json);
  if (value.fault != ErrorCode::none) {
    return fail(field.path, key, "is not " + std::string(type_in_words(field.type)));
  }
  bound = value.bits;
  return true;
}

bool Shape::Builder::read_limits(const FieldDeclaration& declaration, Field& field) {
  if (!read_bound(declaration.min, "min", field, field.min) ||
      !read_bound(declaration.max, "max", field, field.max)) {
    return false;
  }
  if (field.min && field.max && slot_less(field.type, *field.max, *field.min)) {
    return fail(field.path, "max", "is less than min: no value could be right");
  }
  if (declaration.max_bytes && is_fixed_size(field.type)) {
    return fail(field.path, "max_bytes", "only text and json have one");
  }
  if (declaration.max_items && !field.list) {
    return fail(field.path, "max_items", "only a list has one: write its type as [\"text\"]");
  }
  if (declaration.max_bytes) field.max_bytes = *declaration.max_bytes;
  if (declaration.max_items) field.max_items = *declaration.max_items;
  return true;
}

bool Shape::Builder::read_choices(const FieldDeclaration& declaration, Field& field) {
  for (const std::string& json : declaration.choices) {
    if (field.type == FieldType::text) {
      const auto text = string_in(json);
      if (!text) return fail(field.path, "enum", "a choice is no string, and the field is text");
      if (text->size() > field.max_bytes) {
        return fail(field.path, "enum", "a choice is longer than max_bytes");
      }
      field.text_choices.push_back(*text);
      continue;
    }
    if (!is_fixed_size(field.type) || field.type == FieldType::boolean) {
      return fail(field.path, "enum", "only text, numbers and times have one");
    }
    const SlotValue value = read_slot(field.type, json);
    if (value.fault != ErrorCode::none) {
      return fail(field.path, "enum", "a choice is not " + std::string(type_in_words(field.type)));
    }
    const bool within = !(field.min && slot_less(field.type, value.bits, *field.min)) &&
                        !(field.max && slot_less(field.type, *field.max, value.bits));
    if (!within) {
      return fail(field.path, "enum", "a choice is beyond min or max");
    }
    field.number_choices.push_back(value.bits);
  }
  return true;
}

bool Shape::Builder::read_default(const FieldDeclaration& declaration, Field& field) {
  if (declaration.default_value.empty()) return true;
  if (field.list || field.type == FieldType::json) {
    return fail(field.path, "default", "only single texts, numbers, times and bools have one");
  }
  if (field.type == FieldType::text) {
    const auto text = string_in(declaration.default_value);
    if (!text) return fail(field.path, "default", "is no string, and the field is text");
    const auto& choices = field.text_choices;
    if (text->size() > field.max_bytes ||
        (!choices.empty() && std::ranges::find(choices, *text) == choices.end())) {
      return fail(field.path, "default", "is not among what the field allows");
    }
  } else {
    const SlotValue value = read_slot(field.type, declaration.default_value);
    if (value.fault != ErrorCode::none) {
      return fail(field.path, "default", "is not " + std::string(type_in_words(field.type)));
    }
    if (!slot_allowed(field, value.bits)) {
      return fail(field.path, "default", "is not among what the field allows");
    }
    field.default_slot = value.bits;
  }
  field.default_json = declaration.default_value;
  return true;
}

std::expected<Shape, ShapeError> Shape::make(const std::vector<FieldDeclaration>& fields,
                                             UnknownMembers unknown) {
  Builder builder;
  builder.shape.unknown_ = unknown;
  builder.shape.groups_.emplace_back();
  if (!builder.add_members(fields, 0, "", 1)) return std::unexpected(*builder.error);
  return std::move(builder.shape);
}

std::optional<std::size_t> Shape::Group::find(std::string_view name) const {
  const auto name_of = [this](std::uint16_t member) { return members[member].name(); };
  const auto found = std::ranges::lower_bound(by_name, name, {}, name_of);
  if (found == by_name.end() || name_of(*found) != name) return std::nullopt;
  return *found;
}

std::optional<std::uint32_t> Shape::field_at(std::string_view path) const {
  const auto found = std::ranges::find(fields_, path, &Field::path);
  if (found == fields_.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - fields_.begin());
}

}  // namespace sluice
