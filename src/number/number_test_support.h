#pragma once

#include <algorithm>
#include <cstdlib>

namespace sluice::number {

/// How many rounds of a random test to do: `usual`, times the environment's SLUICE_SOAK if it is
/// set.
inline int rounds(int usual) {
  const char* factor = std::getenv("SLUICE_SOAK");
  return factor == nullptr ? usual : usual * std::max(1, std::atoi(factor));
}

}  // namespace sluice::number
