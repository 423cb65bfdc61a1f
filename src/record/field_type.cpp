#include "record/field_type.h"

#include <algorithm>
#include <array>

namespace sluice {
namespace {

constexpr std::array<const char*, 10> kNames = {"text", "i64", "u64",  "i32",  "u32",
                                                "f64",  "f32", "bool", "time", "json"};

}  // namespace

const char* field_type_name(FieldType type) { return kNames[static_cast<std::size_t>(type)]; }

std::optional<FieldType> field_type_named(std::string_view name) {
  const auto found = std::ranges::find(kNames, name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<FieldType>(found - kNames.begin());
}

}  // namespace sluice
