#include "typed/fault_names.h"

#include <vector>

#include "typed/nearest_name.h"

namespace sluice::json {
namespace {

constexpr std::size_t kKeysMax = 256;

/// The keys of the object that ends at `closer`, as they are written.
std::vector<std::string_view> keys_of(const IndexView& index, std::uint32_t closer) {
  std::vector<std::string_view> keys;
  std::uint32_t token = index.links[closer] + 1;
  while (token < closer && keys.size() < kKeysMax) {
    keys.push_back(index.string_body(token));
    token = index.behind(token + 2) + 1;
  }
  return keys;
}

}  // namespace

FaultNames names_of_fault(const ReadState& state) {
  if (state.error.code == ErrorCode::json_missing) {
    return {.missing = state.member,
            .nearest = nearest_name(state.member, keys_of(state.index, state.fault_token))};
  }
  if (state.error.code == ErrorCode::json_field) {
    return {.missing = {},
            .nearest = nearest_name(state.index.string_body(state.fault_token), state.names)};
  }
  return {};
}

}  // namespace sluice::json
