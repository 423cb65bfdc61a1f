#pragma once

#include "cli/run_plan.h"

namespace sluice {

/// Prints the run's table on standard error.
void print_summary(const RunStats& stats);

}  // namespace sluice
