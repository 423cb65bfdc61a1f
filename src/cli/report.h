#pragma once

#include <string>

#include "cli/run_plan.h"

namespace sluice {

/// The report of a run: one JSON object, with the fields that docs/formats/report.md lists.
std::string report_json(const RunStats& stats);

}  // namespace sluice
