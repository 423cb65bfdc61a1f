#pragma once

#include <vector>

#include "entry_points.h"

namespace sluice::json {

/// What a scan of an array's elements gave, over as many calls as it took.
struct ElementRows {
  std::vector<std::vector<std::uint64_t>> rows;  ///< bodies relative to the whole text
  Error error;                                   ///< the same; code none: accepted
};

/// What must come of an array, the plain way. A number or literal counts as an element when the
/// byte behind it is there and is no fault.
ElementRows plain_elements(Text text, const ScanOptions& options, const Selection& selection);

/// Shows `text` to a scanner as it would arrive in the pieces that `cuts` make of it, with room
/// for `row_count` rows a call. On the kernel that is selected.
ElementRows scan_elements(Text text, const ScanOptions& options, const Selection& selection,
                          const std::vector<std::size_t>& cuts, std::size_t row_count);

}  // namespace sluice::json
