#include "app/intake.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "json/scan.h"

namespace sluice {
namespace {

constexpr std::size_t kSmallestBlock = 4 * 1024;
constexpr std::size_t kSlack = json::kScanPadding + 1;  // with the newline behind a text
constexpr std::size_t kMostRows = 4096;

/// Whether each record stands alone on its line: then a sink writes it with the newline behind it.
bool is_plain(const std::uint8_t* text, std::uint64_t range) {
  const std::uint8_t* const body = text + json::range_start(range);
  const std::uint32_t size = json::range_size(range);
  return body[size] == '\n' && std::memchr(body, '\n', size) == nullptr;
}

}  // namespace

Intake::Intake(Pool& pool, Clock& clock, PushedSource& source, const Options& options)
    : pool_(pool),
      clock_(clock),
      source_(source),
      options_(options),
      wanted_data_(std::min(kSmallestBlock, options.largest_block)) {
  SLUICE_CHECK(options.alone_from + kSlack <= options.largest_block);
  source_.on_idle([this] { close_block(); });
}

Intake::~Intake() {
  close_block();
  source_.on_idle({});
}

bool Intake::may_have_room(std::size_t size) {
  if (source_.stopped()) return false;
  if (fits(size, 1)) return true;
  if (size > pool_.budget().limit()) return false;
  const std::uint64_t bytes = pool_.capacity_of(std::max(size, wanted_data_));
  if (!source_.try_admit(bytes)) return false;
  source_.withdraw(bytes);
  return true;
}

/// Whether the block that is being filled takes so much more.
bool Intake::fits(std::size_t size, std::size_t rows) const {
  return open_ && used_ + size + kSlack <= open_->data.capacity() &&
         (rows_ + rows) * row_bytes() <= open_->side.capacity();
}

bool Intake::append(std::span<const std::uint8_t> text, std::span<const std::uint64_t> rows) {
  const std::size_t count = rows.size() / options_.row_words;
  SLUICE_CHECK(text.size() <= options_.alone_from && count > 0);
  if (source_.stopped()) return false;
  if (!fits(text.size(), count)) {
    close_block();
    if (!open_block(text.size(), count)) return false;
  }
  std::uint8_t* const at = open_->data.data() + used_;
  std::memcpy(at, text.data(), text.size());
  at[text.size()] = '\n';
  auto* const side = reinterpret_cast<std::uint64_t*>(open_->side.data());
  std::uint64_t* const to = side + rows_ * options_.row_words;
  std::ranges::copy(rows, to);
  for (std::size_t row = 0; row < count; ++row) {
    std::uint64_t& range = to[row * options_.row_words];
    multiline_ = multiline_ || !is_plain(at, range);
    range += used_;  // the start is the low half
  }
  used_ += text.size() + 1;
  rows_ += static_cast<std::uint32_t>(count);
  return true;
}

bool Intake::adopt(Buffer& data, Buffer& side, std::uint32_t rows, bool multiline,
                   std::size_t text_bytes) {
  SLUICE_CHECK(rows > 0);
  close_block();  // in the order in which they were accepted
  const std::size_t control_size = OpenBlock::control_size();
  const std::uint64_t bytes = data.capacity() + side.capacity() + pool_.capacity_of(control_size);
  if (!source_.try_admit(bytes)) return false;
  std::optional<Buffer> control = pool_.take(control_size, Region::record);
  if (!control) {
    source_.refuse(bytes);
    return false;
  }
  OpenBlock block;
  block.data = std::move(data);
  block.side = std::move(side);
  block.control = std::move(*control);
  push(std::move(block), rows, multiline, bytes, text_bytes);
  return true;
}

bool Intake::open_block(std::size_t size, std::size_t rows) {
  const std::size_t data = std::max(size + kSlack, wanted_data_);
  const std::size_t side = std::max(rows, wanted_rows_) * row_bytes();
  const std::uint64_t bytes = pool_.capacity_of(data) + pool_.capacity_of(side) +
                              pool_.capacity_of(OpenBlock::control_size());
  if (!source_.try_admit(bytes)) return false;
  open_ = OpenBlock::take(pool_, Region::input, data, side);
  if (!open_) {
    source_.refuse(bytes);
    return false;
  }
  admitted_ = bytes;
  return true;
}

/// Pushes the shared block; the next is as large as this one was full.
void Intake::close_block() {
  if (!open_) return;
  const std::size_t capacity = open_->data.capacity();
  if (used_ > capacity / 2) {
    wanted_data_ = std::min(options_.largest_block, 2 * capacity);
  } else if (used_ < capacity / 8) {
    wanted_data_ = std::max(kSmallestBlock, capacity / 2);
  }
  wanted_rows_ = std::clamp<std::size_t>(2 * rows_, 16, kMostRows);
  OpenBlock block = std::move(*open_);
  open_.reset();
  const std::uint32_t rows = std::exchange(rows_, 0);
  const std::size_t text_bytes = std::exchange(used_, 0);
  push(std::move(block), rows, std::exchange(multiline_, false), admitted_, text_bytes);
}

void Intake::push(OpenBlock&& block, std::uint32_t rows, bool multiline, std::uint64_t admitted,
                  std::size_t text_bytes) {
  const BlockOrigin origin{.offset = source_.pushed(),
                           .received_ns = clock_.now_ns(),
                           .source = options_.source,
                           .multiline = multiline,
                           .ledger = &source_.ledger()};
  source_.push(
      Block::freeze(std::move(block), rows, static_cast<std::uint32_t>(options_.row_words), origin),
      admitted, text_bytes);
}

}  // namespace sluice
