// The library asserts, and in a release lets the compiler assume, what a text such as "[.a]" breaks;
// it checks the same once more right behind. Neither: the check answers.
#undef NDEBUG
#define TOML_ASSERT(expr) static_assert(true)
#define TOML_EXCEPTIONS 1
#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <exception>
#include <optional>

#include "config/read_tree.h"

namespace sluice {
namespace {

/// More of them in one line could nest tables deeper than the library's own recursion bears.
constexpr std::size_t kMostDots = 500;

ConfigPlace place_of(const toml::source_region& source) {
  return {.line = std::max<std::uint32_t>(source.begin.line, 1),
          .column = std::max<std::uint32_t>(source.begin.column, 1)};
}

class Converter {
 public:
  explicit Converter(ConfigProblems& problems) : problems_(problems) {}

  ConfigNode convert(const toml::node& node, const ConfigPlace& place, std::size_t depth) {
    ConfigNode into{.place = place, .text = {}, .members = {}, .elements = {}};
    if (depth > kDeepestConfig) {
      problems_.add(place, "nested too deeply: more than 64 levels");
    } else if (const toml::table* const table = node.as_table()) {
      convert_table(*table, into, depth);
    } else if (const toml::array* const array = node.as_array()) {
      into.kind = ConfigNode::Kind::array;
      for (const toml::node& element : *array) {
        into.elements.push_back(convert(element, place_of(element.source()), depth + 1));
      }
    } else {
      convert_scalar(node, into);
    }
    return into;
  }

 private:
  /// The library keeps tables in the order of their keys; people in the order of the file.
  void convert_table(const toml::table& table, ConfigNode& into, std::size_t depth) {
    for (const auto& [key, value] : table) {
      const ConfigPlace place = place_of(key.source());
      // A table counts from where it is mentioned first, whatever its own header says.
      const ConfigPlace at = value.is_table() ? place : place_of(value.source());
      into.members.push_back({std::string(key.str()), place, convert(value, at, depth + 1)});
    }
    std::ranges::sort(into.members, {}, &ConfigMember::place);
  }

  static void convert_scalar(const toml::node& node, ConfigNode& into) {
    char digits[40];
    std::to_chars_result end{digits, std::errc()};
    if (const auto* const text = node.as_string()) {
      into.kind = ConfigNode::Kind::text;
      into.text = text->get();
      return;
    }
    if (const auto* const boolean = node.as_boolean()) {
      into.kind = ConfigNode::Kind::boolean;
      into.boolean = boolean->get();
      return;
    }
    into.kind = ConfigNode::Kind::other;
    if (const auto* const integer = node.as_integer()) {
      into.kind = ConfigNode::Kind::integer;
      end = std::to_chars(digits, digits + sizeof digits, integer->get());
    } else if (const auto* const number = node.as_floating_point()) {
      if (std::isfinite(number->get())) {
        into.kind = ConfigNode::Kind::number;
        end = std::to_chars(digits, digits + sizeof digits, number->get());
      }
    }
    into.text.assign(digits, end.ptr);
  }

  ConfigProblems& problems_;
};

/// Where a line has more dots than any file that means well.
std::optional<ConfigPlace> line_of_dots(std::string_view text) {
  std::uint32_t line = 1;
  std::size_t dots = 0;
  for (const char c : text) {
    if (c == '\n') {
      ++line;
      dots = 0;
    } else if (c == '.' && ++dots > kMostDots) {
      return ConfigPlace{.line = line, .column = 1};
    }
  }
  return std::nullopt;
}

}  // namespace

ConfigNode read_toml(std::string_view text, ConfigProblems& problems) {
  if (const auto place = line_of_dots(text)) {
    problems.add(*place, "more than 500 dots in one line");
    return {};
  }
  try {
    return Converter(problems).convert(toml::parse(text), {}, 0);
  } catch (const toml::parse_error& error) {
    problems.add(place_of(error.source()), std::string(error.description()));
  } catch (const std::exception& error) {
    problems.add({}, error.what());
  }
  return {};
}

}  // namespace sluice
