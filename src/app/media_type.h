#pragma once

#include <string_view>

namespace sluice {

/// What a request says that its body is.
enum class Media {
  none,    ///< no Content-Type at all
  json,    ///< application/json, or any type that ends in +json
  ndjson,  ///< application/x-ndjson
  other,   ///< anything else, or a charset that is not UTF-8
};

/// Reads a Content-Type (RFC 9110, 8.3.1): names in any case, parameters ignored but for `charset`.
Media media_of(std::string_view content_type);

}  // namespace sluice
