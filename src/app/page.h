#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "app/cors.h"
#include "app/endpoint.h"

namespace sluice {

/// A page that is read: made when it is asked for, or always the same.
class Page final : public Endpoint {
 public:
  /// Fills status, media type and text.
  using Make = std::function<void(http::Answer& answer)>;
  explicit Page(Make make, const Cors* cors = nullptr) : make_(std::move(make)), cors_(cors) {}
  /// `text` outlives it.
  Page(std::string_view media_type, std::string_view text, const Cors* cors = nullptr)
      : Page(
            [=](http::Answer& answer) {
              answer.media_type = media_type;
              answer.add_piece(text);
            },
            cors) {}

  std::string_view allowed() const override { return "GET"; }
  http::Application::Decision on_head(const http::Head&, http::Answer&) override { return {}; }
  void on_request(http::Exchange& exchange) override {
    http::Answer answer;
    make_(answer);
    if (cors_ != nullptr) cors_->add_to(answer, exchange.head().origin);
    exchange.answer(std::move(answer));
  }

 private:
  Make make_;
  const Cors* cors_;
};

}  // namespace sluice
