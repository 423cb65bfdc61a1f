#pragma once

#include <expected>
#include <string>
#include <vector>

#include "cli/to_option.h"
#include "json/scan.h"
#include "record/record.h"

namespace sluice {

/// The fields of all sinks, each once, and which of them each sink takes.
struct Fields {
  json::Selection selection;
  std::vector<Projection> projections;
};
Fields collect_fields(const std::vector<ToOption>& sinks);

/// Names as given, else made from the URIs; a made name that is taken gets a number. An error when
/// two sinks were given one name.
std::expected<std::vector<std::string>, UsageError> sink_names(const std::vector<ToOption>& sinks);

}  // namespace sluice
