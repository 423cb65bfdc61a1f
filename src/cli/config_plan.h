#pragma once

#include <expected>
#include <string>
#include <vector>

#include "cli/run_plan.h"
#include "config/config.h"

namespace sluice {

/// A configuration file, read and checked.
struct LoadedConfig {
  std::string path;
  Config config;
};

/// Reads `path`, "-" for standard input, with this process's environment. Errors: what is wrong, a
/// line for each problem, "PATH:LINE:COLUMN: ...".
std::expected<LoadedConfig, std::vector<std::string>> load_config(const std::string& path);

/// What a configuration asks to be run; sources are its feeds, in their order. Inputs, and sources
/// of type http, become sources that are pushed. Errors: of names of files with a `*`, those that
/// stand for none, as lines like those of `load_config`.
std::expected<RunPlan, std::vector<std::string>> plan_of(const LoadedConfig& loaded);

/// The names of files that match `pattern`, in order, whose last part may hold `*` for any text
/// that does not begin with a dot. A name without `*` is taken as it is.
std::vector<std::string> matching_files(const std::string& pattern);

}  // namespace sluice
