#include "sources/study_source.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/check.h"

namespace sluice {
namespace {

constexpr std::size_t kFirstLine = 64;
constexpr std::size_t kParserValue = 16;

/// The index behind the string whose opening quote is at `start`; the end if it has no other.
std::size_t behind_string(std::span<const std::uint8_t> text, std::size_t start) {
  for (std::size_t at = start + 1; at < text.size();) {
    const void* const quote = std::memchr(text.data() + at, '"', text.size() - at);
    if (quote == nullptr) break;
    const auto found =
        static_cast<std::size_t>(static_cast<const std::uint8_t*>(quote) - text.data());
    std::size_t escapes = found;
    while (text[escapes - 1] == '\\') --escapes;  // ends at the opening quote at the latest
    at = found + 1;
    if ((found - escapes) % 2 == 0) return at;
  }
  return text.size();
}

/// Values of a JSON text as the study's parser counts them: names are values too. The text need not
/// be valid.
std::size_t count_values(std::span<const std::uint8_t> text) {
  std::size_t values = 0;
  bool in_scalar = false;
  for (std::size_t at = 0; at < text.size();) {
    const char byte = static_cast<char>(text[at]);
    const bool separates = std::strchr(" \t\r\n,:]}", byte) != nullptr;
    const bool starts = byte == '"' || byte == '{' || byte == '[';
    values += starts || (!separates && !in_scalar) ? 1 : 0;
    in_scalar = !separates && !starts;
    at = byte == '"' ? behind_string(text, at) : at + 1;
  }
  return values;
}

}  // namespace

std::vector<std::size_t> study_parser_blocks(std::span<const std::uint8_t> text) {
  std::size_t room = 4 + text.size() / 6 + 4;
  const std::size_t needed = 4 + count_values(text) + 2;
  std::vector<std::size_t> blocks{std::bit_ceil(room * kParserValue)};
  while (room < needed) {
    room += room / 2;
    const std::size_t larger = std::bit_ceil(room * kParserValue);
    if (larger > blocks.back()) blocks.push_back(larger);
  }
  return blocks;
}

StudySource::StudySource(std::vector<std::unique_ptr<InputOpener>> inputs,
                         const json::Selection& selection, const CutterOptions& options, Pool& pool,
                         Clock& clock, Refusals& refusals)
    : inputs_(std::move(inputs)),
      selection_(selection),
      options_(options),
      pool_(pool),
      clock_(clock),
      refusals_(refusals),
      ledger_(clock) {}

SourceCounts StudySource::counts() const {
  SourceCounts counts = counts_;
  counts.original_byte_seconds = ledger_.byte_seconds();
  return counts;
}

void StudySource::stop() {
  close_input();
  next_input_ = inputs_.size();
}

void StudySource::close_input() {
  input_.reset();
  cutter_.reset();
  line_.reset();
  buffer_start_ = buffer_end_ = 0;
}

bool StudySource::open_next() {
  while (next_input_ < inputs_.size()) {
    InputOpener& opener = *inputs_[next_input_++];
    name_ = opener.name();
    Result<std::unique_ptr<Input>> input = opener.open();
    if (!input) {
      refusals_.on_unreadable(name_, input.error());
      continue;
    }
    input_ = std::move(*input);
    cutter_ = make_line_cutter({.selection = selection_,
                                .options = options_,
                                .streams = streams_,
                                .refusals = refusals_,
                                .input = name_});
    at_end_ = false;
    offset_ = 0;
    lines_ = 0;
    return true;
  }
  return false;
}

Source::Step StudySource::step(const HasRoom& has_room, BlockRef& block) {
  if (counts_.started_ns == 0) counts_.started_ns = clock_.now_ns();
  if (!input_ && !open_next()) {
    buffer_.reset();
    return Step::done;
  }
  if (!buffer_) {
    buffer_ = pool_.take(kInputBytes, Region::fixed);
    if (!buffer_) return Step::wait_room;
  }
  if (!line_ && !take_line(has_room)) return Step::wait_room;
  while (!line_whole_) {
    const Fill filled = fill_line();
    if (filled == Fill::wait_input) return Step::wait_input;
    if (filled == Fill::line || line_size_ >= options_.max_record + 2) break;
    if (!grow()) return Step::wait_room;
    if (!input_) return Step::again;
  }
  line_whole_ = true;
  if (!parsed_ && !parse()) return Step::wait_room;
  return cut(block);
}

bool StudySource::take_line(const HasRoom& has_room) {
  if (!has_room(kFirstLine)) return false;
  line_ = OpenBlock::take(pool_, Region::input, kFirstLine,
                          json::row_words(selection_.size()) * sizeof(std::uint64_t));
  line_size_ = 0;
  line_whole_ = false;
  parsed_ = false;
  return line_.has_value();
}

/// Moves bytes into the line until it is whole or its buffer full.
StudySource::Fill StudySource::fill_line() {
  while (true) {
    const std::size_t capacity = line_->data.capacity();
    const std::size_t room =
        capacity > line_size_ + kChunkSlack ? capacity - line_size_ - kChunkSlack : 0;
    const std::size_t there = std::min(buffer_end_ - buffer_start_, room);
    const std::uint8_t* const from = buffer_->data() + buffer_start_;
    const void* const newline = std::memchr(from, '\n', there);
    const std::size_t size =
        newline == nullptr
            ? there
            : static_cast<std::size_t>(static_cast<const std::uint8_t*>(newline) - from) + 1;
    std::memcpy(line_->data.data() + line_size_, from, size);
    line_size_ += size;
    buffer_start_ += size;
    if (newline != nullptr) return Fill::line;
    if (size == room) return Fill::full;
    if (at_end_) return Fill::line;
    if (!read_more()) return Fill::wait_input;
  }
}

/// False when there is nothing to read now.
bool StudySource::read_more() {
  buffer_start_ = buffer_end_ = 0;
  const Result<ReadResult> read = input_->read(buffer_->bytes());
  if (!read) {
    refusals_.on_unreadable(name_, read.error());
    at_end_ = true;
    return true;
  }
  buffer_end_ = read->bytes;
  counts_.bytes_read += read->bytes;
  at_end_ = read->end;
  return read->bytes > 0 || read->end;
}

/// Into a buffer twice as large; the old one becomes an empty buffer of the pool.
bool StudySource::grow() {
  const std::size_t size = 2 * line_->data.capacity();
  std::optional<Buffer> wider = pool_.take(size, Region::input);
  if (!wider && !nothing_else_held()) return false;
  if (!wider) {
    // Both do not fit, and waiting would not help: without the copy there is room.
    if (pool_.grow(line_->data, size)) return true;
    refusals_.on_unreadable(name_, {.code = ErrorCode::input_read, .system_errno = ENOMEM});
    close_input();
    return true;
  }
  std::memcpy(wider->data(), line_->data.data(), line_size_);
  counts_.carried_bytes += line_size_;
  line_->data = std::move(*wider);
  return true;
}

/// Whether what the line holds is all there is besides the reserves: then nobody will give back
/// more.
bool StudySource::nothing_else_held() const {
  const Budget& budget = pool_.budget();
  return budget.used(Region::input) == line_->data.capacity() &&
         budget.used(Region::record) == line_->side.capacity() + line_->control.capacity();
}

/// Takes what the parser took and gives it back to the pool, which keeps it for the next line, as
/// the study's did. A line for which the whole budget would not do is let through all the same:
/// nothing of ours needs that memory.
bool StudySource::parse() {
  std::optional<Buffer> block;
  for (const std::size_t size : study_parser_blocks({line_->data.data(), line_size_})) {
    std::optional<Buffer> larger = pool_.take(size, Region::parser);
    if (!larger && !nothing_else_held()) return false;
    if (!larger) break;
    block = std::move(larger);
  }
  return parsed_ = true;
}

Source::Step StudySource::cut(BlockRef& block) {
  const std::size_t row_words = json::row_words(selection_.size());
  const bool last = at_end_ && buffer_start_ == buffer_end_;
  const Chunk chunk{.text = {line_->data.data(), line_size_},
                    .at_end = last,
                    .full = true,
                    .rows = {reinterpret_cast<std::uint64_t*>(line_->side.data()), row_words},
                    .offset = offset_,
                    .place = {.line = lines_ + 1}};
  const Cut cut = cutter_->cut(chunk);
  offset_ += cut.consumed;
  lines_ += cut.lines;
  counts_.records += cut.rows;
  if (cut.rows > 0) {
    block =
        Block::freeze(std::move(*line_), cut.rows, static_cast<std::uint32_t>(row_words),
                      {.offset = chunk.offset, .received_ns = clock_.now_ns(), .ledger = &ledger_});
  }
  line_.reset();
  if (cut.finished || last) {
    close_input();
    if (cut.stop) next_input_ = inputs_.size();
  }
  return cut.rows > 0 ? Step::block : Step::again;
}

}  // namespace sluice
