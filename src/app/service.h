#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/cors.h"
#include "app/idempotency.h"
#include "app/input_endpoint.h"
#include "app/source_endpoint.h"
#include "app/web_app.h"
#include "flow/fan_out.h"
#include "http/address.h"
#include "http/server.h"
#include "http/tls_context.h"
#include "memory/budget_resource.h"

namespace sluice {

/// An input or a source that takes records over HTTP.
struct InputOptions {
  std::string name;
  Shape shape;
  Reply reply = Reply::accepted;
  InputEndpoint::Handler handler;  ///< of Reply::handler
  Ack ack = Ack::memory;
  std::size_t max_body = 1024 * 1024;
  PushedSource* source = nullptr;  ///< null: no sink takes from it
};
struct HttpSourceOptions {
  std::string name;
  Ack ack = Ack::memory;
  std::size_t max_body = 1024 * 1024;
  PushedSource* source = nullptr;
};

struct ServiceOptions {
  http::ListenAddress listen;
  std::string token;
  std::vector<std::string> cors;
  http::Limits limits;
  http::TlsContext* tls = nullptr;  ///< null: plain; outlives the service
  std::vector<InputOptions> inputs;
  std::vector<HttpSourceOptions> sources;
};

/// What the service stands on; outlives it.
struct ServiceContext {
  Loop& loop;
  Clock& clock;
  Pool& pool;
  const json::Selection& selection;  ///< of all sinks
  std::span<std::byte> streams;      ///< json::kStreamBytes
  FanOut* fan_out = nullptr;         ///< null: there are no sinks
};

/// The public listener: inputs, sources, their description, and what a supervisor asks.
class Service final : private AcknowledgementObserver, private Timer {
 public:
  Service(const ServiceContext& context, ServiceOptions options);
  ~Service() override;
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  /// Errors: input_open with the errno, when it cannot listen; budget_full.
  Result<void> start();
  std::uint16_t port() const { return server_.port(); }

  /// Accepts no more, and answers what is under way.
  void drain();
  bool is_draining() const { return draining_; }
  /// After the flow has ended: sends the answers that waited for it. Turns the loop for at most
  /// `most_ns`.
  void finish(std::uint64_t most_ns);

  const http::Counts& counts() const { return server_.counts(); }
  const std::vector<RecordEndpoint*>& endpoints() const { return endpoints_; }
  /// Null when there is none of that name.
  const RecordEndpoint* endpoint(std::string_view name) const;

 private:
  std::unique_ptr<Intake> make_intake(PushedSource* source);
  void add_endpoints(std::vector<InputOptions>& inputs, std::vector<HttpSourceOptions>& sources);
  void add_pages();
  void on_acknowledged(std::size_t inlet) override;
  void on_time() override;

  ServiceContext context_;
  http::ListenAddress listen_;
  bool needs_token_;
  std::string openapi_;
  std::optional<Cors> cors_;
  IdempotencyStore idempotency_;
  BudgetResource parser_memory_;
  RecordContext records_;
  WebApp web_;
  http::Server server_;
  std::vector<RecordEndpoint*> endpoints_;
  std::uint32_t sources_ = 0;  ///< numbered so far
  bool draining_ = false;
  bool told_ = false;  ///< that something was acknowledged
};

}  // namespace sluice
