#pragma once

#include <cstdint>
#include <span>

#include "json/scan.h"

namespace sluice::json {

/// Fills `row` (row_words(fields) words, see scan.h) from one valid record the plain way: every
/// pointer by itself, from the top, a level at a time. What the fast scanners are tested against.
/// Requires: `record` was accepted by a scanner; it is the row's body and starts at 0.
/// Cost: up to fields times levels passes over the record; no memory.
void plain_select(std::span<const std::uint8_t> record, const Selection& selection,
                  std::uint64_t* row);

}  // namespace sluice::json
