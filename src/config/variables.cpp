#include <algorithm>
#include <cctype>

#include "config/read_tree.h"

namespace sluice {
namespace {

bool is_name(std::string_view name) {
  const auto is_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  return !name.empty() && !std::isdigit(static_cast<unsigned char>(name.front())) &&
         std::ranges::all_of(name, is_word);
}

void replace_in(ConfigNode& node, const Environment& environment, ConfigProblems& problems) {
  std::string replaced;
  std::size_t done = 0;
  while (true) {
    const std::size_t start = node.text.find("${", done);
    const std::size_t end = node.text.find('}', start);
    if (start == std::string::npos || end == std::string::npos) break;
    replaced.append(node.text, done, start - done);
    done = end + 1;
    const std::string inside = node.text.substr(start + 2, end - start - 2);
    const std::size_t colon = inside.find(":-");
    const std::string name = inside.substr(0, colon);
    const char* const value = is_name(name) ? environment(name) : nullptr;
    if (value != nullptr) {
      replaced += value;
    } else if (is_name(name) && colon != std::string::npos) {
      replaced += inside.substr(colon + 2);
    } else if (is_name(name)) {
      problems.add(node.place, "the environment variable " + name +
                                   " is not set: set it, or write ${" + name + ":-DEFAULT}");
    } else {
      problems.add(node.place, "'${" + inside +
                                   "}' names no environment variable: write ${NAME} or "
                                   "${NAME:-DEFAULT}");
    }
  }
  replaced.append(node.text, done);
  node.text = std::move(replaced);
}

}  // namespace

void replace_variables(ConfigNode& node, const Environment& environment, ConfigProblems& problems) {
  // The tree's depth is limited where it is read.
  if (node.is_text()) replace_in(node, environment, problems);
  for (ConfigMember& member : node.members) {
    replace_variables(member.value, environment, problems);
  }
  for (ConfigNode& element : node.elements) replace_variables(element, environment, problems);
}

}  // namespace sluice
