#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "json/passes.h"
#include "json/walker.h"

namespace sluice::json {

/// Checks one value that is wholly in memory, of any size, and fills its row. The way for what the
/// faster ones do not take: whole documents, long lines, and lines among which a fault was seen.
class RecordReader {
 public:
  RecordReader(const kernel::Kernel& kernel, const Selection& selection, const PathTree& tree,
               const ScanOptions& options, std::span<std::byte> memory);

  /// False when `text` is not one valid JSON value with blanks around it; `row` then means
  /// nothing. `row` holds row_words(fields) words; its ranges count from the start of `text`, and
  /// word 0 is left alone.
  bool read(std::span<const std::uint8_t> text, std::uint64_t* row);

 private:
  bool check_tokens(std::uint32_t base);

  Passes passes_;
  Walker walker_;
  const std::size_t row_words_;
  const bool select_;
  std::vector<std::uint64_t> spill_;
  kernel::TokenCarry tokens_;
};

}  // namespace sluice::json
