#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "config/tree.h"

namespace sluice {

/// What is wrong with a configuration, and where.
struct ConfigProblem {
  ConfigPlace place;
  std::string message;  ///< a sentence without its place
};

/// All that is found wrong with one file, so that it can be told at once.
class ConfigProblems {
 public:
  static constexpr std::size_t kMostTold = 100;

  /// Those at one place stay in the order in which they were found.
  void add(const ConfigPlace& place, std::string message) {
    if (problems_.size() == kMostTold) return;
    const auto behind = std::ranges::upper_bound(problems_, place, {}, &ConfigProblem::place);
    problems_.insert(behind, {place, std::move(message)});
  }
  bool empty() const { return problems_.empty(); }
  std::size_t size() const { return problems_.size(); }
  /// In the order of their places.
  const std::vector<ConfigProblem>& all() const { return problems_; }

 private:
  std::vector<ConfigProblem> problems_;
};

}  // namespace sluice
