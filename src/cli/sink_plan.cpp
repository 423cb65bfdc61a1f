#include "cli/sink_plan.h"

#include <algorithm>
#include <map>
#include <utility>

namespace sluice {
namespace {

std::string base_name(const ToOption& sink) {
  if (!sink.name.empty()) return sink.name;
  if (sink.uri == "-") return "stdout";
  std::string name = sink.uri.substr(0, sink.uri.find(':'));
  if (name == "file") name = sink.rest.substr(sink.rest.rfind('/') + 1);
  return name;
}

}  // namespace

Fields collect_fields(const std::vector<ToOption>& sinks) {
  std::vector<json::Pointer> pointers;
  Fields fields;
  for (const ToOption& sink : sinks) {
    Projection projection{.whole = sink.select.whole, .fields = {}};
    for (const json::Pointer& pointer : sink.select.pointers) {
      const auto known = std::ranges::find(pointers, pointer.tokens(), &json::Pointer::tokens);
      projection.fields.push_back(static_cast<std::uint32_t>(known - pointers.begin()));
      if (known == pointers.end()) pointers.push_back(pointer);
    }
    fields.projections.push_back(std::move(projection));
  }
  fields.selection = json::Selection(std::move(pointers));
  return fields;
}

std::expected<std::vector<std::string>, UsageError> sink_names(const std::vector<ToOption>& sinks) {
  std::map<std::string, int> used;
  for (const ToOption& sink : sinks) {
    if (!sink.name.empty() && ++used[sink.name] > 1) {
      return std::unexpected(
          UsageError{"two sinks have the name '" + sink.name + "': give each --to its own name="});
    }
  }
  std::vector<std::string> names;
  for (const ToOption& sink : sinks) {
    std::string name = base_name(sink);
    if (sink.name.empty()) {
      while (++used[name] > 1) name = base_name(sink) + "-" + std::to_string(used[name]);
    }
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace sluice
