#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace sluice {

/// What counted memory is used for. Each has its own peak in the report.
enum class Region : std::uint8_t { fixed, queue, input, record, parser, pool, sink };
inline constexpr std::size_t kRegions = 7;
/// As the report spells it, e.g. "input".
const char* region_name(Region region);

/// The one limit on managed memory, and the only part that says no. Counts capacities, where they
/// are taken; knows nothing of what is in them. One thread.
class Budget {
 public:
  explicit Budget(std::uint64_t limit_bytes) : limit_(limit_bytes) {}

  /// Counts `bytes` for `region`, or refuses: nothing may pass the limit, nor touch what is
  /// promised to somebody who is growing.
  [[nodiscard]] bool try_take(Region region, std::size_t bytes);
  void give_back(Region region, std::size_t bytes);
  /// The same bytes now serve another purpose.
  void move(Region from, Region to, std::size_t bytes);

  /// Sets `bytes` aside for one grower, so that it never waits half-grown (the banker's test: what
  /// is used, what growers may still need and this must fit). One promise at a time.
  [[nodiscard]] bool try_promise(std::size_t bytes);
  /// As try_take, out of what was promised; refuses beyond it.
  [[nodiscard]] bool try_take_promised(Region region, std::size_t bytes);
  void end_promise() { promised_ = 0; }

  /// For tests: the `nth` try_take or try_promise from now on (1: the next) is refused.
  void refuse_once(std::uint64_t nth) { refuse_in_ = nth; }
  /// Whether that is still to come.
  bool refusal_pending() const { return refuse_in_ > 0; }

  std::uint64_t limit() const { return limit_; }
  std::uint64_t used() const { return used_; }
  std::uint64_t free() const { return limit_ - used_ - promised_; }
  std::uint64_t peak() const { return peak_; }
  std::uint64_t used(Region region) const { return used_by_[index(region)]; }
  std::uint64_t peak(Region region) const { return peak_by_[index(region)]; }

 private:
  bool refuses_now() { return refuse_in_ > 0 && --refuse_in_ == 0; }
  static std::size_t index(Region region) { return static_cast<std::size_t>(region); }
  void count(Region region, std::size_t bytes);

  std::uint64_t limit_;
  std::uint64_t used_ = 0;
  std::uint64_t promised_ = 0;
  std::uint64_t peak_ = 0;
  std::uint64_t refuse_in_ = 0;
  std::array<std::uint64_t, kRegions> used_by_{};
  std::array<std::uint64_t, kRegions> peak_by_{};
};

}  // namespace sluice
