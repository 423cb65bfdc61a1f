#include "sources/record_source.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "memory/pages.h"

namespace sluice {
namespace {

constexpr std::size_t kSmallestBlock = 4 * 1024;
constexpr std::size_t kReadAheadOfLarge = 32 * 1024;
constexpr std::size_t kLargestSide = 32 * 1024;

/// Text that must fit before a record is known to be too large: it may still be followed by "\r\n".
std::size_t largest_text(const SourceOptions& options) { return options.cutter.max_record + 2; }

bool is_compressed(std::span<const std::uint8_t> text) {
  constexpr std::array<std::uint8_t, 2> kGzip{0x1f, 0x8b};
  constexpr std::array<std::uint8_t, 4> kZstd{0x28, 0xb5, 0x2f, 0xfd};
  const auto begins = [&](std::span<const std::uint8_t> magic) {
    return text.size() >= magic.size() && std::ranges::equal(text.first(magic.size()), magic);
  };
  return begins(kGzip) || begins(kZstd);
}

}  // namespace

RecordSource::RecordSource(std::vector<std::unique_ptr<InputOpener>> inputs,
                           const json::Selection& selection, const SourceOptions& options,
                           std::span<std::byte> streams, Pool& pool, Clock& clock,
                           Refusals& refusals, ScanCrew* crew)
    : inputs_(std::move(inputs)),
      selection_(selection),
      options_(options),
      streams_(streams),
      pool_(pool),
      clock_(clock),
      refusals_(refusals),
      ledger_(clock) {
  if (options.cutter.alone_from == 0) wanted_rows_ = 1;
  wanted_rows_ = std::min(wanted_rows_, most_rows());
  // Where a block may hold few records, most of what is read would have to move to another.
  if (crew == nullptr || options.most_records > 0) return;
  ahead_.emplace(*crew, pool,
                 LineAhead::Limits{
                     .blocks = options.blocks_ahead,
                     .bytes = options.bytes_ahead,
                     .small_line = std::min(options.cutter.alone_from, options.cutter.max_record)});
}

std::size_t RecordSource::largest_need(const Pool& pool, const SourceOptions& options,
                                       std::size_t fields) {
  return pool.capacity_of(largest_text(options) + kChunkSlack) +
         pool.capacity_of(json::row_words(fields) * sizeof(std::uint64_t)) +
         pool.capacity_of(kLargestSide) + pool.capacity_of(OpenBlock::control_size());
}

void RecordSource::stop() {
  close_input();
  next_input_ = inputs_.size();
}

SourceCounts RecordSource::counts() const {
  SourceCounts counts = counts_;
  counts.original_byte_seconds = ledger_.byte_seconds();
  return counts;
}

void RecordSource::close_input() {
  promise_.end();
  if (ahead_) ahead_->give_up();
  input_.reset();
  cutter_.reset();
  detector_.reset();
  open_.reset();
  previous_.reset();
  aside_ = Buffer();
  text_size_ = 0;
  tail_size_ = 0;
}

bool RecordSource::open_next() {
  while (next_input_ < inputs_.size()) {
    InputOpener& opener = *inputs_[next_input_++];
    name_ = opener.name();
    Result<std::unique_ptr<Input>> input = opener.open();
    if (!input) {
      refusals_.on_unreadable(name_, input.error());
      continue;
    }
    input_ = std::move(*input);
    at_end_ = false;
    needs_bytes_ = true;
    offset_ = 0;
    place_ = {};
    return true;
  }
  return false;
}

Source::Step RecordSource::step(const HasRoom& has_room, BlockRef& block) {
  if (counts_.started_ns == 0) counts_.started_ns = clock_.now_ns();
  if (!input_ && !open_next()) return Step::done;
  if (ahead_) {
    if (const std::optional<Step> step = step_ahead(has_room, block)) return *step;
  }
  if (!open_ && !take_block(has_room)) return Step::wait_room;
  if (needs_bytes_ && !at_end_) {
    if (text_size_ == room_for_text() && !grow(has_room)) return Step::wait_room;
    if (const Step read = read_more(); read != Step::again) return read;
  }
  return cut(block);
}

/// Takes memory for the next block, with the tail of the one before at its start. Where nobody
/// else holds that one any more, its own memory serves.
bool RecordSource::take_block(const HasRoom& has_room) {
  const std::size_t data_size = std::max(wanted_data_, tail_size_ + kChunkSlack + 1);
  const std::size_t side_size = wanted_rows_ * row_bytes();
  std::optional<OpenBlock> reopened = previous_.try_reopen();
  if (aside_) {
    previous_.reset();  // others may need it, we do not
    if (reopened) fit(reopened->data, data_size);
    if (reopened && room_in(*reopened) <= tail_size_) reopened.reset();
  }
  if (reopened) {
    carry_into(*reopened, aside_ ? aside_.data() : reopened->data.data() + tail_start_);
    fit(reopened->data, data_size);
    fit(reopened->side, side_size);
    open_ = std::move(reopened);
    return true;
  }
  const std::size_t capacity = pool_.capacity_of(data_size) + pool_.capacity_of(side_size) +
                               pool_.capacity_of(OpenBlock::control_size());
  if (!has_room(capacity)) return false;
  std::optional<OpenBlock> fresh = OpenBlock::take(pool_, Region::input, data_size, side_size);
  if (!fresh) return false;
  carry_into(*fresh, tail());
  previous_.reset();
  open_ = std::move(fresh);
  return true;
}

/// Makes a used buffer about as large as a fresh one would be. Where there is no memory it stays as
/// it is: the tail is in it, and `grow` sees to the rest.
void RecordSource::fit(Buffer& buffer, std::size_t size) {
  if (buffer.capacity() > 2 * pool_.capacity_of(size)) {
    pool_.shrink(buffer, size);
  } else if (buffer.capacity() < size) {
    static_cast<void>(pool_.grow(buffer, size));
  }
}

/// `tail`: what was read behind the end of the block before.
void RecordSource::carry_into(OpenBlock& block, const std::uint8_t* tail) {
  if (tail_size_ > 0) std::memmove(block.data.data(), tail, tail_size_);
  counts_.carried_bytes += tail_size_;
  text_size_ = std::exchange(tail_size_, 0);
  aside_ = Buffer();
}

/// Takes the next size there is. Before it grows for the first time it makes sure that it could
/// grow to the largest record: a half-grown buffer never waits.
bool RecordSource::grow(const HasRoom& has_room) {
  const std::size_t largest = pool_.capacity_of(largest_text(options_) + kChunkSlack);
  const std::size_t capacity = open_->data.capacity();
  if (!promise_) {
    if (!has_room(largest + open_->capacity() - capacity)) return false;
    std::optional<Promise> promise = pool_.try_promise(largest - std::min(largest, capacity));
    if (!promise) return false;
    promise_ = std::move(*promise);
  }
  // In small steps, which move no bytes: a buffer should not end up twice as large as its record.
  const std::size_t next = std::min(largest, pool_.capacity_of(capacity + 1));
  if (pool_.grow(open_->data, next, &promise_)) return true;
  // The budget has promised the bytes, so it is the system that has none left.
  refusals_.on_unreadable(name_, {.code = ErrorCode::input_read, .system_errno = ENOMEM});
  close_input();
  return true;
}

Source::Step RecordSource::read_more() {
  if (!input_) return Step::again;
  // In steps: what lies behind a large record should not have to move with its buffer, and is
  // memory that nobody needs yet.
  const std::size_t step = last_alone_ == 0 ? options_.largest_block
                                            : std::min(options_.largest_block, kReadAheadOfLarge);
  const std::size_t room = std::min(room_for_text() - text_size_, step);
  SLUICE_CHECK(room > 0);  // a read of nothing would look like the end
  const Result<ReadResult> read = input_->read({open_->data.data() + text_size_, room});
  if (!read) {
    refusals_.on_unreadable(name_, read.error());
    at_end_ = true;  // what was read before still counts
    return Step::again;
  }
  text_size_ += read->bytes;
  counts_.bytes_read += read->bytes;
  at_end_ = read->end;
  if (read->bytes == 0 && !read->end) {
    if (options_.shares_budget) give_back_unused();
    return Step::wait_input;
  }
  if (text_size_ == room_for_text()) {
    wanted_data_ =
        std::max(wanted_data_, std::min(2 * open_->data.capacity(), options_.largest_block));
  }
  if (offset_ == 0 && is_compressed(text())) {
    refusals_.on_unreadable(name_, {.code = ErrorCode::input_compressed});
    close_input();
  }
  return Step::again;
}

/// Nobody knows how long the input makes us wait: others may need what holds no text.
void RecordSource::give_back_unused() {
  if (text_size_ > 0) return;
  promise_.end();
  open_.reset();
}

bool RecordSource::decide_format() {
  InputFormat format = options_.format;
  bool undecided = false;
  if (format == InputFormat::automatic) {
    if (is_ndjson_name(name_)) {
      format = InputFormat::ndjson;
    } else {
      if (!detector_) detector_.emplace(options_.cutter.scan, streams_);
      std::optional<InputFormat> seen = detector_->look(text(), at_end_);
      undecided = !seen && text_size_ > options_.cutter.max_record;
      if (undecided) seen = InputFormat::ndjson;
      if (!seen) return false;
      format = *seen;
    }
  }
  detector_.reset();
  const CutterContext context{.selection = selection_,
                              .options = options_.cutter,
                              .streams = streams_,
                              .refusals = refusals_,
                              .input = name_,
                              .may_be_document = undecided};
  cutter_ = format == InputFormat::ndjson ? make_line_cutter(context)
            : options_.cutter.check_only  ? make_check_cutter(context)
            : format == InputFormat::json ? make_document_cutter(context)
                                          : make_array_cutter(context);
  return true;
}

Source::Step RecordSource::cut(BlockRef& block) {
  if (!input_) return Step::again;
  if (!cutter_ && !decide_format()) {
    needs_bytes_ = true;
    return Step::again;
  }
  auto* const words = reinterpret_cast<std::uint64_t*>(open_->side.data());
  const std::size_t row_words = json::row_words(selection_.size());
  const Chunk chunk{
      .text = text(),
      .at_end = at_end_,
      .full = text_size_ == room_for_text(),
      .rows = {words, std::min(open_->side.capacity() / row_bytes(), most_rows()) * row_words},
      .offset = offset_,
      .place = place_,
  };
  return settle(cutter_->cut(chunk), chunk.text, block);
}

/// A first part of the text is a block, or is done with.
Source::Step RecordSource::settle(const Cut& cut, std::span<const std::uint8_t> text,
                                  BlockRef& block) {
  // A whole line leaves us at the start of the next, and nobody asks for more of it.
  place_ = cutter_->multiline() ? place_in(text, cut.consumed, place_)
                                : Place{.line = place_.line + cut.lines};
  needs_bytes_ = cut.consumed == 0 && !cut.finished;
  if (cut.rows > 0) {
    make_block(cut, block);
  } else if (cut.consumed > 0) {
    text_size_ -= cut.consumed;
    std::memmove(open_->data.data(), open_->data.data() + cut.consumed, text_size_);
  }
  counts_.records += cut.checked;
  offset_ += cut.consumed;
  const bool rest = tail_size_ > 0 || text_size_ > 0;
  if (cut.finished || (at_end_ && (!rest || cut.consumed == 0))) {
    close_input();
    if (cut.stop) next_input_ = inputs_.size();
  }
  return cut.rows > 0 ? Step::block : Step::again;
}

void RecordSource::make_block(const Cut& cut, BlockRef& block) {
  promise_.end();
  adapt(cut, text_size_);
  tail_start_ = cut.consumed;
  tail_size_ = text_size_ - cut.consumed;
  text_size_ = 0;
  trim(cut.consumed + kChunkSlack);
  counts_.records += cut.rows;
  previous_ = Block::freeze(std::move(*open_), cut.rows,
                            static_cast<std::uint32_t>(json::row_words(selection_.size())),
                            {.offset = offset_,
                             .received_ns = clock_.now_ns(),
                             .source = options_.source,
                             .multiline = cutter_->multiline(),
                             .ledger = &ledger_});
  open_.reset();
  block = previous_;
}

/// Before a block is shared: where it is much larger than what is in it, the bytes read behind that
/// are set aside and the rest given back. Sinks answer for all of a block as long as they hold it.
void RecordSource::trim(std::size_t used) {
  const std::size_t capacity = open_->data.capacity();
  const std::size_t enough = pool_.capacity_of(std::max(used, kPagedCapacity));
  if (capacity < enough + enough / 4) return;
  if (tail_size_ > 0) {
    std::optional<Buffer> aside = pool_.take(tail_size_, Region::input);
    if (!aside) return;
    std::memcpy(aside->data(), open_->data.data() + tail_start_, tail_size_);
    counts_.carried_bytes += tail_size_;
    aside_ = std::move(*aside);
  }
  pool_.shrink(open_->data, used);
}

std::size_t RecordSource::most_rows() const {
  const std::size_t most = std::max<std::size_t>(1, kLargestSide / row_bytes());
  return options_.most_records == 0 ? most : std::min(most, options_.most_records);
}

/// The next buffer: as large as a record that travelled alone, else by how full the last one was.
/// What was only carried over says nothing about how much comes at once.
void RecordSource::adapt(const Cut& cut, std::size_t text_size) {
  const std::size_t capacity = open_->data.capacity();
  const std::size_t most_rows = this->most_rows();
  if (cut.rows == 1 && cut.consumed > options_.cutter.alone_from) {
    // The smaller of two: one that is too small grows, one too large is memory for nothing.
    const std::size_t before = std::exchange(last_alone_, cut.consumed);
    wanted_data_ = std::min(cut.consumed, before == 0 ? cut.consumed : before) + kChunkSlack;
  } else if ((cut.rows_short && wanted_rows_ == most_rows) ||
             wanted_data_ > options_.largest_block) {
    wanted_data_ = std::clamp(cut.consumed * 2, kSmallestBlock, options_.largest_block);
  } else if (text_size < capacity / 4 && !cut.rows_short) {
    wanted_data_ = std::max(kSmallestBlock, capacity / 2);
  }
  if (options_.shares_budget) wanted_data_ = std::min(wanted_data_, options_.largest_block);
  if (cut.rows > 1) last_alone_ = 0;
  if (cut.rows_short) {
    wanted_rows_ = std::min(most_rows, wanted_rows_ * 2);
  } else if (text_size > capacity / 2 && cut.rows < wanted_rows_ / 4) {
    wanted_rows_ = std::max<std::size_t>(1, wanted_rows_ / 2);
  }
}

}  // namespace sluice
