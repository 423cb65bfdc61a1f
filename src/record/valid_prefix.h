#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sluice {

/// What of a text with a fault can be read all the same: the whole members and elements in front of
/// the fault, with the brackets closed that are open there; "" when there are none. All offsets are
/// those of the text. For messages, not for speed: about a nanosecond a byte.
/// Requires: up to `fault` the text is the beginning of a valid one.
std::string valid_prefix(std::string_view text, std::uint64_t fault);

}  // namespace sluice
