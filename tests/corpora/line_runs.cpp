#include "line_runs.h"

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

bool is_blank(std::uint8_t byte) { return byte == ' ' || byte == '\t' || byte == '\r'; }

/// What must come of the line `body` that stands at `start`.
void append_plain(Lines& lines, Text body, std::size_t start, std::uint32_t line,
                  const Selection& selection) {
  const Error error = plain_verdict(body, {});
  if (error.code != ErrorCode::none) {
    lines.faults.push_back({start, static_cast<std::uint32_t>(body.size()), line, error});
    return;
  }
  auto& row = lines.rows.emplace_back(row_words(selection.size()));
  plain_select(body, selection, row.data());
  row[0] = pack_range(static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(body.size()));
}

}  // namespace

Lines plain_lines(Text text, const Selection& selection) {
  Lines lines;
  std::size_t start = 0;
  for (std::uint32_t number = 0; start < text.size(); ++number) {
    const auto newline =
        std::find(text.begin() + static_cast<std::ptrdiff_t>(start), text.end(), '\n');
    const auto end = static_cast<std::size_t>(newline - text.begin());
    Text body = text.subspan(start, end - start);
    if (!body.empty() && body.back() == '\r') body = body.first(body.size() - 1);
    if (!std::all_of(body.begin(), body.end(), is_blank)) {
      append_plain(lines, body, start, number, selection);
    }
    start = end + 1;
  }
  return lines;
}

Lines scan_lines(const kernel::Kernel& kernel, Text text, const Selection& selection,
                 std::size_t row_count) {
  expect_consistent(kernel::select(kernel.name).has_value(), "a supported kernel can be had");
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
    expect_consistent(progress.consumed != 0, "a scan gets on");
    if (progress.consumed == 0) break;
  }
  lines.count = collector.line;
  return lines;
}

}  // namespace sluice::json
