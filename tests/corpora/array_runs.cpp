#include "array_runs.h"

#include <optional>
#include <string_view>

#include "json/document_scanner.h"
#include "json/plain_select.h"
#include "padded_text.h"

namespace sluice::json {
namespace {

bool is_one_of(std::string_view bytes, std::uint8_t byte) {
  return bytes.contains(static_cast<char>(byte));
}

/// The position behind the string that begins at `at`, if it ends in `text`.
std::optional<std::size_t> string_end(Text text, std::size_t at) {
  for (++at; at < text.size(); ++at) {
    if (text[at] == '"') return at + 1;
    if (text[at] == '\\') ++at;
  }
  return std::nullopt;
}

/// The position behind the element that begins at `at`, if it ends in `text`.
std::optional<std::size_t> element_end(Text text, std::size_t at) {
  int depth = 0;
  const bool is_scalar = !is_one_of("[{\"", text[at]);
  while (at < text.size()) {
    if (is_scalar && is_one_of(" \t\r\n,]", text[at])) return at;
    if (text[at] == '"') {
      const auto end = string_end(text, at);
      if (!end) return std::nullopt;
      at = *end;
    } else {
      if (is_one_of("[{", text[at])) ++depth;
      if (is_one_of("]}", text[at])) --depth;
      ++at;
    }
    if (!is_scalar && depth == 0) return at;
  }
  return std::nullopt;
}

/// Rows of one call, moved to where the call's text begins.
void keep_rows(ElementRows& elements, const std::vector<std::uint64_t>& rows, std::size_t count,
               std::size_t words, std::size_t base) {
  for (std::size_t row = 0; row < count; ++row) {
    const auto first = rows.begin() + static_cast<std::ptrdiff_t>(row * words);
    elements.rows.emplace_back(first, first + static_cast<std::ptrdiff_t>(words))[0] += base;
  }
}

}  // namespace

ElementRows plain_elements(Text text, const ScanOptions& options, const Selection& selection) {
  ElementRows elements{{}, plain_verdict(text, options)};
  // Up to the fault the text is the beginning of a valid one, and can be walked as such.
  if (elements.error.code != ErrorCode::none) text = text.first(elements.error.offset);
  std::size_t at = 0;
  bool inside = false;
  while (at < text.size()) {
    if (is_one_of(" \t\r\n,]", text[at]) || !inside) {
      inside = inside || text[at] == '[';
      ++at;
      continue;
    }
    const auto end = element_end(text, at);
    if (!end) break;
    auto& row = elements.rows.emplace_back(row_words(selection.size()));
    plain_select(text.subspan(at, *end - at), selection, row.data());
    row[0] += at;
    at = *end;
  }
  return elements;
}

ElementRows scan_elements(Text text, const ScanOptions& options, const Selection& selection,
                          const std::vector<std::size_t>& cuts, std::size_t row_count) {
  ElementRows elements;
  StreamMemory streams;
  ArrayScanner scanner(selection, options, streams.bytes);
  const std::size_t words = row_words(selection.size());
  std::vector<std::uint64_t> rows(row_count * words);
  std::size_t base = 0;
  for (std::size_t index = 0; index <= cuts.size(); ++index) {
    const bool last = index == cuts.size();
    const std::size_t end = last ? text.size() : cuts[index];
    if (end < base) continue;
    ArrayScanner::Progress progress;
    do {
      const Padded padded(text.subspan(base, end - base));
      progress = {};
      const Result<void> scanned = scanner.scan(padded.text(), last, rows, progress);
      keep_rows(elements, rows, progress.rows, words, base);
      if (!scanned) {
        elements.error = scanned.error();
        elements.error.offset += base;
        return elements;
      }
      base += progress.consumed;
    } while (progress.rows == row_count);
    expect_consistent(!last || progress.done, "an array that ends is done or refused");
  }
  return elements;
}

}  // namespace sluice::json
