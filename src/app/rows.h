#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "memory/pool.h"

namespace sluice {

/// Rows of records in counted memory (Region::record, as blocks have it) that grows as they come.
class Rows {
 public:
  Rows(Pool& pool, std::size_t words) : pool_(pool), words_(words) {}

  /// Room for one more row at least, after those that are there; empty when there is no memory.
  std::span<std::uint64_t> room() {
    const std::size_t needed = (count_ + 1) * words_ * sizeof(std::uint64_t);
    if (needed > side_.capacity() && !grow(needed)) return {};
    auto* const all = reinterpret_cast<std::uint64_t*>(side_.data());
    const std::size_t rows = side_.capacity() / sizeof(std::uint64_t) / words_;
    return {all + count_ * words_, (rows - count_) * words_};
  }
  /// So many rows were written where `room` was.
  void commit(std::size_t rows) { count_ += rows; }

  std::size_t count() const { return count_; }
  std::span<std::uint64_t> words() const {
    return {reinterpret_cast<std::uint64_t*>(side_.data()), count_ * words_};
  }
  Buffer& buffer() { return side_; }

 private:
  bool grow(std::size_t needed) {
    if (side_) return pool_.grow(side_, 2 * side_.capacity());
    std::optional<Buffer> taken = pool_.take(needed, Region::record);
    if (taken) side_ = std::move(*taken);
    return taken.has_value();
  }

  Pool& pool_;
  std::size_t words_;
  std::size_t count_ = 0;
  Buffer side_;
};

}  // namespace sluice
