#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "condition.h"
#include "memory/budget.h"

namespace sluice::model {

/// What was counted at a moment, by region.
struct Sample {
  std::uint64_t at_ns = 0;
  std::array<std::uint64_t, kRegions> used{};
};

struct RunResult {
  std::uint64_t peak_bytes = 0;
  std::array<std::uint64_t, kRegions> peak_by_region{};
  std::uint64_t copied_bytes = 0;
  std::uint64_t time_ns = 0;
  double original_byte_seconds = 0;
  std::uint64_t outstanding_bytes = 0;
  std::uint64_t budget_bytes = 0;
  std::vector<std::uint64_t> records;    ///< by sink
  std::vector<std::uint64_t> queue_max;  ///< by sink
  std::vector<Sample> series;            ///< as blocks come, at most one a millisecond
};

/// The records of one condition as text, made once for all policies.
class Model {
 public:
  explicit Model(Condition condition);
  const Condition& condition() const { return condition_; }
  /// Runs it through the flow, its memory and its policies as they ship, in virtual time. `study`:
  /// with the reader and the account of the study.
  RunResult run(std::string_view policy, bool study) const;

 private:
  Condition condition_;
  std::string text_;
  std::vector<std::size_t> ends_;
};

}  // namespace sluice::model
