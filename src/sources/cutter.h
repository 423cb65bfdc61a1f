#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "json/scan.h"
#include "sources/refused.h"

namespace sluice {

/// How the records lie in an input.
enum class InputFormat {
  automatic,  ///< decided by the first line
  ndjson,     ///< a record a line
  json,       ///< one document, which is one record
  array,      ///< the elements of one top-level array
};

/// The unread bytes of an input, as far as they are there.
struct Chunk {
  std::span<std::uint8_t> text;   ///< kChunkSlack writable bytes follow it
  bool at_end = false;            ///< nothing follows in the input
  bool full = false;              ///< nothing more can be added without growing
  std::span<std::uint64_t> rows;  ///< where the rows go; room for at least one
  std::uint64_t offset = 0;       ///< of the text in the input
  Place place;                    ///< line and column in which the text begins
};

/// Whether there is nothing but JSON's blanks.
bool is_blank(std::span<const std::uint8_t> text);

/// Bytes that must be there behind a chunk's text: for the scanners, and for a line end that the
/// last line lacks.
inline constexpr std::size_t kChunkSlack = json::kScanPadding + 2;

struct Cut {
  std::size_t consumed = 0;   ///< bytes that are settled; 0: more are needed
  std::uint32_t rows = 0;     ///< records among them, in order
  std::uint32_t checked = 0;  ///< records accepted without a row (check_only)
  std::uint64_t lines = 0;    ///< line ends among them
  bool rows_short = false;    ///< ended where it did because no row was left
  bool finished = false;      ///< nothing further of this input is a record
  bool stop = false;          ///< nor of any other input: a refused record ends the reading
};

struct CutterOptions {
  json::ScanOptions scan;
  std::size_t max_record = 0;  ///< bytes
  std::size_t alone_from = 0;  ///< records larger than this get a block of their own; 0: all do
  bool stop_at_fault = false;  ///< the first refused record ends the reading
  bool check_only = false;     ///< records above max_record and documents are checked piece by
                               ///< piece instead of refused or held
};

/// Splits a text into records, checks them and finds the selected fields.
class Cutter {
 public:
  virtual ~Cutter() = default;
  /// Settles a first part of the chunk: what can become one block, or what is refused.
  virtual Cut cut(const Chunk& chunk) = 0;
  virtual bool multiline() const = 0;
  /// Whether records are lines, and what comes next is the beginning of one.
  virtual bool at_line_start() const { return false; }
};

/// Bytes of the whole lines at the start of `text` of which none is larger than `largest` bytes.
std::size_t run_of_small_lines(std::span<const std::uint8_t> text, std::size_t largest);

/// What all cutters of one run share. `streams` holds nothing between calls.
struct CutterContext {
  const json::Selection& selection;
  const CutterOptions& options;
  std::span<std::byte> streams;
  Refusals& refusals;
  const std::string& input;  ///< its name; outlives the cutter
  /// For check_only: the first line is longer than what was looked at, and may turn out to be the
  /// beginning of a document.
  bool may_be_document = false;
};

std::unique_ptr<Cutter> make_line_cutter(const CutterContext& context);
std::unique_ptr<Cutter> make_document_cutter(const CutterContext& context);
std::unique_ptr<Cutter> make_array_cutter(const CutterContext& context);
/// For documents and arrays of any size, checked only.
std::unique_ptr<Cutter> make_check_cutter(const CutterContext& context);

}  // namespace sluice
