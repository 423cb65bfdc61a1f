#pragma once

#include <vector>

#include "entry_points.h"
#include "json/line_scanner.h"
#include "kernel/kernel.h"

namespace sluice::json {

/// What a scan of lines gave, over as many calls as it took.
struct Lines {
  struct Fault {
    std::uint64_t start = 0;
    std::uint32_t size = 0;
    std::uint32_t line = 0;
    Error error;
    friend bool operator==(const Fault&, const Fault&) = default;
  };
  std::vector<std::vector<std::uint64_t>> rows;  ///< bodies relative to the whole text
  std::vector<Fault> faults;
  std::uint32_t count = 0;
};

/// What must come of a text, line by line, the plain way.
Lines plain_lines(Text text, const Selection& selection);

/// Scans `text` with room for `row_count` rows a call, until all of it is consumed.
Lines scan_lines(const kernel::Kernel& kernel, Text text, const Selection& selection,
                 std::size_t row_count);

}  // namespace sluice::json
