#include "memory/block.h"

#include <algorithm>
#include <new>

#include "base/check.h"

namespace sluice {
namespace {

std::size_t copy_control_size(std::size_t ends) {
  return sizeof(Block) + ends * sizeof(std::uint32_t);
}

}  // namespace

std::optional<OpenBlock> OpenBlock::take(Pool& pool, Region region, std::size_t data_size,
                                         std::size_t side_size) {
  OpenBlock open;
  std::optional<Buffer> control =
      pool.take(sizeof(Block) + sizeof(Block::Original), Region::record);
  if (!control) return std::nullopt;
  open.control = std::move(*control);
  std::optional<Buffer> side = pool.take(side_size, Region::record);
  if (!side) return std::nullopt;
  open.side = std::move(*side);
  std::optional<Buffer> data = pool.take(data_size, region);
  if (!data) return std::nullopt;
  open.data = std::move(*data);
  return open;
}

std::optional<OpenBlock> OpenBlock::take_copy(Pool& pool, std::size_t data_size, std::size_t ends) {
  OpenBlock open;
  const std::size_t control_size = copy_control_size(ends);
  const bool together = copy_capacity(pool, data_size, ends) <
                        pool.capacity_of(control_size) + pool.capacity_of(data_size);
  std::optional<Buffer> control =
      pool.take(control_size + (together ? data_size : 0), Region::record);
  if (!control) return std::nullopt;
  open.control = std::move(*control);
  if (together) return open;
  std::optional<Buffer> data = pool.take(data_size, Region::record);
  if (!data) return std::nullopt;
  open.data = std::move(*data);
  return open;
}

std::size_t OpenBlock::copy_capacity(const Pool& pool, std::size_t data_size, std::size_t ends) {
  const std::size_t control_size = copy_control_size(ends);
  return std::min(pool.capacity_of(control_size + data_size),
                  pool.capacity_of(control_size) + pool.capacity_of(data_size));
}

std::size_t OpenBlock::control_size() { return sizeof(Block) + sizeof(Block::Original); }

std::uint32_t* OpenBlock::copy_ends() const {
  return reinterpret_cast<std::uint32_t*>(control.data() + sizeof(Block));
}

std::uint8_t* OpenBlock::copy_data(std::size_t ends) const {
  return data ? data.data() : control.data() + copy_control_size(ends);
}

BlockRef Block::freeze(OpenBlock&& open, std::uint32_t rows, std::uint32_t row_words,
                       const BlockOrigin& origin) {
  void* const place = open.control.data();
  auto* const block =
      new (place) Block(open, open.data.data(), rows, row_words, false, origin.multiline);
  const auto side_capacity = static_cast<std::uint32_t>(open.side.capacity());
  new (block->behind()) Original{.origin = origin,
                                 .side = open.side.detach(),
                                 .side_capacity = side_capacity,
                                 .region = open.data.region_};
  return BlockRef(block);
}

BlockRef Block::freeze_copy(OpenBlock&& open, std::uint32_t rows, std::uint32_t pieces,
                            bool multiline) {
  const std::size_t ends = std::size_t{rows} * pieces;
  SLUICE_CHECK(open.control.capacity() >= copy_control_size(ends));
  void* const place = open.control.data();
  std::uint8_t* const data = open.copy_data(ends);
  return BlockRef(new (place) Block(open, data, rows, pieces, true, multiline));
}

Block::Block(OpenBlock& open, std::uint8_t* data, std::uint32_t rows, std::uint32_t row_words,
             bool is_copy, bool multiline)
    : pool_(open.control.pool_),
      data_(data),
      data_capacity_(static_cast<std::uint32_t>(open.data.capacity())),
      control_capacity_(static_cast<std::uint32_t>(open.control.capacity())),
      rows_(rows),
      row_words_(row_words & kMostRowWords),
      is_copy_(is_copy),
      multiline_(multiline) {
  SLUICE_CHECK(row_words <= kMostRowWords);
  open.data.detach();
  open.control.detach();
}

OpenBlock Block::dissolve() {
  OpenBlock open;
  Region region = Region::record;
  if (!is_copy_) {
    const Original& original = this->original();
    if (original.origin.ledger != nullptr) {
      original.origin.ledger->on_release(capacity(), original.origin.received_ns);
    }
    open.side = Buffer(*pool_, original.side, original.side_capacity, Region::record);
    region = original.region;
  }
  if (data_capacity_ > 0) open.data = Buffer(*pool_, data_, data_capacity_, region);
  open.control =
      Buffer(*pool_, reinterpret_cast<std::uint8_t*>(this), control_capacity_, Region::record);
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
