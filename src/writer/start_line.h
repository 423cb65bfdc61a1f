#pragma once

#include <cstdint>

#include "writer/output.h"

namespace sluice::json {

/// A line end, and the blanks that the next line begins with.
void start_line(Output& out, std::uint64_t blanks);

}  // namespace sluice::json
