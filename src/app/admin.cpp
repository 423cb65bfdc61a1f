#include "app/admin.h"

#include <utility>

#include "app/page.h"

namespace sluice {
namespace {

constexpr std::size_t kConnections = 64;
/// For connections and what is read from them, beside the memory that they share.
constexpr std::size_t kConnectionMemory = 64 * 1024;

/// What a Host header may say: an address that stands for all of them may have any name.
std::vector<std::string> host_names(const AdminOptions& options, std::uint16_t port) {
  if (options.host == "0.0.0.0" || options.host == "[::]") return {};
  std::vector<std::string> hosts{options.host};
  if (options.listen.is_loopback()) hosts.insert(hosts.end(), {"localhost", "127.0.0.1", "[::1]"});
  std::vector<std::string> names;
  for (const std::string& host : hosts) {
    names.push_back(host + ":" + std::to_string(port));
    names.push_back(host);
  }
  return names;
}

}  // namespace

Admin::Admin(Loop& loop, Pool& pool, AdminView view, AdminOptions options)
    : loop_(loop),
      pool_(pool),
      view_(std::move(view)),
      options_(std::move(options)),
      started_ns_(loop.now_ns()) {}

std::uint64_t Admin::reserved_bytes() {
  return http::Workspace::kReadBytes + http::kBodyPadding + kConnectionMemory;
}

Result<void> Admin::start() {
  Result<Descriptor> listener = http::listen_on(options_.listen);
  if (!listener) return listener.error();
  web_.emplace(WebApp::Options{.token = options_.token,
                               .token_for_all = true,
                               .cors = nullptr,
                               .host_names = host_names(options_, http::port_of(*listener))});
  add_pages();
  http::Limits limits;
  limits.connections = kConnections;
  http::Server::MakeStream make_stream;
  if (options_.tls != nullptr) {
    make_stream = [this](Descriptor socket) {
      return options_.tls->accept(std::move(socket), pool_.budget());
    };
  }
  server_.emplace(loop_, pool_, *web_, limits, std::move(make_stream));
  return server_->start(std::move(*listener));
}

void Admin::add_pages() {
  const auto add = [this](std::string path, std::string_view media_type, auto make) {
    web_->add(std::move(path),
              std::make_unique<Page>([this, media_type, make](http::Answer& answer) {
                view_.uptime_ns = loop_.now_ns() - started_ns_;
                answer.media_type = media_type;
                make(answer);
              }));
  };
  add("/metrics", "text/plain; version=0.0.4; charset=utf-8",
      [this](http::Answer& answer) { answer.text = metrics_text(view_); });
  add("/status", "application/json",
      [this](http::Answer& answer) { answer.text = status_json(view_); });
  add("/livez", "application/json",
      [](http::Answer& answer) { answer.text = "{\"status\":\"ok\"}\n"; });
  add("/readyz", "application/json", [this](http::Answer& answer) {
    answer.status = view_.draining ? 503 : 200;
    answer.text = view_.draining ? "{\"status\":\"draining\"}\n" : "{\"status\":\"ok\"}\n";
  });
}

}  // namespace sluice
