#pragma once

#include <string>

#include "load/options.h"
#include "load/stats.h"

namespace sluice {

/// What the report tells beside the counts.
struct LoadRun {
  std::string url;
  std::string method;
  std::size_t body_bytes = 0;
  const load::Options& options;
};

/// One JSON object; docs/formats/load.md lists its fields.
std::string load_report_json(const LoadRun& run, const load::Stats& stats);
/// The same for people, with a histogram; on standard error.
void print_load_summary(const LoadRun& run, const load::Stats& stats);

}  // namespace sluice
