#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "document/index.h"

namespace sluice::json {

/// Whether a name, of which `body` is what stands between the quotes, means `key`.
bool is_name(std::string_view body, std::string_view key);

/// The last of the members from the name at token `first` up to token `behind` (the comma or
/// bracket behind the last value) whose name is `key`: the token of its value. Requires: there is
/// a member. Cost: looks at the members from the last on, and steps over their values.
std::optional<std::uint32_t> find_last_member(const IndexView& index, std::uint32_t first,
                                              std::uint32_t behind, std::string_view key);

/// The element number `skipped` from that at token `first` on, where `count` elements stand before
/// token `behind`. Requires: skipped < count. Cost: O(1) when all of them are scalars.
std::uint32_t skip_elements(const IndexView& index, std::uint32_t first, std::uint32_t behind,
                            std::uint32_t count, std::uint32_t skipped);

/// An array's index as RFC 6901 has it: 0, or digits that do not begin with one.
std::optional<std::uint32_t> index_of(std::string_view reference);

}  // namespace sluice::json
