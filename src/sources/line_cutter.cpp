#include <algorithm>
#include <cstring>

#include "json/line_scanner.h"
#include "sources/cutter.h"
#include "sources/piece_checker.h"

namespace sluice {
namespace {

/// NDJSON. Lines up to `alone_from` bytes share a block; a larger one gets its own, so that a
/// sink which holds on to one record does not keep a big neighbour alive.
class LineCutter final : public Cutter, private json::LineFaults {
 public:
  explicit LineCutter(const CutterContext& context)
      : context_(context),
        scanner_(context.selection, context.options.scan, context.streams),
        shared_up_to_(std::min(context.options.alone_from, context.options.max_record)),
        piecewise_(context.options.scan, context.streams),
        may_be_document_(context.may_be_document) {}

  Cut cut(const Chunk& chunk) override;
  bool multiline() const override { return false; }
  bool at_line_start() const override { return rest_ == Rest::none && !stopped_; }

 private:
  Cut scan(const Chunk& chunk, std::size_t size);
  Cut take_large(const Chunk& chunk, std::size_t size, bool whole);
  Cut take_rest(const Chunk& chunk);
  Cut take_document(const Chunk& chunk);
  void on_fault(const json::LineFault& fault) override;

  CutterContext context_;
  json::LineScanner scanner_;
  std::size_t shared_up_to_;
  PieceChecker piecewise_;
  /// What happens to the line that goes on in the next chunk.
  enum class Rest { none, skipped, checked, document } rest_ = Rest::none;
  bool may_be_document_;
  std::size_t searched_ = 0;  ///< bytes of a large line, so far, without its newline
  const Chunk* chunk_ = nullptr;
  bool stopped_ = false;
  std::uint32_t stopped_at_ = 0;
};

const std::uint8_t* find_newline(std::span<const std::uint8_t> text) {
  return static_cast<const std::uint8_t*>(std::memchr(text.data(), '\n', text.size()));
}

Cut LineCutter::cut(const Chunk& chunk) {
  if (rest_ != Rest::none) return take_rest(chunk);
  std::span<std::uint8_t> text = chunk.text;
  if (text.empty()) return {};
  if (chunk.at_end && text.back() != '\n') {
    text = {text.data(), text.size() + 1};
    text.back() = '\n';
  }
  if (const std::size_t run = run_of_small_lines(text, shared_up_to_); run > 0) {
    searched_ = 0;
    Cut cut = scan(chunk, run);
    cut.consumed = std::min(cut.consumed, chunk.text.size());
    return cut;
  }
  const std::uint8_t* const newline = find_newline(text.subspan(searched_));
  const std::size_t size =
      newline == nullptr ? text.size() : static_cast<std::size_t>(newline - text.data());
  searched_ = 0;
  const bool carriage_return = size > 0 && text[size - 1] == '\r';
  if (size - (carriage_return ? 1 : 0) > context_.options.max_record) {
    return take_large(chunk, size, newline != nullptr);
  }
  if (newline == nullptr) {
    searched_ = size;
    return {};
  }
  Cut cut = scan(chunk, size + 1);
  cut.consumed = std::min(cut.consumed, chunk.text.size());
  return cut;
}

Cut LineCutter::scan(const Chunk& chunk, std::size_t size) {
  chunk_ = &chunk;
  const auto progress = scanner_.scan({chunk.text.data(), size}, chunk.rows, *this);
  Cut cut{.consumed = progress.consumed,
          .rows = progress.rows,
          .lines = progress.lines,
          .rows_short = progress.consumed < size};
  if (stopped_) {
    const std::size_t words = json::row_words(context_.selection.size());
    while (cut.rows > 0 && json::range_start(chunk.rows[(cut.rows - 1) * words]) > stopped_at_) {
      --cut.rows;
    }
    cut.finished = true;
    cut.stop = true;
  }
  return cut;
}

void LineCutter::on_fault(const json::LineFault& fault) {
  if (stopped_) return;
  stopped_ = context_.options.stop_at_fault;
  stopped_at_ = fault.start;
  context_.refusals.on_refused({.input = context_.input,
                                .offset = chunk_->offset + fault.start,
                                .error = fault.error,
                                .line = chunk_->place.line + fault.line,
                                .column = fault.error.offset + 1,
                                .text = {chunk_->text.data() + fault.start, fault.size}});
}

/// A line above the limit, or the part of it that is there.
Cut LineCutter::take_large(const Chunk& chunk, std::size_t size, bool whole) {
  size = std::min(size, chunk.text.size());
  const auto text = chunk.text.first(size);
  const bool more_follows = !whole && !chunk.at_end;
  if (!more_follows && is_blank(text)) {
    const std::size_t line_end = whole && size < chunk.text.size() ? 1 : 0;
    return {.consumed = size + line_end, .lines = line_end};
  }
  if (context_.options.check_only) {
    piecewise_.begin(chunk.offset, chunk.place.line);
    rest_ = Rest::checked;
  } else {
    context_.refusals.on_refused(
        {.input = context_.input,
         .offset = chunk.offset,
         .error = {.code = ErrorCode::record_limit, .offset = context_.options.max_record},
         .line = chunk.place.line,
         .column = 1,
         .text = text,
         .more_follows = more_follows});
    if (context_.options.stop_at_fault) {
      return {.consumed = size, .finished = true, .stop = true};
    }
    if (!more_follows) {
      const std::size_t line_end = whole && size < chunk.text.size() ? 1 : 0;
      return {.consumed = size + line_end, .lines = line_end};
    }
    rest_ = Rest::skipped;
    return {.consumed = size};
  }
  return take_rest(chunk);
}

/// What follows of a line that is too large to be held, up to its end.
Cut LineCutter::take_rest(const Chunk& chunk) {
  const std::uint8_t* const newline = find_newline(chunk.text);
  const std::size_t size = newline == nullptr
                               ? chunk.text.size()
                               : static_cast<std::size_t>(newline - chunk.text.data());
  const bool ends = newline != nullptr || chunk.at_end;
  if (rest_ == Rest::document) return take_document(chunk);
  const std::size_t line_end = newline == nullptr ? 0 : 1;
  Cut cut{.consumed = size + line_end, .lines = line_end};
  if (rest_ == Rest::skipped) {
    context_.refusals.on_more(chunk.text.first(size), ends);
  } else {
    piecewise_.feed(chunk.text.first(size), context_.input, context_.refusals);
    if (newline != nullptr && may_be_document_ && piecewise_.inside_container()) {
      rest_ = Rest::document;
      return {.consumed = size};
    }
    if (ends && piecewise_.finish(context_.input, context_.refusals)) cut.checked = 1;
  }
  if (ends) {
    rest_ = Rest::none;
    may_be_document_ = false;
  }
  return cut;
}

/// All of the input is one document after all.
Cut LineCutter::take_document(const Chunk& chunk) {
  piecewise_.feed(chunk.text, context_.input, context_.refusals);
  Cut cut{.consumed = chunk.text.size(), .finished = piecewise_.refused() || chunk.at_end};
  if (chunk.at_end && piecewise_.finish(context_.input, context_.refusals)) cut.checked = 1;
  return cut;
}

}  // namespace

/// Looks only at the end of each window as long as a small line can be.
std::size_t run_of_small_lines(std::span<const std::uint8_t> text, std::size_t largest) {
  std::size_t run = 0;
  while (run < text.size()) {
    const std::size_t window = std::min(largest + 1, text.size() - run);
    const void* last = memrchr(text.data() + run, '\n', window);
    if (last == nullptr) break;
    run = static_cast<std::size_t>(static_cast<const std::uint8_t*>(last) - text.data()) + 1;
  }
  return run;
}

std::unique_ptr<Cutter> make_line_cutter(const CutterContext& context) {
  return std::make_unique<LineCutter>(context);
}

}  // namespace sluice
