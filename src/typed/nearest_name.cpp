#include "typed/nearest_name.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace sluice::json {
namespace {

constexpr std::size_t kNamesMax = 256;
constexpr std::size_t kBytesMax = 64;

using Row = std::array<std::size_t, kBytesMax + 1>;

/// Edits that make one of the other; neither is longer than kBytesMax.
std::size_t distance(std::string_view a, std::string_view b) {
  Row two_before{};
  Row before{};
  Row row{};
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    two_before = before;
    before = row;
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = a[i - 1] == b[j - 1];
      row[j] = std::min({before[j] + 1, row[j - 1] + 1, before[j - 1] + !same});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], two_before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace

std::string_view nearest_name(std::string_view name, std::span<const std::string_view> names) {
  if (name.size() > kBytesMax) return {};
  std::string_view nearest;
  std::size_t edits_max = name.size() / 3;
  for (const std::string_view candidate : names.first(std::min(names.size(), kNamesMax))) {
    if (candidate.size() > kBytesMax) continue;
    const std::size_t edits = distance(name, candidate);
    if (edits == 0 || edits > edits_max) continue;
    nearest = candidate;
    edits_max = edits - 1;
  }
  return nearest;
}

}  // namespace sluice::json
