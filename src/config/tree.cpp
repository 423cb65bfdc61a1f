#include "config/tree.h"

#include <algorithm>
#include <array>

#include "json/quote.h"

namespace sluice {

const ConfigMember* ConfigNode::find(std::string_view key) const {
  const auto found = std::ranges::find(members, key, &ConfigMember::key);
  return found == members.end() ? nullptr : &*found;
}

std::string_view kind_name(ConfigNode::Kind kind) {
  constexpr std::array<std::string_view, 7> kNames{"a table",        "a list",   "a text",
                                                   "a whole number", "a number", "true or false",
                                                   "a date or time"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string json_text(const ConfigNode& node) {
  if (node.kind == ConfigNode::Kind::boolean) return node.boolean ? "true" : "false";
  if (!node.is_text()) return node.text;
  return json::quoted(node.text);
}

}  // namespace sluice
