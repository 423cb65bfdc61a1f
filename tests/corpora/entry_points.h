#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "json/scan.h"

/// Every way into the reader, seen as one function from a document to its first fault. For tests
/// and fuzzers, which differ in what they do when something is wrong.
namespace sluice::json {

using Text = std::span<const std::uint8_t>;

/// The first fault of one document; code none: accepted.
using Verdict = std::function<Error(Text text, const ScanOptions&, const Selection&)>;
/// The ranges of the fields of one good document, relative to `text`; size 0: absent.
using Ranges = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
using Select = std::function<Ranges(Text text, const ScanOptions&, const Selection&)>;

struct EntryPoint {
  std::string name;
  /// Says whether this way can take `text` as one document at all.
  std::function<bool(Text text)> takes;
  Verdict verdict;
  Select select;  ///< empty where this way only checks
};

/// The exact machine over the whole text: what the others must agree with.
Error plain_verdict(Text text, const ScanOptions& options);

/// The fields of a good document, by the plain selection.
Ranges plain_fields(Text text, const Selection& selection);

/// All of them: each class, on each instruction set of this machine, whole and in pieces.
const std::vector<EntryPoint>& entry_points();

Selection selection_of(const std::vector<std::string>& pointers);

/// Called where a way contradicts itself. A test fails, a fuzzer stops; each brings its own.
void expect_consistent(bool holds, const char* what);

}  // namespace sluice::json
