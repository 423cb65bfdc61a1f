#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/record_endpoint.h"
#include "app/web_app.h"
#include "flow/fan_out.h"
#include "flow/source.h"
#include "http/address.h"
#include "http/server.h"
#include "http/tls_context.h"

namespace sluice {

/// What the admin's pages tell of. All that it points to outlives the listener.
struct AdminView {
  struct Feed {
    std::string name;
    const Source* source = nullptr;
    const RecordEndpoint* endpoint = nullptr;  ///< null: it is read
    std::function<std::uint64_t()> refused;    ///< of what is read
  };
  const Budget& budget;
  const FanOut& fan_out;
  std::vector<Feed> feeds;
  const http::Counts* http = nullptr;  ///< of the public listener; null: there is none
  std::uint64_t uptime_ns = 0;
  bool draining = false;
};

/// The text of `/metrics` (Prometheus, text format 0.0.4) and the object of `/status`.
std::string metrics_text(const AdminView& view);
std::string status_json(const AdminView& view);

struct AdminOptions {
  http::ListenAddress listen;
  std::string host;   ///< of `listen`, as a Host header would say it, without the port
  std::string token;  ///< empty: none is asked for
  http::TlsContext* tls = nullptr;  ///< null: plain; outlives the listener
};

/// The listener for those who run the program: `/metrics`, `/status`, `/livez`, `/readyz`.
class Admin {
 public:
  /// `loop` and `pool` outlive it.
  Admin(Loop& loop, Pool& pool, AdminView view, AdminOptions options);

  /// Errors: input_open with the errno, when it cannot listen; budget_full.
  Result<void> start();
  std::uint16_t port() const { return server_->port(); }
  /// From now on `/readyz` says no; the pages stay.
  void drain() { view_.draining = true; }

  /// What it may want of the budget.
  static std::uint64_t reserved_bytes();

 private:
  void add_pages();

  Loop& loop_;
  Pool& pool_;
  AdminView view_;
  AdminOptions options_;
  std::uint64_t started_ns_;
  std::optional<WebApp> web_;
  std::optional<http::Server> server_;
};

}  // namespace sluice
