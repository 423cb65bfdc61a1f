#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sluice {

/// How much of the budget each sink may keep alive. Half of what is left after the reserves is
/// divided among the sinks as own shares, half is common: a sink that is at its own share goes on
/// into the common half, at most as far as that is still free. A block is charged in full to every
/// sink that refers to it, however many do, so that no sink can hold up another by sharing with it.
/// One thread.
class Shares {
 public:
  Shares(std::uint64_t rest_bytes, std::size_t sinks);

  /// Whether `sink` may refer to one more block of `bytes`; one that holds nothing always may.
  bool has_room(std::size_t sink, std::uint64_t bytes) const;
  void charge(std::size_t sink, std::uint64_t bytes);
  void discharge(std::size_t sink, std::uint64_t bytes);

  std::uint64_t total() const { return total_; }
  std::uint64_t held(std::size_t sink) const { return held_[sink]; }
  /// The most that `sink` could hold now.
  std::uint64_t bound(std::size_t sink) const;

 private:
  std::uint64_t beyond_own(std::uint64_t held) const { return held > own_ ? held - own_ : 0; }
  void set_held(std::size_t sink, std::uint64_t held);

  std::uint64_t total_ = 0;
  std::uint64_t own_ = 0;
  std::uint64_t common_ = 0;
  std::uint64_t common_used_ = 0;
  std::vector<std::uint64_t> held_;
};

}  // namespace sluice
