#include <string_view>
#include <utility>

#include "config/checks.h"

namespace sluice {
namespace {

FieldDeclaration declaration_of(const FieldConfig& field) {
  FieldDeclaration declared;
  declared.name = field.name;
  declared.is_group = field.is_group;
  declared.type = field_type_named(field.type).value_or(FieldType::text);
  declared.list = field.is_list;
  declared.optional = field.optional;
  declared.min = field.min;
  declared.max = field.max;
  declared.max_bytes = field.max_bytes;
  declared.max_items = field.max_items;
  declared.choices = field.choices;
  declared.default_value = field.default_value;
  for (const FieldConfig& member : field.members) {
    declared.members.push_back(declaration_of(member));
  }
  return declared;
}

/// Where the key of the field at `path`, with dots, stands in the table of fields; where the field
/// does, if it has no such key.
ConfigPlace place_of(const ConfigNode& fields, std::string_view path, std::string_view key) {
  const ConfigNode* table = &fields;
  ConfigPlace place = fields.place;
  while (!path.empty()) {
    const std::size_t dot = path.find('.');
    const ConfigMember* const member = table->find(path.substr(0, dot));
    if (member == nullptr) return place;
    place = member->place;
    table = &member->value;
    path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  }
  const ConfigMember* const member = table == &fields ? nullptr : table->find(key);
  return member == nullptr ? place : member->value.place;
}

}  // namespace

std::optional<Shape> check_shape(const InputConfig& input, const ConfigNode& fields,
                                 ConfigProblems& problems) {
  std::vector<FieldDeclaration> declarations;
  for (const FieldConfig& field : input.fields) declarations.push_back(declaration_of(field));
  auto shape = Shape::make(declarations,
                           input.ignores_unknown ? UnknownMembers::ignore : UnknownMembers::refuse);
  if (shape) return std::move(*shape);
  const ShapeError& error = shape.error();
  problems.add(
      place_of(fields, error.path, error.key),
      "[inputs." + input.name + ".fields." + error.path + "]: " + error.key + ": " + error.message);
  return std::nullopt;
}

}  // namespace sluice
