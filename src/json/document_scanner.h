#pragma once

#include <memory>

#include "base/result.h"
#include "json/scan.h"

namespace sluice::json {

/// Reads one whole document, newlines included, as one record.
class DocumentScanner {
 public:
  /// `streams` as for LineScanner.
  DocumentScanner(const Selection& selection, const ScanOptions& options,
                  std::span<std::byte> streams);
  ~DocumentScanner();

  /// Fills `row` (row_words(fields) words); its body is the document without blanks around it.
  /// Errors: the document's first fault.
  Result<void> scan(std::span<const std::uint8_t> text, std::span<std::uint64_t> row);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Reads the elements of one top-level array as records, while the array arrives in pieces.
class ArrayScanner {
 public:
  struct Progress {
    std::uint32_t consumed = 0;  ///< bytes that need not be shown again
    std::uint32_t rows = 0;
    bool done = false;  ///< the closing bracket was read; blanks may still follow
  };

  ArrayScanner(const Selection& selection, const ScanOptions& options,
               std::span<std::byte> streams);
  ~ArrayScanner();

  /// `text` continues where the last call's `consumed` ended; an element that is not wholly in
  /// `text` is not consumed (rows are written for whole elements only, also when the text after
  /// it has yet to come). `last`: nothing follows `text`. Stops when `rows` is full. A row's body
  /// starts relative to `text`.
  /// Errors: the first fault, offset from the start of `text`; rows before it count (`progress`).
  Result<void> scan(std::span<const std::uint8_t> text, bool last, std::span<std::uint64_t> rows,
                    Progress& progress);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sluice::json
