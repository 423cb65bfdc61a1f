#pragma once

#include <array>
#include <cstdint>

namespace sluice {

/// Counts durations in buckets of bounded relative width (eight a doubling), in fixed memory.
/// Quantiles are the upper ends of their buckets: at most 12.5 % too high, never too low.
class LatencyHistogram {
 public:
  void add(std::uint64_t duration_ns, std::uint32_t count);
  std::uint64_t count() const { return count_; }
  std::uint64_t max_ns() const { return max_ns_; }
  /// The duration that `share` (0 to 1) of all counted ones do not pass; 0 when there are none.
  std::uint64_t quantile_ns(double share) const;

 private:
  static constexpr std::uint32_t kPerDoubling = 8;
  static constexpr std::uint32_t kBuckets = 40 * kPerDoubling;  // up to 2^42 ns: an hour
  static std::uint32_t bucket_of(std::uint64_t duration_ns);
  static std::uint64_t upper_end_ns(std::uint32_t bucket);

  std::array<std::uint32_t, kBuckets> buckets_{};
  std::uint64_t count_ = 0;
  std::uint64_t max_ns_ = 0;
};

}  // namespace sluice
