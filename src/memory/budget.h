#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace sluice {

/// What counted memory is used for. Each has its own peak in the report.
enum class Region : std::uint8_t { fixed, queue, input, record, parser, pool, sink };
inline constexpr std::size_t kRegions = 7;
/// As the report spells it, e.g. "input".
const char* region_name(Region region);

class Budget;

/// Bytes that a budget has set aside for one grower, so that it never waits half-grown. What is not
/// taken of them is free again when the promise ends. Must not outlive its budget.
class Promise {
 public:
  Promise() = default;
  Promise(Promise&& other) noexcept
      : budget_(std::exchange(other.budget_, nullptr)), left_(std::exchange(other.left_, 0)) {}
  Promise& operator=(Promise&& other) noexcept;
  ~Promise() { end(); }

  /// As Budget::try_take, out of what was promised; refuses beyond it.
  [[nodiscard]] bool try_take(Region region, std::size_t bytes);
  void end();
  explicit operator bool() const { return budget_ != nullptr; }

 private:
  friend class Budget;
  Promise(Budget& budget, std::uint64_t bytes) : budget_(&budget), left_(bytes) {}

  Budget* budget_ = nullptr;
  std::uint64_t left_ = 0;
};

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

  /// Sets `bytes` aside for one grower (the banker's test: what is used, what all other growers may
  /// still need and this must fit). Nothing when they do not.
  [[nodiscard]] std::optional<Promise> try_promise(std::size_t bytes);

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
  friend class Promise;
  bool refuses_now() { return refuse_in_ > 0 && --refuse_in_ == 0; }
  static std::size_t index(Region region) { return static_cast<std::size_t>(region); }
  void count(Region region, std::size_t bytes);

  std::uint64_t limit_;
  std::uint64_t used_ = 0;
  std::uint64_t promised_ = 0;  ///< to all growers, and not taken yet
  std::uint64_t peak_ = 0;
  std::uint64_t refuse_in_ = 0;
  std::array<std::uint64_t, kRegions> used_by_{};
  std::array<std::uint64_t, kRegions> peak_by_{};
};

}  // namespace sluice
