#pragma once

#include <cstdint>

namespace sluice {

/// Where time comes from. Nanoseconds since a fixed point that means nothing.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual std::uint64_t now_ns() = 0;
};

/// The machine's monotonic clock.
class SteadyClock final : public Clock {
 public:
  std::uint64_t now_ns() override;
};

/// Time that stands still until somebody moves it; for tests and experiments.
class ManualClock final : public Clock {
 public:
  std::uint64_t now_ns() override { return now_ns_; }
  void advance(std::uint64_t ns) { now_ns_ += ns; }

 private:
  std::uint64_t now_ns_ = 1;
};

}  // namespace sluice
