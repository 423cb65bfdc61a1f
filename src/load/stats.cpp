#include "load/stats.h"

#include <algorithm>
#include <numeric>

namespace sluice::load {

const char* failure_name(Failure failure) {
  constexpr std::array<const char*, kFailures> kNames = {"connect", "write",  "read",
                                                         "closed",  "answer", "timeout"};
  return kNames[static_cast<std::size_t>(failure)];
}

void Stats::add(const Stats& other) {
  const auto add_all = [](auto& to, const auto& from) {
    std::ranges::transform(to, from, to.begin(), std::plus{});
  };
  sent += other.sent;
  answered += other.answered;
  add_all(by_status_class, other.by_status_class);
  add_all(failures, other.failures);
  unsent += other.unsent;
  bytes_out += other.bytes_out;
  bytes_in += other.bytes_in;
  elapsed_ns = std::max(elapsed_ns, other.elapsed_ns);
  cpu_ns += other.cpu_ns;
  latency.add(other.latency);
}

std::uint64_t Stats::failed() const {
  return std::accumulate(failures.begin(), failures.end(), std::uint64_t{0});
}

}  // namespace sluice::load
