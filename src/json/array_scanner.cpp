#include <algorithm>
#include <string_view>
#include <vector>

#include "json/bytes.h"
#include "json/document_scanner.h"
#include "json/exact_fault.h"
#include "json/passes.h"
#include "json/walker.h"

namespace sluice::json {
namespace {

using kernel::u16;
using kernel::u32;
using kernel::u64;
using kernel::u8;
using Text = std::span<const u8>;

std::span<const u8> bytes_of(std::string_view text) {
  return {reinterpret_cast<const u8*>(text.data()), text.size()};
}

}  // namespace

/// Every call begins at an element's boundary, so all that is carried over is which one.
struct ArrayScanner::State {
  State(const Selection& selection, const ScanOptions& options, std::span<std::byte> memory)
      : kernel_(kernel::active()),
        fields_(selection.size()),
        tree_(selection),
        passes_(kernel_, options, kernel::TokenForm::placed, memory),
        walker_(kernel_, tree_, fields_),
        exact_(options),
        spill_(kernel::TokenCarry::spill_words(options.max_depth)) {
    levels_.spill = spill_.data();
    levels_.depth_max = options.max_depth;
  }

  Result<void> scan(Text whole, bool last, std::span<u64> rows, Progress& result);

 private:
  enum class At : u8 { start, first_element, behind_element, behind_comma, end };

  Result<void> check_start(Text whole, bool last);
  void begin_levels();
  std::string_view lead() const;
  Result<void> verdict(Text whole, bool last);
  bool read(Text whole, bool last, std::span<u64> rows);
  void take_tokens(u32 chunk_base);
  void take_separator(u8 token, u32 position);
  void begin_element(u8 token, u32 position);
  void end_element(u32 end);
  void end_scalar(u32 limit);
  bool full() const { return rows_left_ == 0; }
  void consume(At next, u32 end) {
    at_ = next;
    progress_->consumed = end;
  }

  const kernel::Kernel& kernel_;
  const std::size_t fields_;
  const PathTree tree_;
  Passes passes_;
  Walker walker_;
  PlainMachine exact_;
  std::vector<u64> spill_;
  kernel::TokenCarry levels_;
  At at_ = At::start;

