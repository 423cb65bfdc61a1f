#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "config/problems.h"
#include "config/tree.h"

namespace sluice {

/// Largest file that is read.
inline constexpr std::size_t kLargestConfig = 1024 * 1024;
/// Deepest nesting of tables and lists.
inline constexpr std::size_t kDeepestConfig = 64;

/// Value of an environment variable; null when it is not set.
using Environment = std::function<const char*(const std::string& name)>;

/// Reads TOML, or JSON where the first byte that is no blank is '{'. What cannot be read is a
/// problem, and the tree is that of an empty file then.
ConfigNode read_tree(std::string_view text, ConfigProblems& problems);
ConfigNode read_toml(std::string_view text, ConfigProblems& problems);
ConfigNode read_json(std::string_view text, ConfigProblems& problems);

/// Replaces `${NAME}` and `${NAME:-x}` in all texts of the tree, but not in keys. A variable that
/// is not set, without a default, is a problem.
void replace_variables(ConfigNode& node, const Environment& environment, ConfigProblems& problems);

}  // namespace sluice
