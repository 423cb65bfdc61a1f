#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace sluice {

/// Counts durations in buckets of bounded relative width, `PerDoubling` (a power of two) a
/// doubling, in fixed memory. Quantiles are the upper ends of their buckets: never too low, and too
/// high by at most 1/PerDoubling of the value.
template <std::uint32_t PerDoubling, class Count = std::uint32_t>
class Histogram {
 public:
  void add(std::uint64_t duration_ns, Count count = 1) {
    add_to(buckets_[bucket_of(duration_ns)], count);
    count_ += count;
    sum_ns_ += static_cast<double>(duration_ns) * static_cast<double>(count);
    max_ns_ = std::max(max_ns_, duration_ns);
  }
  void add(const Histogram& other) {
    for (std::uint32_t bucket = 0; bucket < kBuckets; ++bucket) {
      add_to(buckets_[bucket], other.buckets_[bucket]);
    }
    count_ += other.count_;
    sum_ns_ += other.sum_ns_;
    max_ns_ = std::max(max_ns_, other.max_ns_);
  }
  std::uint64_t count() const { return count_; }
  std::uint64_t max_ns() const { return max_ns_; }
  /// 0 when nothing was counted.
  double mean_ns() const { return count_ == 0 ? 0 : sum_ns_ / static_cast<double>(count_); }
  /// The duration that `share` (0 to 1) of all counted ones do not pass; 0 when there are none.
  std::uint64_t quantile_ns(double share) const {
    if (count_ == 0) return 0;
    const auto wanted =
        static_cast<std::uint64_t>(std::max(1.0, std::ceil(share * static_cast<double>(count_))));
    std::uint64_t seen = 0;
    for (std::uint32_t bucket = 0; bucket < kBuckets; ++bucket) {
      seen += buckets_[bucket];
      if (seen < wanted) continue;
      return bucket == kBuckets - 1 ? max_ns_ : std::min(upper_end_ns(bucket), max_ns_);
    }
    return max_ns_;
  }
  /// How many counted durations are at most `limit_ns`, to a bucket's width.
  std::uint64_t count_up_to(std::uint64_t limit_ns) const {
    std::uint64_t seen = 0;
    for (std::uint32_t bucket = 0; bucket <= bucket_of(limit_ns); ++bucket)
      seen += buckets_[bucket];
    return seen;
  }

 private:
  static_assert(std::has_single_bit(PerDoubling));
  static constexpr std::uint32_t kBits = std::countr_zero(PerDoubling);
  static constexpr std::uint32_t kBuckets = (43 - kBits) * PerDoubling;  // 2^42 ns: an hour

  static void add_to(Count& bucket, Count count) {
    constexpr Count kMost = std::numeric_limits<Count>::max();
    bucket = kMost - bucket < count ? kMost : bucket + count;
  }
  /// Values below PerDoubling have a bucket of their own each; above, the leading kBits + 1 bits
  /// decide.
  static std::uint32_t bucket_of(std::uint64_t duration_ns) {
    if (duration_ns < PerDoubling) return static_cast<std::uint32_t>(duration_ns);
    const auto doubling = static_cast<std::uint32_t>(std::bit_width(duration_ns)) - 1 - kBits;
    const auto within = static_cast<std::uint32_t>(duration_ns >> doubling) - PerDoubling;
    return std::min((doubling + 1) * PerDoubling + within, kBuckets - 1);
  }
  static std::uint64_t upper_end_ns(std::uint32_t bucket) {
    if (bucket < PerDoubling) return bucket;
    const std::uint32_t doubling = bucket / PerDoubling - 1;
    const std::uint64_t within = bucket % PerDoubling + PerDoubling;
    return ((within + 1) << doubling) - 1;
  }

  std::array<Count, kBuckets> buckets_{};
  std::uint64_t count_ = 0;
  double sum_ns_ = 0;
  std::uint64_t max_ns_ = 0;
};

}  // namespace sluice
