#pragma once

#include <cstdint>
#include <vector>

#include "base/clock.h"
#include "flow/pipeline.h"
#include "flow/source.h"
#include "memory/budget.h"

namespace sluice {

/// Tells on standard error whom the run waits for, and on a terminal how far it is.
class Progress final : public PipelineObserver {
 public:
  /// `total_bytes` 0: not known.
  Progress(Clock& clock, std::vector<const Source*> sources, const Budget& budget,
           std::uint64_t total_bytes, bool draws);
  ~Progress() override;

  void on_waiting(const Port& port) override;
  void on_progress() override;

 private:
  Clock& clock_;
  std::vector<const Source*> sources_;
  const Budget& budget_;
  std::uint64_t total_bytes_;
  bool draws_;
  std::uint64_t started_ns_;
  std::uint64_t drawn_ns_ = 0;
};

}  // namespace sluice
