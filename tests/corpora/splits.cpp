#include "splits.h"

#include <algorithm>
#include <random>

namespace sluice::json {
namespace {

constexpr std::size_t kEverySplitMax = 96;
constexpr int kRandomSplits = 6;

std::vector<std::size_t> random_cuts(std::mt19937& random, std::size_t size) {
  std::vector<std::size_t> cuts(1 + random() % 8);
  for (std::size_t& cut : cuts) cut = random() % (size + 1);
  std::sort(cuts.begin(), cuts.end());
  return cuts;
}

}  // namespace

std::vector<std::vector<std::size_t>> splits_of(std::size_t size) {
  std::vector<std::vector<std::size_t>> splits = {{}};
  if (size <= kEverySplitMax) {
    std::vector<std::size_t> everywhere;
    for (std::size_t cut = 0; cut <= size; ++cut) {
      splits.push_back({cut});
      everywhere.push_back(cut);
    }
    splits.push_back(everywhere);
  } else {
    std::mt19937 random(static_cast<unsigned>(size));
    for (int round = 0; round < kRandomSplits; ++round) splits.push_back(random_cuts(random, size));
  }
  return splits;
}

}  // namespace sluice::json
