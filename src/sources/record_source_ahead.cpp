#include <utility>

#include "sources/record_source.h"

// How a record source works with a crew: it reads runs of small lines ahead, and takes them up
// again in their order. A run in which all is well is a block at once; any other text goes through
// the cutter as if it had just been read, so that faults, limits and places come out as they do
// without a crew.

namespace sluice {
namespace {

/// Texts that the crew is not asked about after one with a fault: where faults are frequent, nearly
/// every text would be checked twice.
constexpr std::size_t kLeftOutAfterFault = 16;

}  // namespace

/// Nothing when the ordinary way is to go on.
std::optional<Source::Step> RecordSource::step_ahead(const HasRoom& has_room, BlockRef& block) {
  begin_ahead();
  if (!ahead_->active()) return std::nullopt;
  while (ahead_->reads() && read_ahead(has_room)) {
  }
  if (open_ && text_size_ == 0) open_.reset();
  if (open_ || tail_size_ > 0) return std::nullopt;
  previous_.reset();
  if (ahead_->empty()) return Step::wait_room;
  return take_ahead(block);
}

/// At the beginning of a line, with no more behind the last block than a part of it. An input that
/// makes one wait is read by the loop alone, which waits for other things as well.
void RecordSource::begin_ahead() {
  if (ahead_->active() || open_ || at_end_ || !cutter_ || !cutter_->at_line_start()) return;
  if (input_->wait_descriptor() >= 0) return;
  const std::span<const std::uint8_t> line{tail(), tail_size_};
  if (!ahead_->can_begin(line)) return;
  ahead_->begin(*input_, line);
  tail_size_ = 0;
  aside_ = Buffer();
}

bool RecordSource::read_ahead(const HasRoom& has_room) {
  return ahead_->read({.data = wanted_data_,
                       .side = wanted_rows_ * row_bytes(),
                       .row_words = json::row_words(selection_.size())},
                      has_room);
}

/// Makes the oldest text a block, or the one that the ordinary way goes on with.
std::optional<Source::Step> RecordSource::take_ahead(BlockRef& block) {
  TextAhead next = ahead_->take();
  if (next.progress.faults > 0) ahead_->leave_out(kLeftOutAfterFault);
  if (next.error) refusals_.on_unreadable(name_, *next.error);
  counts_.bytes_read += next.read;
  counts_.carried_bytes += next.carried;
  if (next.was_full) {
    wanted_data_ =
        std::max(wanted_data_, std::min(2 * next.block.data.capacity(), options_.largest_block));
  }
  open_ = std::move(next.block);
  text_size_ = next.size;
  at_end_ = next.at_end;
  needs_bytes_ = false;
  if (!next.is_clean()) return std::nullopt;
  const Cut cut{.consumed = text_size_, .rows = next.progress.rows, .lines = next.progress.lines};
  return settle(cut, text(), block);
}

}  // namespace sluice
