#include "json/document_scanner.h"

#include <cstring>

#include "json/bytes.h"
#include "json/exact_fault.h"
#include "json/record_reader.h"

namespace sluice::json {
struct DocumentScanner::State {
  State(const Selection& selection, const ScanOptions& options, std::span<std::byte> memory)
      : tree(selection),
        reader(kernel::active(), selection, tree, options, memory),
        exact(options) {}

  PathTree tree;
  RecordReader reader;
  PlainMachine exact;
};

DocumentScanner::DocumentScanner(const Selection& selection, const ScanOptions& options,
                                 std::span<std::byte> streams)
    : state_(std::make_unique<State>(selection, options, streams)) {}

DocumentScanner::~DocumentScanner() = default;

Result<void> DocumentScanner::scan(std::span<const std::uint8_t> text,
                                   std::span<std::uint64_t> row) {
  std::size_t start = 0;
  std::size_t end = text.size();
  while (start < end && is_blank(text[start])) ++start;
  while (end > start && is_blank(text[end - 1])) --end;
  if (!state_->reader.read(text.subspan(start, end - start), row.data())) {
    return exact_fault(state_->exact, text);
  }
  row[0] = pack_range(static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(end - start));
  return {};
}

}  // namespace sluice::json
