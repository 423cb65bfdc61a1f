#pragma once

#include <memory>

#include "json/scan.h"

namespace sluice::json {

/// One refused line.
struct LineFault {
  std::uint32_t start = 0;  ///< of the line in the text
  std::uint32_t size = 0;   ///< without the line end
  std::uint32_t line = 0;   ///< how many lines of the text precede it
  Error error;              ///< offset from the start of the line
};

class LineFaults {
 public:
  virtual ~LineFaults() = default;
  virtual void on_fault(const LineFault& fault) = 0;
};

/// Reads NDJSON: every line is a record of its own, checked in full (RFC 8259, UTF-8), also where
/// nobody selected anything. A bad line costs itself only; lines of blanks are skipped.
class LineScanner {
 public:
  struct Progress {
    std::uint32_t consumed = 0;  ///< bytes: up to the start of the first line not looked at
    std::uint32_t rows = 0;      ///< rows written: accepted records, in order
    std::uint32_t lines = 0;     ///< lines consumed, blank and refused ones included
    std::uint32_t faults = 0;    ///< lines refused
  };

  /// `streams`: kStreamBytes at a multiple of 64, owned by the caller, for the scanner's lifetime.
  LineScanner(const Selection& selection, const ScanOptions& options, std::span<std::byte> streams);
  ~LineScanner();

  /// Scans `text`: whole lines, the last one ended by '\n' too; at most 1 GiB; kScanPadding
  /// readable bytes behind it. `rows` holds whole rows (`row_words(fields)` words each); the scan
  /// stops before the first line for which there is no row left. Faults come in order, between
  /// the rows they stand between.
  Progress scan(std::span<const std::uint8_t> text, std::span<std::uint64_t> rows,
                LineFaults& faults);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sluice::json
