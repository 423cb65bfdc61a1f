#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/histogram.h"

namespace sluice::load {

/// What became of a request that got no answer.
enum class Failure : std::uint8_t {
  connect,  ///< no connection
  write,    ///< sending failed
  read,     ///< receiving failed
  closed,   ///< the peer closed before it had answered
  answer,   ///< what came was no HTTP answer
  timeout,  ///< nothing came in time
};
inline constexpr std::size_t kFailures = 6;
/// As reports spell it, e.g. "connect".
const char* failure_name(Failure failure);

/// Quantiles at most 0.8 % too high.
using Latencies = Histogram<128, std::uint64_t>;

/// Counts of one worker, or of all together.
struct Stats {
  std::uint64_t sent = 0;
  std::uint64_t answered = 0;
  std::array<std::uint64_t, 6> by_status_class{};  ///< 1xx at 1, ..., 5xx at 5; others at 0
  std::array<std::uint64_t, kFailures> failures{};
  std::uint64_t unsent = 0;  ///< of an open loop: were due and found no free connection to the end
  std::uint64_t bytes_out = 0;
  std::uint64_t bytes_in = 0;
  std::uint64_t elapsed_ns = 0;
  std::uint64_t cpu_ns = 0;
  Latencies latency;  ///< from when a request was meant to leave to the last byte of its answer

  void add(const Stats& other);
  std::uint64_t failed() const;
  void count(Failure failure, std::uint64_t times = 1) {
    failures[static_cast<std::size_t>(failure)] += times;
  }
};

}  // namespace sluice::load
