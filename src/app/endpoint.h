#pragma once

#include <string_view>

#include "http/application.h"

namespace sluice {

/// What stands under one path.
class Endpoint {
 public:
  virtual ~Endpoint() = default;
  /// The methods that it knows, as `Allow` lists them; OPTIONS and, with GET, HEAD come by
  /// themselves.
  virtual std::string_view allowed() const = 0;
  /// Whether a configured token is asked for.
  virtual bool needs_token() const { return false; }
  /// Decides by the head; the method is one that it knows.
  virtual http::Application::Decision on_head(const http::Head& head, http::Answer& answer) = 0;
  virtual void on_request(http::Exchange& exchange) = 0;
};

}  // namespace sluice
