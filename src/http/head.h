#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace sluice::http {

enum class Method : std::uint8_t { get, head, post, put, patch, remove, options, other };
const char* method_name(Method method);

struct Header {
  std::string_view name;
  std::string_view value;
};

/// Whether two names of headers, or tokens, are the same: in any case.
bool same_name(std::string_view a, std::string_view b);

/// The head of one request. Borrows from the bytes it was read from; valid until the connection is
/// given other bytes.
struct Head {
  Method method = Method::other;
  std::string_view target;  ///< as it came
  std::string_view path;    ///< not decoded
  std::string_view query;   ///< behind the question mark, not decoded
  bool http_1_1 = true;
  bool keep_alive = true;
  bool chunked = false;
  bool expects_continue = false;
  std::optional<std::uint64_t> content_length;

  // The headers that are asked for often; empty where there is none.
  std::string_view host;
  std::string_view content_type;
  std::string_view content_encoding;
  std::string_view authorization;
  std::string_view idempotency_key;
  std::string_view origin;

  std::vector<Header> headers;  ///< all, as they came; its memory is used again

  /// The first header of that name, in any case; empty where there is none.
  std::string_view header(std::string_view name) const;
  bool has_body() const { return chunked || content_length.value_or(0) > 0; }
};

}  // namespace sluice::http
