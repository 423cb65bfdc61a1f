#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sluice {

/// Where something stands in a configuration file; both from 1 on. Columns count characters.
struct ConfigPlace {
  std::uint32_t line = 1;
  std::uint32_t column = 1;

  friend auto operator<=>(const ConfigPlace&, const ConfigPlace&) = default;
};

struct ConfigMember;

/// A value of a configuration file, whether that is TOML or JSON, and where it stands.
struct ConfigNode {
  enum class Kind : std::uint8_t { table, array, text, integer, number, boolean, other };

  Kind kind = Kind::table;
  ConfigPlace place;
  std::string text;  ///< of a text; of a number its digits as JSON has them
  bool boolean = false;
  std::vector<ConfigMember> members;  ///< of a table, in the order of first mention
  std::vector<ConfigNode> elements;   ///< of an array

  bool is_table() const { return kind == Kind::table; }
  bool is_array() const { return kind == Kind::array; }
  bool is_text() const { return kind == Kind::text; }
  const ConfigMember* find(std::string_view key) const;
};

/// A key of a table, where it was first mentioned, and its value.
struct ConfigMember {
  std::string key;
  ConfigPlace place;
  ConfigNode value;
};

/// "a table", "a whole number", ...: what a sentence calls such a value.
std::string_view kind_name(ConfigNode::Kind kind);

/// A scalar as JSON text. Requires: a text, number or boolean.
std::string json_text(const ConfigNode& node);

}  // namespace sluice
