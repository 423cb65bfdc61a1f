#include "memory/shares.h"

#include "base/check.h"

namespace sluice {

Shares::Shares(std::uint64_t rest_bytes, std::size_t sinks)
    : total_(rest_bytes),
      own_(sinks == 0 ? 0 : rest_bytes / 2 / sinks),
      common_(rest_bytes / 2),
      held_(sinks, 0) {}

bool Shares::has_room(std::size_t sink, std::uint64_t bytes) const {
  if (held_[sink] == 0) return true;
  return held_[sink] + bytes <= bound(sink);
}

void Shares::charge(std::size_t sink, std::uint64_t bytes) { set_held(sink, held_[sink] + bytes); }

void Shares::discharge(std::size_t sink, std::uint64_t bytes) {
  SLUICE_CHECK(held_[sink] >= bytes);
  set_held(sink, held_[sink] - bytes);
}

std::uint64_t Shares::bound(std::size_t sink) const {
  // A sink that holds nothing may take a record of any size, so the common half can be overdrawn.
  const std::uint64_t others = common_used_ - beyond_own(held_[sink]);
  return own_ + (common_ > others ? common_ - others : 0);
}

void Shares::set_held(std::size_t sink, std::uint64_t held) {
  common_used_ -= beyond_own(held_[sink]);
  held_[sink] = held;
  common_used_ += beyond_own(held);
}

}  // namespace sluice
