#pragma once

#include <string_view>

namespace sluice::json {

/// Whether two JSON numbers have one value, exactly: 1, 1.0 and 10e-1 do, and so do 0 and -0.
/// Exponents of more than 18 digits are the same only as they are written. Cost: their length.
bool is_same_number(std::string_view a, std::string_view b);

}  // namespace sluice::json
