#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "http/answer.h"

namespace sluice {

/// Which pages of other origins may send requests from a browser (WHATWG Fetch, 3.2).
class Cors {
 public:
  /// Origins as `https://a.example`, or "*".
  explicit Cors(std::vector<std::string> origins) : origins_(std::move(origins)) {}

  /// Lets a page of `origin` read the answer, where it is one of ours.
  void add_to(http::Answer& answer, std::string_view origin) const {
    const std::string_view allowed = allowed_for(origin);
    if (allowed.empty()) return;
    answer.add_header("access-control-allow-origin", allowed);
    if (allowed != "*") answer.add_header("vary", "origin");
  }
  /// Answers what a browser asks before a request that is not simple.
  void add_to_preflight(http::Answer& answer, std::string_view origin,
                        std::string_view methods) const {
    if (allowed_for(origin).empty()) return;
    add_to(answer, origin);
    answer.add_header("access-control-allow-methods", methods);
    answer.add_header("access-control-allow-headers",
                      "authorization, content-type, content-encoding, idempotency-key");
    answer.add_header("access-control-max-age", "600");
  }

 private:
  /// The value of the header; lives as long as this does.
  std::string_view allowed_for(std::string_view origin) const {
    if (origin.empty()) return {};
    for (const std::string& each : origins_) {
      if (each == "*" || each == origin) return each;
    }
    return {};
  }

  std::vector<std::string> origins_;
};

}  // namespace sluice
