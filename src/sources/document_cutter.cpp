#include <algorithm>

#include "json/bytes.h"
#include "json/document_scanner.h"
#include "sources/cutter.h"
#include "sources/piece_checker.h"

namespace sluice {
namespace {

std::span<const std::uint8_t> without_blanks(std::span<const std::uint8_t> text) {
  while (!text.empty() && json::is_blank(text.front())) text = text.subspan(1);
  while (!text.empty() && json::is_blank(text.back())) text = text.first(text.size() - 1);
  return text;
}

/// What documents and arrays share: a fault ends them, and the rest of the input with them.
class WholeCutter : public Cutter {
 public:
  bool multiline() const final { return true; }

  Cut cut(const Chunk& chunk) final {
    if (!refused_) return take(chunk);
    // Somebody keeps the bytes of what is refused, so the rest is read for them.
    context_.refusals.on_more(chunk.text, chunk.at_end);
    return {.consumed = chunk.text.size(),
            .finished = chunk.at_end,
            .stop = context_.options.stop_at_fault};
  }

 protected:
  explicit WholeCutter(const CutterContext& context) : context_(context) {}

  virtual Cut take(const Chunk& chunk) = 0;

  /// Tells of a refused record: `text`, which begins at `start` of the chunk.
  void tell(const Chunk& chunk, std::size_t start, const Error& error,
            std::span<const std::uint8_t> text, bool more_follows = false) {
    const bool too_large = error.code == ErrorCode::record_limit;
    const Place place = place_in(chunk.text, too_large ? start : start + error.offset, chunk.place);
    context_.refusals.on_refused({.input = context_.input,
                                  .offset = chunk.offset + start,
                                  .error = error,
                                  .line = place.line,
                                  .column = place.column,
                                  .text = text,
                                  .more_follows = more_follows});
  }

  /// Refuses the record at `start`, and with it the rest of the input.
  Cut refuse_rest(const Chunk& chunk, std::size_t start, const Error& error) {
    refused_ = context_.refusals.keeps_bytes() && !chunk.at_end;
    tell(chunk, start, error, chunk.text.subspan(start), refused_);
    return {.consumed = chunk.text.size(),
            .finished = !refused_,
            .stop = context_.options.stop_at_fault};
  }

  Error too_large() const {
    return {.code = ErrorCode::record_limit, .offset = context_.options.max_record};
  }

  CutterContext context_;

 private:
  bool refused_ = false;
};

/// The whole input is one record.
class DocumentCutter final : public WholeCutter {
 public:
  explicit DocumentCutter(const CutterContext& context)
      : WholeCutter(context), scanner_(context.selection, context.options.scan, context.streams) {}

 private:
  Cut take(const Chunk& chunk) override;

  json::DocumentScanner scanner_;
};

Cut DocumentCutter::take(const Chunk& chunk) {
  const std::size_t limit = context_.options.max_record;
  // Blanks around the document do not count, as far as the buffer holds them.
  const bool is_large = chunk.at_end ? without_blanks(chunk.text).size() > limit
                                     : chunk.full && chunk.text.size() > limit;
  if (is_large) return refuse_rest(chunk, 0, too_large());
  if (!chunk.at_end) return {};
  if (const Result<void> scanned = scanner_.scan(chunk.text, chunk.rows); !scanned) {
    return refuse_rest(chunk, 0, scanned.error());
  }
  return {.consumed = chunk.text.size(), .rows = 1, .finished = true};
}

/// A document of any size, looked at piece by piece and never held.
class CheckCutter final : public Cutter {
 public:
  explicit CheckCutter(const CutterContext& context)
      : context_(context), checker_(context.options.scan, context.streams) {
    checker_.begin(0, 1);
  }

  Cut cut(const Chunk& chunk) override {
    checker_.feed(chunk.text, context_.input, context_.refusals);
    Cut cut{.consumed = chunk.text.size()};
    cut.finished = checker_.refused() || chunk.at_end;
    if (chunk.at_end && checker_.finish_document(context_.input, context_.refusals)) {
      cut.checked = 1;
    }
    return cut;
  }
  bool multiline() const override { return true; }

