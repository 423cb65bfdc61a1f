#pragma once

#include <string_view>

namespace sluice {

/// Whether an Authorization header (RFC 6750, 2.1) holds `token`.
enum class Bearer { right, missing, wrong };

/// `header` is the value, empty when there is none. Takes as long for a wrong token as for the
/// right one, whatever its beginning.
Bearer check_bearer(std::string_view header, std::string_view token);

}  // namespace sluice
