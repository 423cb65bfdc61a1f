#include "fast_entry_points.h"

#include <algorithm>

#include "array_runs.h"
#include "case_files.h"
#include "document/document.h"
#include "json/checker.h"
#include "json/document_scanner.h"
#include "json/line_scanner.h"
#include "kernel/kernel.h"
#include "padded_text.h"
#include "splits.h"

namespace sluice::json {
namespace {

struct KeptFaults : LineFaults {
  void on_fault(const LineFault& fault) override { faults.push_back(fault); }
  std::vector<LineFault> faults;
};

bool is_blank(std::uint8_t byte) { return byte == ' ' || byte == '\t' || byte == '\r'; }

bool is_one_line(Text text) {
  const bool has_newline = std::find(text.begin(), text.end(), '\n') != text.end();
  const bool is_empty = std::all_of(text.begin(), text.end(), is_blank);
  return !has_newline && !is_empty && text.back() != '\r';
}

constexpr std::string_view kLineBefore = "\"good\"\n";
constexpr std::string_view kLineBehind = "\ntrue\n";

/// The text between two good lines, which a fault in it must leave alone.
struct LineRun {
  LineRun(Text text, const ScanOptions& options, const Selection& selection)
      : rows(3 * row_words(selection.size())) {
    Bytes lines = bytes_of(kLineBefore);
    lines.insert(lines.end(), text.begin(), text.end());
    lines.insert(lines.end(), kLineBehind.begin(), kLineBehind.end());
    const Padded padded(lines);
    StreamMemory streams;
    LineScanner scanner(selection, options, streams.bytes);
    progress = scanner.scan(padded.text(), rows, kept);
    expect_consistent(progress.consumed == lines.size(), "all lines are consumed");
    expect_consistent(progress.lines == 3, "three lines are three");
    expect_consistent(progress.faults == kept.faults.size(), "faults are counted as told");
    expect_consistent(progress.rows + progress.faults == 3, "a line is a row or a fault");
  }

  std::vector<std::uint64_t> rows;
  KeptFaults kept;
  LineScanner::Progress progress;
};

Error line_verdict(Text text, const ScanOptions& options, const Selection& selection) {
  const LineRun run(text, options, selection);
  if (run.kept.faults.empty()) return {};
  const LineFault& fault = run.kept.faults[0];
  expect_consistent(fault.start == kLineBefore.size(), "the fault's line starts where it does");
  expect_consistent(fault.size == text.size(), "the fault's line is as long as it is");
  expect_consistent(fault.line == 1, "the second line is at fault");
  return fault.error;
}

Ranges line_fields(Text text, const ScanOptions& options, const Selection& selection) {
  const LineRun run(text, options, selection);
  const std::size_t words = row_words(selection.size());
  const auto row = std::span(run.rows).subspan(words, words);
  const std::uint64_t body =
      pack_range(kLineBefore.size(), static_cast<std::uint32_t>(text.size()));
  expect_consistent(row[0] == body, "the row's body is the line");
  Ranges ranges = ranges_of(row, selection.size());
  for (auto& [start, size] : ranges) {
    if (size > 0) start -= kLineBefore.size();
  }
  return ranges;
}

Error document_verdict(Text text, const ScanOptions& options, const Selection& selection) {
  const Padded padded(text);
  StreamMemory streams;
  DocumentScanner scanner(selection, options, streams.bytes);
  std::vector<std::uint64_t> row(row_words(selection.size()));
  const Result<void> scanned = scanner.scan(padded.text(), row);
  return scanned ? Error{} : scanned.error();
}

Ranges document_fields(Text text, const ScanOptions& options, const Selection& selection) {
  const Padded padded(text);
  StreamMemory streams;
  DocumentScanner scanner(selection, options, streams.bytes);
  std::vector<std::uint64_t> row(row_words(selection.size()));
  const Result<void> scanned = scanner.scan(padded.text(), row);
  expect_consistent(scanned.has_value(), "the same text is accepted again");
  return ranges_of(row, selection.size());
}

Error tree_verdict(Text text, const ScanOptions& options, const Selection&) {
  const std::vector<char> exact(text.begin(), text.end());  // and nothing behind
  const auto document = Document::parse({exact.data(), exact.size()}, {.scan = options});
  return document ? Error{} : document.error();
}

Ranges tree_fields(Text text, const ScanOptions& options, const Selection& selection) {
  const std::vector<char> exact(text.begin(), text.end());
  const auto document = Document::parse({exact.data(), exact.size()}, {.scan = options});
  expect_consistent(document.has_value(), "the same text is accepted again");
  Ranges ranges;
  for (const Pointer& pointer : selection.pointers()) {
    const Value value = document->root().at(pointer);
    const std::size_t size = value.raw().size();
    ranges.emplace_back(size == 0 ? 0 : value.offset(), size);
  }
  return ranges;
}

Error checker_verdict(Text text, const ScanOptions& options, const Selection&) {
  StreamMemory streams;
  Checker checker(options, streams.bytes);
  return verdict_over_splits(checker, text);
}

bool is_array(Text text) {
  const auto first = std::find_if_not(
      text.begin(), text.end(), [](std::uint8_t byte) { return is_blank(byte) || byte == '\n'; });
  return first != text.end() && *first == '[';
}

Error array_verdict(Text text, const ScanOptions& options, const Selection& selection) {
  const Error whole = scan_elements(text, options, selection, {}, text.size() + 1).error;
  for (const auto& cuts : splits_of(text.size())) {
    const Error verdict = scan_elements(text, options, selection, cuts, 1 + cuts.size() % 3).error;
    if (verdict != whole) return verdict;
  }
  return whole;
}

/// Runs `body` with scanners that use this kernel.
template <class Body>
auto on_kernel(const char* name, Body body) {
  return [name, body](const auto&... arguments) {
    expect_consistent(kernel::select(name).has_value(), "a supported kernel can be had");
    return body(arguments...);
  };
}

bool takes_all(Text) { return true; }

}  // namespace

Ranges ranges_of(std::span<const std::uint64_t> row, std::size_t fields) {
  const std::uint64_t base = range_start(row[0]);
  Ranges ranges;
  for (std::size_t field = 0; field < fields; ++field) {
    const bool present = (row[1 + field / 64] >> field % 64 & 1) != 0;
    const std::uint64_t range = row[1 + presence_words(fields) + field];
    expect_consistent(present || range == 0, "an absent field has no place");
    ranges.emplace_back(present ? base + range_start(range) : 0, range_size(range));
  }
  return ranges;
}

void append_fast_entry_points(std::vector<EntryPoint>& all) {
  for (const kernel::Kernel* kernel : kernel::supported()) {
    const std::string name = std::string("/") + kernel->name;
    all.push_back({"LineScanner" + name, is_one_line, on_kernel(kernel->name, line_verdict),
                   on_kernel(kernel->name, line_fields)});
    all.push_back({"DocumentScanner" + name, takes_all, on_kernel(kernel->name, document_verdict),
                   on_kernel(kernel->name, document_fields)});
    all.push_back({"Checker" + name, takes_all, on_kernel(kernel->name, checker_verdict), {}});
    all.push_back({"Document" + name, takes_all, on_kernel(kernel->name, tree_verdict),
                   on_kernel(kernel->name, tree_fields)});
    all.push_back({"ArrayScanner" + name, is_array, on_kernel(kernel->name, array_verdict), {}});
  }
}

}  // namespace sluice::json
