#include "app/service.h"

#include <algorithm>
#include <utility>

#include "app/openapi.h"
#include "app/page.h"

namespace sluice {

extern const std::string_view docs_page;  // web/docs.html

namespace {

constexpr std::size_t kMostRemembered = 1024 * 1024;

http::Server::MakeStream make_stream(http::TlsContext* tls, Budget& budget) {
  if (tls == nullptr) return {};
  return [tls, &budget](Descriptor socket) { return tls->accept(std::move(socket), budget); };
}

}  // namespace

Service::Service(const ServiceContext& context, ServiceOptions options)
    : context_(context),
      listen_(options.listen),
      needs_token_(!options.token.empty()),
      cors_(options.cors.empty() ? std::nullopt : std::optional<Cors>(std::in_place, options.cors)),
      idempotency_(context.pool.budget(),
                   std::min<std::size_t>(kMostRemembered, context.pool.budget().limit() / 16)),
      parser_memory_(context.pool.budget(), Region::parser),
      records_{.loop = context.loop,
               .pool = context.pool,
               .server = &server_,
               .selection = context.selection,
               .scan = {},
               .streams = context.streams,
               .idempotency = &idempotency_,
               .cors = cors_ ? &*cors_ : nullptr,
               .acknowledgements = nullptr},
      web_({.token = options.token,
            .token_for_all = false,
            .cors = cors_ ? &*cors_ : nullptr,
            .host_names = {}}),
      server_(context.loop, context.pool, web_, options.limits,
              make_stream(options.tls, context.pool.budget())) {
  const auto waits = [](const auto& each) { return each.ack == Ack::sinks; };
  const bool any_waits =
      std::ranges::any_of(options.inputs, waits) || std::ranges::any_of(options.sources, waits);
  if (any_waits && context.fan_out != nullptr) {
    context.fan_out->count_acknowledged(*this);
    records_.acknowledgements = &context.fan_out->acknowledgements();
  }
  add_endpoints(options.inputs, options.sources);
  add_pages();
}

Service::~Service() { context_.loop.clear(*this); }

std::unique_ptr<Intake> Service::make_intake(PushedSource* source) {
  if (source == nullptr) return nullptr;
  const Intake::Options options{.source = ++sources_,
                                .row_words = json::row_words(context_.selection.size())};
  return std::make_unique<Intake>(context_.pool, context_.clock, *source, options);
}

void Service::add_endpoints(std::vector<InputOptions>& inputs,
                            std::vector<HttpSourceOptions>& sources) {
  const auto add = [this](const std::string& path, std::unique_ptr<RecordEndpoint> endpoint) {
    endpoints_.push_back(endpoint.get());
    web_.add(path, std::move(endpoint));
  };
  for (InputOptions& input : inputs) {
    add("/inputs/" + input.name,
        std::make_unique<InputEndpoint>(
            records_, make_intake(input.source),
            RecordEndpoint::Options{
                .name = input.name, .max_body = input.max_body, .ack = input.ack},
            std::move(input.shape), input.reply, std::move(input.handler), &parser_memory_));
  }
  for (HttpSourceOptions& source : sources) {
    add("/sources/" + source.name,
        std::make_unique<SourceEndpoint>(
            records_, make_intake(source.source),
            RecordEndpoint::Options{
                .name = source.name, .max_body = source.max_body, .ack = source.ack}));
  }
}

void Service::add_pages() {
  const Cors* const cors = cors_ ? &*cors_ : nullptr;
  std::vector<const InputEndpoint*> inputs;
  std::vector<const RecordEndpoint*> sources;
  for (const RecordEndpoint* const endpoint : endpoints_) {
    if (const auto* const input = dynamic_cast<const InputEndpoint*>(endpoint)) {
      inputs.push_back(input);
    } else {
      sources.push_back(endpoint);
    }
  }
  openapi_ =
      openapi_json({.version = SLUICE_VERSION, .needs_token = needs_token_}, inputs, sources);
  web_.add("/openapi.json", std::make_unique<Page>("application/json", openapi_, cors));
  web_.add("/docs", std::make_unique<Page>("text/html; charset=utf-8", docs_page, cors));
  web_.add("/livez", std::make_unique<Page>("application/json", "{\"status\":\"ok\"}\n", cors));
  web_.add("/readyz", std::make_unique<Page>(
                          [this](http::Answer& answer) {
                            answer.status = draining_ ? 503 : 200;
                            answer.media_type = "application/json";
                            answer.add_piece(draining_
                                                 ? std::string_view("{\"status\":\"draining\"}\n")
                                                 : std::string_view("{\"status\":\"ok\"}\n"));
                          },
                          cors));
}

const RecordEndpoint* Service::endpoint(std::string_view name) const {
  const auto found = std::ranges::find(endpoints_, name, &RecordEndpoint::name);
  return found == endpoints_.end() ? nullptr : *found;
}

Result<void> Service::start() {
  Result<Descriptor> listener = http::listen_on(listen_);
  if (!listener) return listener.error();
  return server_.start(std::move(*listener));
}

void Service::drain() {
  draining_ = true;
  records_.draining = true;
  server_.drain();
}

/// In the middle of a sink's work: answers are given from the loop.
void Service::on_acknowledged(std::size_t) {
  if (std::exchange(told_, true)) return;
  context_.loop.set(*this, context_.loop.now_ns());
}

void Service::on_time() {
  told_ = false;
  for (RecordEndpoint* const endpoint : endpoints_) endpoint->serve_waiting();
}

void Service::finish(std::uint64_t most_ns) {
  on_time();
  const std::uint64_t end_ns = context_.loop.now_ns() + most_ns;
  while (server_.has_connections() && context_.loop.now_ns() < end_ns) context_.loop.turn(true);
  server_.close();
}

}  // namespace sluice
