#pragma once

#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "memory/block.h"

namespace sluice {

/// The bytes of a sink's next write: pieces that lie in blocks, and pieces copied into a scratch
/// buffer. Knows after which byte each record ends, so that a write that goes halfway acknowledges
/// exactly the records that went. Filled up to a limit, then written, then cleared.
///
/// An append takes as much as fits and says how much; taking less than was offered makes the batch
/// full.
class Batch {
 public:
  /// From this size on a piece is referred to where it lies instead of copied.
  static constexpr std::size_t kReferredBytes = 1024;
  static constexpr std::size_t kSmallestScratch = 512;

  /// Takes kSmallestScratch and its marks at once; the scratch may grow to `largest_scratch`.
  /// False when the budget refuses.
  [[nodiscard]] bool open(Pool& pool, std::size_t largest_scratch);
  /// What `open` takes.
  static std::size_t reserve_bytes(const Pool& pool);

  /// The batch is full at `bytes`; set while it is empty.
  void set_limit(std::size_t bytes) { limit_ = bytes; }

  std::size_t copy(std::span<const std::uint8_t> bytes);
  /// `bytes` stay where they are until the batch is cleared.
  std::size_t refer(std::span<const std::uint8_t> bytes);
  /// Refers to bytes of `block` in which its rows from `first` on end, each with its newline; those
  /// of `rows` rows that end within them count as records, without marks.
  std::size_t refer_run(const Block& block, std::uint32_t first, std::uint32_t rows,
                        std::span<const std::uint8_t> bytes);
  /// Room for bytes made in place: fill some of it, then `commit` as many. Empty makes it full.
  std::span<std::uint8_t> writable(std::size_t at_least);
  void commit(std::size_t bytes);
  /// Whether one more record can be marked; asked before a record is begun.
  bool can_mark() { return mark_count_ < marks_capacity() || lacks_marks(); }
  /// A record ends here.
  void mark_record();
  /// Bytes that `copy` takes for sure.
  std::size_t copy_room() const {
    if (no_piece_left()) return 0;
    return std::min(limit_ - size_, scratch_.capacity() - scratch_used_);
  }
  /// Where that room is.
  std::uint8_t* copy_place() const { return scratch_.data() + scratch_used_; }

  std::size_t size() const { return size_; }
  bool full() const { return full_ || size_ == limit_; }
  bool written() const { return written_ == size_; }

  /// The pieces not written yet, as many as fit into `into`.
  std::size_t unwritten(std::span<iovec> into) const;
  /// Counts `bytes` more as written; says how many records are complete with them.
  std::uint64_t advance(std::size_t bytes);
  /// Records marked before any byte, which no write will complete; there is room for more then.
  std::uint64_t records_without_bytes();
  /// Forgets what is not written: the sink has ended.
  void discard();
  /// Empties it when all is written; a scratch that was too small grows if the budget has room.
  void clear();

 private:
  static constexpr std::size_t kPieces = 16;
  static constexpr std::size_t kBytesPerMark = 64;
  /// Batches in a row for which the scratch was too small before it grows.
  static constexpr std::uint32_t kTimesShort = 3;
  struct Piece {
    const std::uint8_t* data = nullptr;
    std::size_t size = 0;
    const Block* block = nullptr;  ///< of a run
    std::uint32_t row = 0;         ///< the run's first row that is not complete
    std::uint32_t rows_end = 0;
  };

  std::uint32_t* marks() const { return reinterpret_cast<std::uint32_t*>(marks_buffer_.data()); }
  std::size_t marks_capacity() const { return marks_buffer_.capacity() / sizeof(std::uint32_t); }
  /// One is kept for the scratch itself.
  bool no_piece_left() const { return piece_count_ + 1 >= kPieces; }
  void note_short(std::size_t wanted);
  bool lacks_marks();
  Piece* new_piece();
  void extend_scratch_piece(std::size_t bytes);
  std::uint64_t complete_rows(Piece& piece, std::size_t written) const;

  Pool* pool_ = nullptr;
  Buffer scratch_;
  Buffer marks_buffer_;
  std::size_t largest_scratch_ = 0;
  std::size_t scratch_used_ = 0;
  std::array<Piece, kPieces> pieces_;
  std::size_t piece_count_ = 0;
  std::size_t mark_count_ = 0;
  std::size_t marks_done_ = 0;
  std::size_t size_ = 0;
  std::size_t limit_ = 0;
  std::size_t written_ = 0;
  std::size_t first_unwritten_ = 0;   ///< piece
  std::size_t unwritten_offset_ = 0;  ///< within it
  bool full_ = false;
  bool scratch_was_short_ = false;
  std::uint32_t times_short_ = 0;  ///< batches in a row
};

}  // namespace sluice
