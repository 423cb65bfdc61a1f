#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "memory/budget.h"
#include "memory/size_classes.h"

namespace sluice {

class Pool;

/// Writable memory with one owner, counted against the pool's budget as long as it lives. Does not
/// remember how much of it is filled.
class Buffer {
 public:
  Buffer() = default;
  Buffer(Buffer&& other) noexcept;
  Buffer& operator=(Buffer&& other) noexcept;
  ~Buffer();

  std::uint8_t* data() const { return data_; }
  std::size_t capacity() const { return capacity_; }
  std::span<std::uint8_t> bytes() const { return {data_, capacity_}; }
  explicit operator bool() const { return data_ != nullptr; }

 private:
  friend class Pool;
  friend class Block;  // keeps data and capacity of its buffers, and the pool once
  Buffer(Pool& pool, std::uint8_t* data, std::size_t capacity, Region region)
      : pool_(&pool),
        data_(data),
        capacity_(static_cast<std::uint32_t>(capacity)),
        region_(region) {}

  /// Whoever calls it now owns the memory.
  std::uint8_t* detach() { return std::exchange(data_, nullptr); }

  Pool* pool_ = nullptr;
  std::uint8_t* data_ = nullptr;
  std::uint32_t capacity_ = 0;
  Region region_ = Region::fixed;
};

/// Hands out buffers by size class and keeps some empty ones for reuse. What it keeps is counted
/// (Region::pool) and yields first: before the budget refuses, and before its peak would rise.
/// Outlives its buffers. One thread.
class Pool {
 public:
  struct Options {
    SizeClasses classes = SizeClasses::four_a_doubling;
    std::size_t kept_per_class = 9;
    bool keeps_peak_low = true;  ///< empty buffers go before the budget's peak would rise
  };

  Pool(Budget& budget, const Options& options) : budget_(budget), options_(options) {}
  ~Pool() { drop_kept(); }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  static constexpr std::size_t kLargestBuffer = std::size_t{1} << 31;

  /// At least `size` bytes, not initialised; nothing when the budget refuses, or above
  /// kLargestBuffer.
  [[nodiscard]] std::optional<Buffer> take(std::size_t size, Region region);
  /// Makes `buffer` hold at least `size` bytes, in place where the system can; what is in it stays.
  /// With a `promise` the growth comes out of it. False: nothing changed.
  [[nodiscard]] bool grow(Buffer& buffer, std::size_t size, Promise* promise = nullptr);
  /// Gives back what `buffer` has beyond `size` bytes, in whole pages; what is in it stays where it
  /// is.
  void shrink(Buffer& buffer, std::size_t size);
  /// Lets empty buffers go as far as `bytes` more would be refused or raise the peak; for memory
  /// that is taken from the budget directly.
  void make_room(std::size_t bytes);
  /// Budget::try_promise, with the empty buffers yielding where that helps.
  [[nodiscard]] std::optional<Promise> try_promise(std::size_t bytes);
  /// Gives the empty buffers back to the system.
  void drop_kept();

  std::size_t capacity_of(std::size_t size) const { return capacity_for(size, options_.classes); }
  Budget& budget() { return budget_; }

 private:
  friend class Buffer;
  struct Kept {
    std::size_t capacity;
    std::vector<std::uint8_t*> memory;
  };

  void put_back(std::uint8_t* data, std::size_t capacity, Region region);
  std::uint8_t* reuse(std::size_t capacity, Region region);
  Kept& kept_of(std::size_t capacity);

  Budget& budget_;
  Options options_;
  std::vector<Kept> kept_;
};

}  // namespace sluice