 private:
  CutterContext context_;
  PieceChecker checker_;
};

/// Every element of the top-level array is a record.
class ArrayCutter final : public WholeCutter {
 public:
  explicit ArrayCutter(const CutterContext& context)
      : WholeCutter(context), scanner_(context.selection, context.options.scan, context.streams) {}

 private:
  Cut take(const Chunk& chunk) override;
  bool worth_scanning(const Chunk& chunk) const;
  std::uint32_t without_large(const Chunk& chunk, std::uint32_t rows);

  json::ArrayScanner scanner_;
  std::size_t incomplete_ = 0;  ///< size of a text that held no whole element
  bool stopped_ = false;
};

/// A large element that arrives in small pieces is not scanned again for each of them.
bool ArrayCutter::worth_scanning(const Chunk& chunk) const {
  constexpr std::size_t kAlways = 128 * 1024;
  const std::size_t size = chunk.text.size();
  return chunk.at_end || chunk.full || size < kAlways || size > incomplete_ + incomplete_ / 4;
}

/// Takes the rows of elements above the limit out, and refuses these; where the first fault is to
/// end the reading, the rows behind it go too.
std::uint32_t ArrayCutter::without_large(const Chunk& chunk, std::uint32_t rows) {
  const std::size_t words = json::row_words(context_.selection.size());
  std::uint32_t kept = 0;
  for (std::uint32_t row = 0; row < rows; ++row) {
    const auto from = chunk.rows.subspan(row * words, words);
    const std::uint32_t start = json::range_start(from[0]);
    const std::uint32_t size = json::range_size(from[0]);
    if (size > context_.options.max_record) {
      tell(chunk, start, too_large(), chunk.text.subspan(start, size));
      if (context_.options.stop_at_fault) {
        stopped_ = true;
        return kept;
      }
      continue;
    }
    std::ranges::copy(from, chunk.rows.subspan(kept++ * words).begin());
  }
  return kept;
}

Cut ArrayCutter::take(const Chunk& chunk) {
  if (chunk.text.empty() && !chunk.at_end) return {};
  if (!worth_scanning(chunk)) return {};
  json::ArrayScanner::Progress progress;
  const Result<void> scanned = scanner_.scan(chunk.text, chunk.at_end, chunk.rows, progress);
  const std::size_t words = json::row_words(context_.selection.size());
  const std::uint32_t rows = without_large(chunk, progress.rows);
  if (stopped_) {
    return {.consumed = progress.consumed, .rows = rows, .finished = true, .stop = true};
  }
  if (!scanned) {
    // The fault's place counts from the text; the element it is in begins where reading stopped.
    const std::size_t start = std::min<std::size_t>(progress.consumed, scanned.error().offset);
    Error error = scanned.error();
    error.offset -= start;
    Cut cut = refuse_rest(chunk, start, error);
    cut.rows = rows;
    return cut;
  }
  const std::size_t rest = chunk.text.size() - progress.consumed;
  if (progress.consumed == 0 && rest > context_.options.max_record) {
    return refuse_rest(chunk, 0, too_large());
  }
  incomplete_ = rest;
  return {.consumed = progress.consumed,
          .rows = rows,
          .rows_short = progress.rows * words + words > chunk.rows.size(),
          .finished = chunk.at_end && rest == 0};
}

}  // namespace

bool is_blank(std::span<const std::uint8_t> text) {
  return std::ranges::all_of(text, json::is_blank);
}

std::unique_ptr<Cutter> make_document_cutter(const CutterContext& context) {
  return std::make_unique<DocumentCutter>(context);
}

std::unique_ptr<Cutter> make_array_cutter(const CutterContext& context) {
  return std::make_unique<ArrayCutter>(context);
}

std::unique_ptr<Cutter> make_check_cutter(const CutterContext& context) {
  return std::make_unique<CheckCutter>(context);
}

}  // namespace sluice
