#include "flow/latency.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace sluice {

std::uint32_t LatencyHistogram::bucket_of(std::uint64_t duration_ns) {
  if (duration_ns < kPerDoubling) return static_cast<std::uint32_t>(duration_ns);
  // The three bits behind the leading one choose among the eight buckets of its doubling.
  const auto log = static_cast<std::uint32_t>(std::bit_width(duration_ns)) - 1;
  const auto step = static_cast<std::uint32_t>(duration_ns >> (log - 3)) - kPerDoubling;
  return std::min((log - 2) * kPerDoubling + step, kBuckets - 1);
}

std::uint64_t LatencyHistogram::upper_end_ns(std::uint32_t bucket) {
  if (bucket < kPerDoubling) return bucket;
  const std::uint32_t log = bucket / kPerDoubling + 2;
  const std::uint64_t step = bucket % kPerDoubling + kPerDoubling;
  return ((step + 1) << (log - 3)) - 1;
}

void LatencyHistogram::add(std::uint64_t duration_ns, std::uint32_t count) {
  std::uint32_t& bucket = buckets_[bucket_of(duration_ns)];
  bucket = std::numeric_limits<std::uint32_t>::max() - bucket < count
               ? std::numeric_limits<std::uint32_t>::max()
               : bucket + count;
  count_ += count;
  max_ns_ = std::max(max_ns_, duration_ns);
}

std::uint64_t LatencyHistogram::quantile_ns(double share) const {
  const auto wanted = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(count_)));
  std::uint64_t seen = 0;
  for (std::uint32_t bucket = 0; bucket < kBuckets; ++bucket) {
    seen += buckets_[bucket];
    if (seen < wanted || seen == 0) continue;
    return bucket == kBuckets - 1 ? max_ns_ : std::min(upper_end_ns(bucket), max_ns_);
  }
  return max_ns_;
}

}  // namespace sluice
