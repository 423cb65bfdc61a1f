#include "flow/retention.h"

#include <array>

namespace sluice {

std::string_view moment_name(Moment moment) {
  constexpr std::array<std::string_view, 3> kNames{"arrival", "release", "shortage"};
  return kNames[static_cast<std::size_t>(moment)];
}

std::unique_ptr<RetentionPolicy> make_retention(std::string_view name) {
  for (const PolicySpec* spec : policy_specs()) {
    if (spec->name == name) return spec->make();
  }
  return nullptr;
}

}  // namespace sluice
