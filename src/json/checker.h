#pragma once

#include <memory>

#include "base/result.h"
#include "json/scan.h"

namespace sluice::json {

/// Checks one document that arrives in pieces of any size, in constant memory.
/// The verdict and the offset of the fault do not depend on how the input was cut.
class Checker {
 public:
  /// Where the text read so far ends.
  enum class Place { nothing_yet, inside_string, inside_scalar, inside_container, after_value };

  /// `streams` as for LineScanner.
  Checker(const ScanOptions& options, std::span<std::byte> streams);
  ~Checker();

  /// Takes the next piece; no padding needed. Errors: the first fault, offset from the document's
  /// start; from then on every call returns it again.
  Result<void> feed(std::span<const std::uint8_t> piece);
  /// Says that the document ends here. Errors: as feed, for a text that is cut.
  Result<void> finish();
  Place place() const;
  /// Back to the beginning of a new document.
  void restart();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sluice::json
