#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "base/clock.h"
#include "memory/pool.h"

namespace sluice {

class BlockRef;

/// Sums up for how long how many bytes were kept alive, from complete receipt to the last
/// reference gone.
class BlockLedger {
 public:
  explicit BlockLedger(Clock& clock) : clock_(clock) {}
  void on_release(std::size_t capacity, std::uint64_t received_ns) {
    byte_seconds_ +=
        static_cast<double>(capacity) * static_cast<double>(clock_.now_ns() - received_ns) / 1e9;
  }
  double byte_seconds() const { return byte_seconds_; }

 private:
  Clock& clock_;
  double byte_seconds_ = 0;
};

/// What all records of a block have in common.
struct BlockOrigin {
  std::uint64_t offset = 0;       ///< of the block's first byte in its source
  std::uint64_t received_ns = 0;  ///< when its last byte was there
  std::uint32_t source = 0;
  bool multiline = false;         ///< records may hold newlines between their tokens
  BlockLedger* ledger = nullptr;  ///< null: nobody counts, as for copies
};

/// The memory of a block while it is filled: data, side area and control block. All of it is taken
/// at once, before anything is read, so that a block that was begun can always be finished.
struct OpenBlock {
  Buffer data;
  Buffer side;
  Buffer control;

  /// Nothing when the budget refuses any of the three. `side_size` 0: no side area.
  static std::optional<OpenBlock> take(Pool& pool, Region region, std::size_t data_size,
                                       std::size_t side_size);
  /// What the block will be charged with.
  std::size_t capacity() const { return data.capacity() + side.capacity() + control.capacity(); }
};

/// One counted buffer that holds records, and a side area with a row of 64-bit words for each.
/// Immutable: once made, it is only shared. The last reference gives its memory back.
class Block {
 public:
  /// `rows` rows of `row_words` words stand at the start of the side area, or, where there is
  /// none, at the start of the data.
  static BlockRef freeze(OpenBlock&& open, std::uint32_t rows, std::uint32_t row_words,
                         const BlockOrigin& origin);

  const std::uint8_t* data() const { return data_.data(); }
  std::uint32_t rows() const { return rows_; }
  std::span<const std::uint64_t> row(std::uint32_t index) const {
    return {words() + std::size_t{index} * row_words_, row_words_};
  }
  const BlockOrigin& origin() const { return origin_; }
  /// Bytes that live as long as this block does.
  std::size_t capacity() const { return data_.capacity() + side_.capacity() + control_.capacity(); }

 private:
  friend class BlockRef;
  Block(OpenBlock&& open, std::uint32_t rows, std::uint32_t row_words, const BlockOrigin& origin);
  const std::uint64_t* words() const {
    const Buffer& buffer = side_ ? side_ : data_;
    return reinterpret_cast<const std::uint64_t*>(buffer.data());
  }
  void release();
  OpenBlock dissolve();

  Buffer data_;
  Buffer side_;
  Buffer control_;
  BlockOrigin origin_;
  std::uint32_t rows_;
  std::uint32_t row_words_;
  std::atomic<std::uint32_t> references_{1};
};

/// Shares a block. Copying costs an atomic increment.
class BlockRef {
 public:
  BlockRef() = default;
  BlockRef(const BlockRef& other) : block_(other.block_) {
    if (block_ != nullptr) block_->references_.fetch_add(1, std::memory_order_relaxed);
  }
  BlockRef(BlockRef&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  BlockRef& operator=(BlockRef other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~BlockRef() { reset(); }

  void reset() {
    if (block_ != nullptr) std::exchange(block_, nullptr)->release();
  }
  const Block* get() const { return block_; }
  const Block& operator*() const { return *block_; }
  const Block* operator->() const { return block_; }
  explicit operator bool() const { return block_ != nullptr; }
  friend bool operator==(const BlockRef&, const BlockRef&) = default;
  /// Takes the memory out of a block that nobody else refers to, for reuse; nothing when somebody
  /// does. The reference is empty afterwards only if it succeeded.
  std::optional<OpenBlock> try_reopen();

 private:
  friend class Block;
  explicit BlockRef(Block* block) : block_(block) {}
  Block* block_ = nullptr;
};

}  // namespace sluice
