#include "sources/line_ahead.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "sources/cutter.h"

namespace sluice {
namespace {

/// Whoever takes the text up again has it checked once more where it matters which fault there is.
class NoFaults final : public json::LineFaults {
  void on_fault(const json::LineFault&) override {}
};

}  // namespace

bool LineAhead::can_begin(std::span<const std::uint8_t> tail) {
  return tail.size() <= kLargestTail &&
         (tail.empty() || std::memchr(tail.data(), '\n', tail.size()) == nullptr);
}

void LineAhead::begin(Input& input, std::span<const std::uint8_t> tail) {
  SLUICE_CHECK(!active() && tail.size() <= kLargestTail);
  std::copy(tail.begin(), tail.end(), tail_.begin());
  tail_size_ = tail.size();
  input_ = &input;
  ended_ = false;
  reading_ = true;
}

bool LineAhead::read(const Wanted& wanted, const Source::HasRoom& has_room) {
  std::optional<OpenBlock> block = take_block(wanted, has_room);
  if (!block) return false;
  bytes_ += block->capacity();
  TextAhead text{.block = std::move(*block)};
  Coming& coming = texts_.emplace_back(*this, std::move(text), wanted.row_words);
  coming.is_left_out = left_out_ > 0;
  left_out_ -= std::min<std::size_t>(left_out_, 1);
  crew_.submit(coming);
  return true;
}

/// The first block needs room as any other; those beyond it, for all that is read ahead.
std::optional<OpenBlock> LineAhead::take_block(const Wanted& wanted,
                                               const Source::HasRoom& has_room) {
  const std::size_t data = std::max(wanted.data, 2 * kLargestTail);
  const std::size_t capacity = pool_.capacity_of(data) + pool_.capacity_of(wanted.side) +
                               pool_.capacity_of(OpenBlock::control_size());
  if (!empty() && bytes_ + capacity > limits_.bytes) return std::nullopt;
  if (!has_room(bytes_ + capacity)) return std::nullopt;
  return OpenBlock::take(pool_, Region::input, data, wanted.side);
}

/// On whichever thread, for one text after the other.
void LineAhead::fill(TextAhead& text) {
  if (ended_) return;
  std::uint8_t* const data = text.block.data.data();
  std::memcpy(data, tail_.data(), tail_size_);
  text.carried = std::exchange(tail_size_, 0);
  const std::size_t room = text.block.data.capacity() - kChunkSlack - text.carried;
  const Result<ReadResult> read = input_->read({data + text.carried, room});
  if (read) {
    text.read = read->bytes;
    text.at_end = read->end;
  } else {
    text.error = read.error();
    text.at_end = true;
  }
  text.size = text.carried + text.read;
  text.was_full = text.read == room;
  const std::size_t run = run_of_small_lines({data, text.size}, limits_.small_line);
  tail_size_ = text.size - run;
  text.is_lines = run > 0 && tail_size_ <= kLargestTail && !text.at_end;
  ended_ = !text.is_lines;
  if (ended_) return;
  std::memcpy(tail_.data(), data + run, tail_size_);
  text.size = run;
}

void LineAhead::Coming::finish(json::LineScanner& scanner) {
  if (!text.is_lines || is_left_out) return;
  const OpenBlock& block = text.block;
  const std::size_t words = block.side.capacity() / sizeof(std::uint64_t);
  NoFaults faults;
  text.progress = scanner.scan(
      {block.data.data(), text.size},
      {reinterpret_cast<std::uint64_t*>(block.side.data()), words / row_words * row_words}, faults);
  text.is_checked = true;
}

TextAhead LineAhead::take() {
  crew_.await_oldest();
  TextAhead text = std::move(texts_.front().text);
  texts_.pop_front();
  bytes_ -= text.block.capacity();
  if (!text.is_lines) give_up();  // what follows it was not read
  return text;
}

void LineAhead::give_up() {
  crew_.forget_all();
  texts_.clear();
  bytes_ = 0;
  reading_ = false;
}

}  // namespace sluice
