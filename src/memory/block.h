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

  /// For records as they came; `side_size`: of the area for their rows. Nothing when the budget
  /// refuses any of the three.
  static std::optional<OpenBlock> take(Pool& pool, Region region, std::size_t data_size,
                                       std::size_t side_size);
  /// For a copy, whose `ends` lie behind the control block, and its data behind them or, where that
  /// keeps less, in a buffer of their own.
  static std::optional<OpenBlock> take_copy(Pool& pool, std::size_t data_size, std::size_t ends);
  /// Bytes that `take_copy` would keep of the pool.
  static std::size_t copy_capacity(const Pool& pool, std::size_t data_size, std::size_t ends);
  /// Bytes of the control block of records as they came.
  static std::size_t control_size();
  /// Where the ends and the data of a copy go. Requires: from take_copy, with as many `ends`.
  std::uint32_t* copy_ends() const;
  std::uint8_t* copy_data(std::size_t ends) const;
  /// What the block will be charged with.
  std::size_t capacity() const { return data.capacity() + side.capacity() + control.capacity(); }
};

/// One counted buffer that holds records, and says where they are: by a row of 64-bit words for
/// each or, of a copy, by the ends of its pieces, which lie one behind the other. Immutable: once
/// made, it is only shared. The last reference gives its memory back.
///
/// The control block of an original is this object and its origin, that of a copy this object, the
/// ends and, of a small copy, the pieces too: a copy is made for every record that travels alone,
/// and of a hundred small ones it should keep little beyond their selected bytes.
class Block {
 public:
  /// `rows` rows of `row_words` words stand at the start of the side area. Requires: from take.
  static BlockRef freeze(OpenBlock&& open, std::uint32_t rows, std::uint32_t row_words,
                         const BlockOrigin& origin);
  /// Each of `rows` records has `pieces` pieces, whose ends in the data are there, in order.
  /// Requires: from take_copy, with as many ends.
  static BlockRef freeze_copy(OpenBlock&& open, std::uint32_t rows, std::uint32_t pieces,
                              bool multiline);

  const std::uint8_t* data() const { return data_; }
  std::uint32_t rows() const { return rows_; }
  /// Requires: not a copy.
  std::span<const std::uint64_t> row(std::uint32_t index) const {
    return {
        reinterpret_cast<const std::uint64_t*>(original().side) + std::size_t{index} * row_words_,
        row_words_};
  }
  /// A piece of a record. Requires: a copy.
  std::span<const std::uint8_t> piece(std::uint32_t index, std::uint32_t piece) const {
    const std::size_t at = std::size_t{index} * row_words_ + piece;
    const auto* const ends = static_cast<const std::uint32_t*>(behind());
    const std::uint32_t start = at == 0 ? 0 : ends[at - 1];
    return {data_ + start, ends[at] - start};
  }
  bool is_copy() const { return is_copy_; }
  /// Records may hold newlines between their tokens.
  bool multiline() const { return multiline_; }
  /// Requires: not a copy.
  const BlockOrigin& origin() const { return original().origin; }
  /// Bytes that live as long as this block does.
  std::size_t capacity() const {
    return data_capacity_ + control_capacity_ + (is_copy_ ? 0 : original().side_capacity);
  }
  /// Of them, those of the records' own bytes. Requires: not a copy.
  std::size_t data_capacity() const { return data_capacity_; }

 private:
  friend class BlockRef;
  friend struct OpenBlock;
  /// What only blocks of records as they came have.
  struct Original {
    BlockOrigin origin;
    std::uint8_t* side;
    std::uint32_t side_capacity;
    Region region;
  };

  Block(OpenBlock& open, std::uint8_t* data, std::uint32_t rows, std::uint32_t row_words,
        bool is_copy, bool multiline);
  void* behind() { return this + 1; }
  const void* behind() const { return this + 1; }
  const Original& original() const { return *static_cast<const Original*>(behind()); }
  void release();
  OpenBlock dissolve();

  static constexpr std::uint32_t kMostRowWords = (1u << 30) - 1;

  Pool* pool_;
  std::uint8_t* data_;
  std::uint32_t data_capacity_;  ///< 0: the data lie in the control block
  std::uint32_t control_capacity_;
  std::uint32_t rows_;
  std::uint32_t row_words_ : 30;  ///< of a copy: pieces of a record
  std::uint32_t is_copy_ : 1;
  std::uint32_t multiline_ : 1;
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
