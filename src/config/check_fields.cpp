#include <algorithm>
#include <array>

#include "config/checks.h"

namespace sluice {
namespace {

constexpr std::array<std::string_view, 10> kTypes{"text", "i64", "u64",  "i32",  "u32",
                                                  "f64",  "f32", "bool", "time", "json"};

bool is_scalar(const ConfigNode& node) {
  return node.is_text() || node.kind == ConfigNode::Kind::integer ||
         node.kind == ConfigNode::Kind::number || node.kind == ConfigNode::Kind::boolean;
}

/// A table is a field when its `type` is a text or a list, and else a group of fields.
bool is_field(const ConfigNode& table) {
  const ConfigMember* const type = table.find("type");
  return type != nullptr && (type->value.is_text() || type->value.is_array());
}

void check_type(Section& section, const ConfigNode& type, FieldConfig& field) {
  const ConfigNode* name = &type;
  if (type.is_array()) {
    field.is_list = true;
    if (type.elements.size() != 1 || !type.elements.front().is_text()) {
      section.problem(type.place, "the type of a list is written as in [\"text\"]");
      return;
    }
    name = &type.elements.front();
  }
  field.type = name->text;
  if (std::ranges::find(kTypes, field.type) == kTypes.end()) {
    section.problem(name->place, "there is no type '" + field.type + "'" +
                                     hint(field.type, {kTypes.begin(), kTypes.end()}));
  } else if (field.is_list && field.type == "json") {
    section.problem(name->place,
                    "lists are of texts, numbers, bools or times: for any list take the "
                    "type \"json\"");
  }
}

void check_value(Section& section, std::string_view key, std::string& into) {
  const ConfigMember* const member = section.get(key);
  if (member == nullptr) return;
  if (is_scalar(member->value)) {
    into = json_text(member->value);
  } else {
    section.problem(member->value.place, std::string(key) + " is a single value, not " +
                                             std::string(kind_name(member->value.kind)));
  }
}

void check_choices(Section& section, FieldConfig& field) {
  const ConfigMember* const member =
      section.get("enum", ConfigNode::Kind::array, "a list of values");
  if (member == nullptr) return;
  if (member->value.elements.empty()) {
    section.problem(member->value.place, "enum allows no value: give one, or leave it out");
  }
  for (const ConfigNode& element : member->value.elements) {
    if (is_scalar(element)) {
      field.choices.push_back(json_text(element));
    } else {
      section.problem(element.place, "enum holds single values");
    }
  }
}

void check_constraints(Section& section, FieldConfig& field) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 30;
  section.boolean("optional", field.optional);
  check_value(section, "min", field.min);
  check_value(section, "max", field.max);
  check_value(section, "default", field.default_value);
  check_choices(section, field);
  std::uint64_t most = 0;
  if (section.count("max_bytes", most, 0, kMost)) field.max_bytes = most;
  if (section.count("max_items", most, 0, kMost)) field.max_items = most;
  if (field.max_items && !field.is_list) {
    section.problem(section.place_of("max_items"), "only a list has max_items");
  }
  section.finish();
}

FieldConfig check_field(const ConfigMember& member, const std::string& path,
                        ConfigProblems& problems) {
  FieldConfig field;
  field.name = member.key;
  field.place = member.place;
  const ConfigNode& value = member.value;
  const std::string name = path + "." + member.key;
  Section section(value, "[" + name + "]", problems);
  if (!value.is_table()) {
    section.problem(value.place, "a field is a table such as { type = \"text\" }, not " +
                                     std::string(kind_name(value.kind)));
  } else if (is_field(value)) {
    check_type(section, section.get("type")->value, field);
    check_constraints(section, field);
  } else {
    field.is_group = true;
    field.members = check_fields(value, name, problems);
    if (value.members.empty()) {
      section.problem(member.place, "neither a field, which has a type, nor a group of fields");
    }
  }
  return field;
}

bool is_field_name(std::string_view name) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !name.empty() && is_letter(name.front()) &&
         std::ranges::all_of(name, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

}  // namespace

// Groups in groups: the tree is no deeper than kDeepestConfig.
std::vector<FieldConfig> check_fields(const ConfigNode& table, const std::string& path,
                                      ConfigProblems& problems) {
  std::vector<FieldConfig> fields;
  for (const ConfigMember& member : table.members) {
    if (!is_field_name(member.key)) {
      problems.add(member.place,
                   "[" + path + "]: '" + member.key +
                       "' is no name of a field: letters, digits and _, no digit first");
    }
    fields.push_back(check_field(member, path, problems));
  }
  return fields;
}

}  // namespace sluice
