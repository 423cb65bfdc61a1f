#include "memory/block.h"

#include <new>

namespace sluice {

std::optional<OpenBlock> OpenBlock::take(Pool& pool, Region region, std::size_t data_size,
                                         std::size_t side_size) {
  OpenBlock open;
  std::optional<Buffer> control = pool.take(sizeof(Block), Region::record);
  if (!control) return std::nullopt;
  open.control = std::move(*control);
  if (side_size > 0) {
    std::optional<Buffer> side = pool.take(side_size, Region::record);
    if (!side) return std::nullopt;
    open.side = std::move(*side);
  }
  std::optional<Buffer> data = pool.take(data_size, region);
  if (!data) return std::nullopt;
  open.data = std::move(*data);
  return open;
}

BlockRef Block::freeze(OpenBlock&& open, std::uint32_t rows, std::uint32_t row_words,
                       const BlockOrigin& origin) {
  void* place = open.control.data();
  return BlockRef(new (place) Block(std::move(open), rows, row_words, origin));
}

Block::Block(OpenBlock&& open, std::uint32_t rows, std::uint32_t row_words,
             const BlockOrigin& origin)
    : data_(std::move(open.data)),
      side_(std::move(open.side)),
      control_(std::move(open.control)),
      origin_(origin),
      rows_(rows),
      row_words_(row_words) {}

OpenBlock Block::dissolve() {
  if (origin_.ledger != nullptr) origin_.ledger->on_release(capacity(), origin_.received_ns);
  OpenBlock open{
      .data = std::move(data_), .side = std::move(side_), .control = std::move(control_)};
  this->~Block();
  return open;
}

void Block::release() {
  if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) dissolve();
}

std::optional<OpenBlock> BlockRef::try_reopen() {
  if (block_ == nullptr || block_->references_.load(std::memory_order_acquire) != 1) {
    return std::nullopt;
  }
  return std::exchange(block_, nullptr)->dissolve();
}

}  // namespace sluice
