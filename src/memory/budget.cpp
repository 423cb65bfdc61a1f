#include "memory/budget.h"

#include <algorithm>

#include "base/check.h"

namespace sluice {

const char* region_name(Region region) {
  constexpr std::array<const char*, kRegions> kNames{"fixed",  "queue", "input", "record",
                                                     "parser", "pool",  "sink"};
  return kNames[static_cast<std::size_t>(region)];
}

bool Budget::try_take(Region region, std::size_t bytes) {
  if (bytes > free() || refuses_now()) return false;
  count(region, bytes);
  return true;
}

void Budget::give_back(Region region, std::size_t bytes) {
  SLUICE_CHECK(used_by_[index(region)] >= bytes);
  used_ -= bytes;
  used_by_[index(region)] -= bytes;
}

void Budget::move(Region from, Region to, std::size_t bytes) {
  SLUICE_CHECK(used_by_[index(from)] >= bytes);
  used_by_[index(from)] -= bytes;
  used_ -= bytes;
  count(to, bytes);
}

std::optional<Promise> Budget::try_promise(std::size_t bytes) {
  if (bytes > free() || refuses_now()) return std::nullopt;
  promised_ += bytes;
  return Promise(*this, bytes);
}

Promise& Promise::operator=(Promise&& other) noexcept {
  if (this != &other) {
    end();
    budget_ = std::exchange(other.budget_, nullptr);
    left_ = std::exchange(other.left_, 0);
  }
  return *this;
}

bool Promise::try_take(Region region, std::size_t bytes) {
  if (budget_ == nullptr || bytes > left_) return false;
  left_ -= bytes;
  budget_->promised_ -= bytes;
  budget_->count(region, bytes);
  return true;
}

void Promise::end() {
  if (budget_ != nullptr) std::exchange(budget_, nullptr)->promised_ -= std::exchange(left_, 0);
}

void Budget::count(Region region, std::size_t bytes) {
  used_ += bytes;
  peak_ = std::max(peak_, used_);
  const std::size_t at = index(region);
  used_by_[at] += bytes;
  peak_by_[at] = std::max(peak_by_[at], used_by_[at]);
}

}  // namespace sluice
