#include "line_runs.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "json/plain_select.h"
#include "padded_text.h"

namespace sluice::json {
namespace {

/// Keeps faults as they are relative to the whole text.
struct Collector : LineFaults {
  void on_fault(const LineFault& fault) override {
    lines->faults.push_back({base + fault.start, fault.size, line + fault.line, fault.error});
  }
  Lines* lines = nullptr;
  std::uint64_t base = 0;
  std::uint32_t line = 0;
};

}  // namespace

void Lines::append_plain(Text body, std::size_t start, std::uint32_t line,
                         const Selection& selection, const ScanOptions& options) {
  const Error error = plain_verdict(body, options);
  if (error.code != ErrorCode::none) {
    faults.push_back({start, static_cast<std::uint32_t>(body.size()), line, error});
    return;
  }
  auto& row = rows.emplace_back(row_words(selection.size()));
  plain_select(body, selection, row.data());
  row[0] = pack_range(static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(body.size()));
}

Lines scan_lines(const kernel::Kernel& kernel, Text text, const Selection& selection,
                 std::size_t row_count) {
  EXPECT_TRUE(kernel::select(kernel.name).has_value());
  Lines lines;
  Collector collector;
  collector.lines = &lines;
  const Padded padded(text);
  StreamMemory streams;
  LineScanner scanner(selection, {}, streams.bytes);
  const std::size_t words = row_words(selection.size());
  std::vector<std::uint64_t> rows(row_count * words);
  while (collector.base < text.size()) {
    const auto progress = scanner.scan(padded.text().subspan(collector.base), rows, collector);
    for (std::uint32_t row = 0; row < progress.rows; ++row) {
      auto& kept =
          lines.rows.emplace_back(rows.begin() + row * words, rows.begin() + (row + 1) * words);
      kept[0] += collector.base;
    }
    collector.base += progress.consumed;
    collector.line += progress.lines;
    if (progress.consumed != 0) continue;
    ADD_FAILURE() << kernel.name << " does not get on at " << collector.base;
    break;
  }
  lines.count = collector.line;
  return lines;
}

}  // namespace sluice::json
