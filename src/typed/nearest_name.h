#pragma once

#include <span>
#include <string>
#include <string_view>

namespace sluice::json {

/// Which of `names` a misspelt `name` was meant to be: that with the fewest letters inserted,
/// dropped, exchanged or swapped with their neighbour, if they are at most a third of its letters.
/// Empty when none is so near. Looks at no more than 256 names and no name of more than 64 bytes.
/// Source: F. Damerau, "A technique for computer detection and correction of spelling errors",
/// 1964; the variant that edits no substring twice.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> names);

}  // namespace sluice::json
