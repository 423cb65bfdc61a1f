#include <algorithm>

#include "json/document_scanner.h"
#include "sources/cutter.h"
#include "sources/piece_checker.h"

namespace sluice {
namespace {

std::uint64_t count_lines(std::span<const std::uint8_t> text) {
  return static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
}

Cut refuse(const CutterContext& context, const Chunk& chunk, std::size_t start,
           const Error& error) {
  const auto text = chunk.text.subspan(start);
  const std::uint64_t fault = error.code == ErrorCode::record_limit ? start : start + error.offset;
  const Place place = place_in(chunk.text, fault, chunk.line);
  context.refusals.on_refused({.input = context.input,
                               .offset = chunk.offset + start,
                               .error = error,
                               .line = place.line,
                               .column = place.column,
                               .text = text});
  return {.consumed = chunk.text.size(), .finished = true, .stop = context.options.stop_at_fault};
}

/// The whole input is one record.
class DocumentCutter final : public Cutter {
 public:
  explicit DocumentCutter(const CutterContext& context)
      : context_(context), scanner_(context.selection, context.options.scan, context.streams) {}

  Cut cut(const Chunk& chunk) override;
  bool multiline() const override { return true; }

 private:
  CutterContext context_;
  json::DocumentScanner scanner_;
};

Cut DocumentCutter::cut(const Chunk& chunk) {
  if (chunk.text.size() > context_.options.max_record) {
    return refuse(context_, chunk, 0,
                  {.code = ErrorCode::record_limit, .offset = context_.options.max_record});
  }
  if (!chunk.at_end) return {};
  const bool blank = std::ranges::all_of(chunk.text, [](std::uint8_t byte) {
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
  });
  if (blank) return {.consumed = chunk.text.size(), .finished = true};
  if (const Result<void> scanned = scanner_.scan(chunk.text, chunk.rows); !scanned) {
    return refuse(context_, chunk, 0, scanned.error());
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
    if (chunk.at_end && checker_.finish(context_.input, context_.refusals)) cut.checked = 1;
    return cut;
  }
  bool multiline() const override { return true; }

 private:
  CutterContext context_;
  PieceChecker checker_;
};

/// Every element of the top-level array is a record.
class ArrayCutter final : public Cutter {
 public:
  explicit ArrayCutter(const CutterContext& context)
      : context_(context), scanner_(context.selection, context.options.scan, context.streams) {}

  Cut cut(const Chunk& chunk) override;
  bool multiline() const override { return true; }

 private:
  bool worth_scanning(const Chunk& chunk) const;

  CutterContext context_;
  json::ArrayScanner scanner_;
  std::size_t incomplete_ = 0;  ///< size of a text that held no whole element
};

/// A large element that arrives in small pieces is not scanned again for each of them.
bool ArrayCutter::worth_scanning(const Chunk& chunk) const {
  constexpr std::size_t kAlways = 128 * 1024;
  const std::size_t size = chunk.text.size();
  return chunk.at_end || chunk.full || size < kAlways || size > incomplete_ + incomplete_ / 4;
}

Cut ArrayCutter::cut(const Chunk& chunk) {
  if (chunk.text.empty() && !chunk.at_end) return {};
  if (!worth_scanning(chunk)) return {};
  json::ArrayScanner::Progress progress;
  const Result<void> scanned = scanner_.scan(chunk.text, chunk.at_end, chunk.rows, progress);
  const std::size_t words = json::row_words(context_.selection.size());
  for (std::uint32_t row = 0; row < progress.rows; ++row) {
    const std::uint64_t body = chunk.rows[row * words];
    if (json::range_size(body) <= context_.options.max_record) continue;
    Cut cut = refuse(context_, chunk, json::range_start(body),
                     {.code = ErrorCode::record_limit, .offset = context_.options.max_record});
    cut.rows = row;
    return cut;
  }
  if (!scanned) {
    // The fault's place counts from the text; the element it is in begins where reading stopped.
    const std::size_t start = std::min<std::size_t>(progress.consumed, scanned.error().offset);
    Error error = scanned.error();
    error.offset -= start;
    Cut cut = refuse(context_, chunk, start, error);
    cut.rows = progress.rows;
    return cut;
  }
  const std::size_t rest = chunk.text.size() - progress.consumed;
  if (progress.consumed == 0 && rest > context_.options.max_record) {
    return refuse(context_, chunk, 0,
                  {.code = ErrorCode::record_limit, .offset = context_.options.max_record});
  }
  incomplete_ = rest;
  return {.consumed = progress.consumed,
          .rows = progress.rows,
          .lines = count_lines(chunk.text.first(progress.consumed)),
          .rows_short = progress.rows * words + words > chunk.rows.size(),
          .finished = chunk.at_end && rest == 0};
}

}  // namespace

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
