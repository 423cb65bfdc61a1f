#pragma once

#include <string>
#include <string_view>

namespace sluice::json {

/// `text` as a JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD each, so that
/// the result is always valid.
std::string quoted(std::string_view text);

}  // namespace sluice::json
