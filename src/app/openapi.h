#pragma once

#include <string>
#include <vector>

#include "app/input_endpoint.h"

namespace sluice {

/// What a description of the service tells beside its inputs and sources.
struct ApiInfo {
  std::string title = "Sluice";
  std::string version;
  bool needs_token = false;
};

/// The service as OpenAPI 3.1 describes one: a path for each input and source, their fields as
/// schemas, and the answers. JSON.
std::string openapi_json(const ApiInfo& info, const std::vector<const InputEndpoint*>& inputs,
                         const std::vector<const RecordEndpoint*>& sources);

}  // namespace sluice