  // One call.
  At begun_at_ = At::start;
  Text text_;
  Progress* progress_ = nullptr;
  u64* row_ = nullptr;
  std::size_t rows_left_ = 0;
  bool inside_element_ = false;
  u32 element_ = 0;  ///< where it starts
  u32 open_ = 0;     ///< brackets open in it; 0: a string, number or literal
};

Result<void> ArrayScanner::State::scan(Text whole, bool last, std::span<u64> rows,
                                       Progress& result) {
  progress_ = &result;
  begun_at_ = at_;
  if (at_ == At::start) SLUICE_TRY(check_start(whole, last));
  if (read(whole, last, rows)) return {};
  const Result<void> fault = verdict(whole, last);
  SLUICE_CHECK(!fault.has_value());
  // The elements before the fault count, also those in the block in which it stands.
  at_ = begun_at_;
  SLUICE_CHECK(read(whole.first(fault.error().offset), /*last=*/false, rows));
  return full() ? Result<void>{} : fault;
}

/// Reads what is there; false at a fault.
bool ArrayScanner::State::read(Text whole, bool last, std::span<u64> rows) {
  *progress_ = {};
  row_ = rows.data();
  rows_left_ = rows.size() / row_words(fields_);
  inside_element_ = false;
  // A scalar at the end of what is there may go on.
  text_ = whole;
  while (!last && !text_.empty() && !ends_scalar(text_.back())) {
    text_ = text_.first(text_.size() - 1);
  }
  passes_.restart();
  begin_levels();
  for (u32 base = 0; base < text_.size() && !full();) {
    const Passes::Chunk chunk =
        passes_.read(text_.subspan(base), Passes::kChunkBytes, /*last=*/true, 0);
    if (chunk.fault || chunk.scalar_fault) return false;
    const kernel::Streams& streams = passes_.streams();
    if (!kernel_.tokens(levels_, streams.tokens, streams.token_count)) return false;
    take_tokens(base);
    passes_.drop_tokens(streams.token_count, 0);
    base += chunk.size;
  }
  if (full()) return true;
  if (passes_.carry().in_string == 0) end_scalar(static_cast<u32>(text_.size()));
  progress_->done = at_ == At::end;
  if (progress_->done) progress_->consumed = static_cast<u32>(text_.size());
  return !last || progress_->done;
}

/// A valid text that is no array is refused at its first byte.
Result<void> ArrayScanner::State::check_start(Text whole, bool last) {
  const auto first = std::ranges::find_if_not(whole, is_blank);
  if (first == whole.end() || *first == '[') return {};
  SLUICE_TRY(verdict(whole, last));
  return Error{ErrorCode::json_syntax, static_cast<u16>(Expected::array), 0,
               static_cast<u64>(first - whole.begin())};
}

/// The token pass goes on as if it had read the array up to here.
void ArrayScanner::State::begin_levels() {
  levels_.restart();
  if (at_ == At::start) return;
  levels_.depth = at_ == At::end ? 0 : 1;
  levels_.last = at_ == At::first_element ? '[' : at_ == At::behind_comma ? ',' : ']';
}

/// A text that brings the exact machine to where the call began.
std::string_view ArrayScanner::State::lead() const {
  switch (begun_at_) {
    case At::start:
      return "";
    case At::first_element:
      return "[";
    case At::behind_element:
      return "[0 ";
    case At::behind_comma:
      return "[0,";
    case At::end:
      return "[]";
  }
  return "";
}

Result<void> ArrayScanner::State::verdict(Text whole, bool last) {
  exact_.restart();
  SLUICE_CHECK(exact_.feed(bytes_of(lead())).has_value());
  Result<void> verdict = exact_.feed(whole);
  if (verdict && last) verdict = exact_.finish();
  if (verdict) return verdict;
  Error error = verdict.error();
  error.offset -= lead().size();
  return error;
}

/// Follows the tokens of the chunk that begins at `chunk_base`.
void ArrayScanner::State::take_tokens(u32 chunk_base) {
  const kernel::Streams& streams = passes_.streams();
  const u32 count = streams.token_count;
  for (u32 i = 0; i < count && !full();) {
    const u32 position = chunk_base + streams.places[i];
    if (inside_element_ && open_ != 0) {
      const u32 skipped = kernel_.skip(streams.tokens + i, count - i, open_);
      walker_.feed(streams.tokens + i, streams.places + i, skipped, chunk_base - element_);
      i += skipped;
      if (open_ == 0) end_element(chunk_base + streams.places[i - 1] + 1);
      continue;
    }
    const u8 token = streams.tokens[i];
    if (inside_element_) end_scalar(position + 1);
    if (full()) return;
    if (token == ',' || token == ']' || at_ == At::start) {
      take_separator(token, position);
    } else {
      begin_element(token, position);
      walker_.feed(streams.tokens + i, streams.places + i, 1, chunk_base - element_);
    }
    ++i;
  }
}

void ArrayScanner::State::take_separator(u8 token, u32 position) {
  consume(token == ']'   ? At::end
          : token == ',' ? At::behind_comma
                         : At::first_element,
          position + 1);
}

void ArrayScanner::State::begin_element(u8 token, u32 position) {
  inside_element_ = true;
  element_ = position;
  open_ = token == '{' || token == '[';
  std::fill(row_, row_ + row_words(fields_), 0);
  walker_.start(text_.data() + position, row_);
}

void ArrayScanner::State::end_element(u32 end) {
  inside_element_ = false;
  row_[0] = pack_range(element_, end - element_);
  row_ += row_words(fields_);
  --rows_left_;
  ++progress_->rows;
  consume(At::behind_element, end);
}

/// Ends the element that is a string, number or literal, if it is over before `limit`.
void ArrayScanner::State::end_scalar(u32 limit) {
  if (!inside_element_ || open_ != 0) return;
  u32 end = element_ + 1;
  if (text_[element_] == '"') {
    while (end < limit && text_[end] != '"') end += text_[end] == '\\' ? 2 : 1;
    ++end;
    if (end > limit) return;
  } else {
    while (end < limit && !ends_scalar(text_[end])) ++end;
    if (end >= limit) return;
  }
  constexpr u8 kEnd = '\n';
  constexpr u16 kPlace = 0;
  walker_.feed(&kEnd, &kPlace, 1, end - element_);
  end_element(end);
}

ArrayScanner::ArrayScanner(const Selection& selection, const ScanOptions& options,
                           std::span<std::byte> streams)
    : state_(std::make_unique<State>(selection, options, streams)) {}

ArrayScanner::~ArrayScanner() = default;

Result<void> ArrayScanner::scan(std::span<const std::uint8_t> text, bool last,
                                std::span<std::uint64_t> rows, Progress& progress) {
  return state_->scan(text, last, rows, progress);
}

}  // namespace sluice::json
