#pragma once

#include <string>
#include <vector>

#include "cli/run_plan.h"

namespace sluice {

/// Runs a plan and tells how it went: the summary on standard error, and the report in the file
/// `report`, unless that is empty. Returns the exit code.
int run_and_tell(const RunPlan& plan, const std::string& report,
                 const std::vector<Pushing*>& pushing = {});

}  // namespace sluice
