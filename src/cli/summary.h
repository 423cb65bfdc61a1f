#pragma once

#include "cli/fan_run.h"

namespace sluice {

/// Prints the run's table on standard error.
void print_summary(const RunStats& stats);

}  // namespace sluice
