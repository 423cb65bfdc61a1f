#pragma once

#include <string>

#include "case_files.h"
#include "entry_points.h"

namespace sluice::json {

/// What a fuzzer's input says besides its text, in the last three bytes, so that any text serves
/// as a seed: options, and which of a set of pointers are selected.
struct FuzzInput {
  FuzzInput(const std::uint8_t* data, std::size_t size);

  Text text;
  ScanOptions options;
  Selection selection;
};

/// Prints `what` and the text, and stops.
[[noreturn]] void fail(const std::string& what, Text text);

}  // namespace sluice::json
