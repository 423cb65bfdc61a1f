#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "app/cors.h"
#include "app/endpoint.h"
#include "http/application.h"

namespace sluice {

/// The paths of one listener: finds who answers, and checks what is the same for all: the method,
/// the token, OPTIONS.
class WebApp final : public http::Application {
 public:
  struct Options {
    std::string token;                    ///< empty: none is asked for
    bool token_for_all = false;           ///< also for pages that need none by themselves
    const Cors* cors = nullptr;           ///< null: no other origin may ask
    std::vector<std::string> host_names;  ///< not empty: a Host that is none of them is misdirected
  };
  explicit WebApp(Options options) : options_(std::move(options)) {}

  /// Requires: `path` is new.
  Endpoint& add(std::string path, std::unique_ptr<Endpoint> endpoint);

  Decision on_head(const http::Head& head, http::Answer& answer) override;
  void on_request(http::Exchange& exchange) override;
  void on_fault(ErrorCode code, const http::Head* head, http::Answer& answer) override;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  struct Place {
    std::unique_ptr<Endpoint> endpoint;
    std::string allow;  ///< the value of Allow
  };

  const Place* find(std::string_view path) const;
  static bool knows(const Place& place, http::Method method);
  ErrorCode check_token(const Endpoint& endpoint, const http::Head& head) const;
  bool is_for_us(std::string_view host) const;
  Decision refuse(ErrorCode code, const http::Head& head, http::Answer& answer,
                  std::string_view detail = {}) const;
  void answer_options(const Place* place, const http::Head& head, http::Answer& answer) const;

  Options options_;
  std::unordered_map<std::string, Place, Hash, std::equal_to<>> places_;
};

}  // namespace sluice
