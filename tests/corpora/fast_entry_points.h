#pragma once

#include "entry_points.h"

namespace sluice::json {

/// The fast classes, once for each instruction set of this machine.
void append_fast_entry_points(std::vector<EntryPoint>& all);

/// The fields of a row, relative to the text in which its body starts.
Ranges ranges_of(std::span<const std::uint64_t> row, std::size_t fields);

}  // namespace sluice::json
