#include "sinks/batch.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "record/record.h"

namespace sluice {

std::size_t Batch::reserve_bytes(const Pool& pool) {
  return pool.capacity_of(kSmallestScratch) +
         pool.capacity_of(kSmallestScratch / kBytesPerMark * sizeof(std::uint32_t));
}

bool Batch::open(Pool& pool, std::size_t largest_scratch) {
  pool_ = &pool;
  largest_scratch_ = largest_scratch;
  auto scratch = pool.take(kSmallestScratch, Region::sink);
  auto marks = pool.take(kSmallestScratch / kBytesPerMark * sizeof(std::uint32_t), Region::sink);
  if (!scratch || !marks) return false;
  scratch_ = std::move(*scratch);
  marks_buffer_ = std::move(*marks);
  limit_ = scratch_.capacity();
  return true;
}

Batch::Piece* Batch::new_piece() {
  if (piece_count_ == kPieces) {
    full_ = true;
    return nullptr;
  }
  pieces_[piece_count_] = {};
  return &pieces_[piece_count_++];
}

void Batch::extend_scratch_piece(std::size_t bytes) {
  std::uint8_t* const from = scratch_.data() + scratch_used_;
  Piece* piece = piece_count_ > 0 ? &pieces_[piece_count_ - 1] : nullptr;
  if (piece == nullptr || piece->data + piece->size != from || piece->block != nullptr) {
    piece = new_piece();
    piece->data = from;
  }
  piece->size += bytes;
  scratch_used_ += bytes;
  size_ += bytes;
}

/// Where it is pieces that lack, more scratch would not help.
void Batch::note_short(std::size_t wanted) {
  full_ = true;
  scratch_was_short_ = scratch_was_short_ || (!no_piece_left() && size_ + wanted <= limit_);
}

std::size_t Batch::copy(std::span<const std::uint8_t> bytes) {
  const std::span<std::uint8_t> room = writable(std::min<std::size_t>(bytes.size(), 1));
  const std::size_t taken = std::min(bytes.size(), room.size());
  if (taken > 0) {
    std::memcpy(room.data(), bytes.data(), taken);
    commit(taken);
  }
  if (taken < bytes.size()) note_short(1);
  return taken;
}

std::size_t Batch::refer(std::span<const std::uint8_t> bytes) {
  const std::size_t taken = std::min(bytes.size(), limit_ - size_);
  if (taken > 0) {
    Piece* piece = new_piece();
    if (piece == nullptr) return 0;
    piece->data = bytes.data();
    piece->size = taken;
    size_ += taken;
  }
  full_ = full_ || taken < bytes.size();
  return taken;
}

std::size_t Batch::refer_run(const Block& block, std::uint32_t first, std::uint32_t rows,
                             std::span<const std::uint8_t> bytes) {
  const std::size_t pieces_before = piece_count_;
  const std::size_t taken = refer(bytes);
  if (piece_count_ > pieces_before) {
    Piece& piece = pieces_[piece_count_ - 1];
    piece.block = &block;
    piece.row = first;
    piece.rows_end = first + rows;
  }
  return taken;
}

std::span<std::uint8_t> Batch::writable(std::size_t at_least) {
  const std::size_t room = copy_room();
  if (room >= at_least) return {scratch_.data() + scratch_used_, room};
  note_short(at_least);
  return {};
}

void Batch::commit(std::size_t bytes) {
  if (bytes > 0) extend_scratch_piece(bytes);
}

bool Batch::lacks_marks() {
  full_ = true;
  scratch_was_short_ = true;
  return false;
}

void Batch::mark_record() {
  SLUICE_CHECK(mark_count_ < marks_capacity());
  marks()[mark_count_++] = static_cast<std::uint32_t>(size_);
}

std::size_t Batch::unwritten(std::span<iovec> into) const {
  std::size_t count = 0;
  std::size_t offset = unwritten_offset_;
  for (std::size_t at = first_unwritten_; at < piece_count_ && count < into.size(); ++at) {
    const Piece& piece = pieces_[at];
    into[count++] = {.iov_base = const_cast<std::uint8_t*>(piece.data) + offset,
                     .iov_len = piece.size - offset};
    offset = 0;
  }
  return count;
}

std::uint64_t Batch::advance(std::size_t bytes) {
  written_ += bytes;
  std::uint64_t records = 0;
  while (first_unwritten_ < piece_count_) {
    Piece& piece = pieces_[first_unwritten_];
    const std::size_t step = std::min(bytes, piece.size - unwritten_offset_);
    unwritten_offset_ += step;
    bytes -= step;
    if (piece.block != nullptr) records += complete_rows(piece, unwritten_offset_);
    if (unwritten_offset_ < piece.size) break;
    ++first_unwritten_;
    unwritten_offset_ = 0;
  }
  while (marks_done_ < mark_count_ && marks()[marks_done_] <= written_) {
    ++marks_done_;
    ++records;
  }
  return records;
}

std::uint64_t Batch::complete_rows(Piece& piece, std::size_t written) const {
  const std::uint32_t before = piece.row;
  piece.row = first_row_beyond(*piece.block, before, piece.rows_end, piece.data + written);
  return piece.row - before;
}

std::uint64_t Batch::records_without_bytes() {
  if (size_ > 0) return 0;
  const std::uint64_t records = mark_count_ - marks_done_;
  discard();
  return records;
}

void Batch::discard() {
  piece_count_ = 0;
  mark_count_ = 0;
  marks_done_ = 0;
  scratch_used_ = 0;
  size_ = 0;
  written_ = 0;
  first_unwritten_ = 0;
  unwritten_offset_ = 0;
  full_ = false;
}

void Batch::clear() {
  SLUICE_CHECK(written());
  discard();
  // One burst is no reason to keep more for good.
  times_short_ = scratch_was_short_ ? times_short_ + 1 : 0;
  if (times_short_ >= kTimesShort && scratch_.capacity() < largest_scratch_) {
    const std::size_t wider = std::min(largest_scratch_, scratch_.capacity() * 2);
    if (pool_->grow(marks_buffer_, wider / kBytesPerMark * sizeof(std::uint32_t))) {
      static_cast<void>(pool_->grow(scratch_, wider));
    }
  }
  scratch_was_short_ = false;
}

}  // namespace sluice
