#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "json/checker.h"
#include "sources/refused.h"

namespace sluice {

/// Checks one value of any size piece by piece, and knows for its fault the line, the column and
/// the bytes around it.
class PieceChecker {
 public:
  PieceChecker(const json::ScanOptions& options, std::span<std::byte> streams)
      : checker_(options, streams) {}

  /// A new value begins at `offset` of `input`, in column 1 of `line`.
  void begin(std::uint64_t offset, std::uint64_t line);
  /// Its next bytes; a fault is told to `refusals` once.
  void feed(std::span<const std::uint8_t> piece, const std::string& input, Refusals& refusals);
  /// It ends here. True when it is valid; one of blanks only is neither valid nor told.
  bool finish(const std::string& input, Refusals& refusals);
  /// As finish; one of blanks only is a fault.
  bool finish_document(const std::string& input, Refusals& refusals);
  bool refused() const { return refused_; }
  bool inside_container() const {
    return !refused_ && checker_.place() == json::Checker::Place::inside_container;
  }
  bool blank() const { return !refused_ && checker_.place() == json::Checker::Place::nothing_yet; }

 private:
  /// Bytes before a piece in which a fault can still be found: an escaped surrogate pair is 12.
  static constexpr std::size_t kLookBack = 16;
  void tell(const Error& error, std::span<const std::uint8_t> piece, const std::string& input,
            Refusals& refusals);
  void remember(std::span<const std::uint8_t> piece);

  json::Checker checker_;
  std::uint64_t offset_ = 0;      ///< of the value in the input
  std::uint64_t fed_ = 0;         ///< bytes of the value
  std::uint64_t line_ = 1;        ///< in which the next piece begins
  std::uint64_t line_start_ = 0;  ///< of that line, in bytes from the value's start
  std::array<std::uint8_t, kLookBack> last_{};
  std::size_t last_size_ = 0;
  bool refused_ = false;
};

}  // namespace sluice
