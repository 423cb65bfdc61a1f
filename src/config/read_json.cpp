#include <algorithm>

#include "config/read_tree.h"
#include "document/document.h"
#include "document/locate.h"
#include "json/error_text.h"

namespace sluice {
namespace {

class Converter {
 public:
  Converter(std::string_view text, ConfigProblems& problems) : text_(text), problems_(problems) {}

  ConfigNode convert(const json::Value& value, std::size_t depth) {
    ConfigNode into{.place = place_at(value.offset()), .text = {}, .members = {}, .elements = {}};
    if (depth > kDeepestConfig) {
      problems_.add(into.place, "nested too deeply: more than 64 levels");
    } else if (value.is_object()) {
      convert_members(value, into, depth);
    } else if (value.is_array()) {
      into.kind = ConfigNode::Kind::array;
      for (const json::Value element : value.elements()) {
        into.elements.push_back(convert(element, depth + 1));
      }
    } else {
      convert_scalar(value, into);
    }
    return into;
  }

 private:
  /// Line by line, since a file is asked about from front to back; columns count characters.
  ConfigPlace place_at(std::size_t offset) {
    if (offset < seen_) seen_ = line_start_ = 0, line_ = 1;
    for (; seen_ < offset; ++seen_) {
      if (text_[seen_] != '\n') continue;
      ++line_;
      line_start_ = seen_ + 1;
    }
    const std::string_view before = text_.substr(line_start_, offset - line_start_);
    const auto characters = std::ranges::count_if(
        before, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
    return {.line = line_, .column = static_cast<std::uint32_t>(characters + 1)};
  }

  /// Where the name of the member begins whose value begins at `value`. Requires: a valid text.
  std::size_t name_start(std::size_t value) const {
    std::size_t at = text_.rfind('"', text_.rfind(':', value - 1));
    while (true) {
      at = text_.rfind('"', at - 1);
      std::size_t escapes = at;
      while (text_[escapes - 1] == '\\') --escapes;
      if ((at - escapes) % 2 == 0) return at;
    }
  }

  void convert_members(const json::Value& value, ConfigNode& into, std::size_t depth) {
    for (const auto& [name, member] : value.members()) {
      const ConfigPlace place = place_at(name_start(member.offset()));
      if (into.find(name) != nullptr) {
        problems_.add(place, "'" + std::string(name) + "' is given twice: leave one out");
        continue;
      }
      into.members.push_back({std::string(name), place, convert(member, depth + 1)});
    }
  }

  static void convert_scalar(const json::Value& value, ConfigNode& into) {
    into.kind = ConfigNode::Kind::other;
    if (value.is_string()) {
      into.kind = ConfigNode::Kind::text;
      static_cast<void>(value.string_into(into.text));
    } else if (value.is_bool()) {
      into.kind = ConfigNode::Kind::boolean;
      into.boolean = value.as_bool().value_or(false);
    } else if (value.is_number()) {
      into.text = value.raw();
      const bool whole = into.text.find_first_of(".eE") == std::string::npos;
      into.kind = whole ? ConfigNode::Kind::integer : ConfigNode::Kind::number;
    }
  }

  std::string_view text_;
  ConfigProblems& problems_;
  std::size_t seen_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
};

}  // namespace

ConfigNode read_json(std::string_view text, ConfigProblems& problems) {
  const auto document = json::Document::parse(text);
  if (!document) {
    const json::Location at = json::locate(text, document.error().offset);
    problems.add({.line = static_cast<std::uint32_t>(at.line),
                  .column = static_cast<std::uint32_t>(at.column)},
                 json::describe(document.error(),
                                {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}));
    return {};
  }
  return Converter(text, problems).convert(document->root(), 0);
}

ConfigNode read_tree(std::string_view text, ConfigProblems& problems) {
  if (text.size() > kLargestConfig) {
    problems.add({}, "larger than 1 MiB: this is no configuration");
    return {};
  }
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool is_json = first != std::string_view::npos && text[first] == '{';
  return is_json ? read_json(text, problems) : read_toml(text, problems);
}

}  // namespace sluice
