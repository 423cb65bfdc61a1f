#pragma once

#include <cstdint>

namespace sluice::load {

/// The moments at which the requests of an open loop are meant to leave: evenly spaced, whatever
/// becomes of those before. Latency counts from there, so that a server that stalls is charged for
/// every request that should have left meanwhile (G. Tene, "How not to measure latency", 2013).
class Schedule {
 public:
  /// `per_second` > 0. Of several workers that share a rate, number `offset` of `of`.
  Schedule(std::uint64_t start_ns, double per_second, std::uint64_t offset, std::uint64_t of)
      : start_ns_(start_ns), period_ns_(1e9 / per_second), next_(offset), step_(of) {}

  std::uint64_t next_ns() const {
    return start_ns_ + static_cast<std::uint64_t>(static_cast<double>(next_) * period_ns_);
  }
  void advance() { next_ += step_; }

 private:
  std::uint64_t start_ns_;
  double period_ns_;
  std::uint64_t next_;
  std::uint64_t step_;
};

}  // namespace sluice::load
