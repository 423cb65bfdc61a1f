#include "cli/admin_pushing.h"

#include <utility>

#include "cli/messages.h"

namespace sluice {

AdminView AdminPushing::view(const PushingStage& stage) const {
  AdminView view{.budget = stage.pool.budget(), .fan_out = stage.fan_out, .feeds = {}};
  const Service* const service = http_ == nullptr ? nullptr : http_->service();
  if (service != nullptr) view.http = &service->counts();
  for (std::size_t at = 0; at < config_.feeds.size(); ++at) {
    AdminView::Feed feed{.name = config_.feeds[at].name,
                         .source = stage.all_sources[at],
                         .refused = [count = stage.refused, at] { return count(at); }};
    if (service != nullptr) feed.endpoint = service->endpoint(feed.name);
    view.feeds.push_back(std::move(feed));
  }
  return view;
}

std::expected<void, UsageError> AdminPushing::start(const PushingStage& stage) {
  const ListenerConfig& listener = *config_.admin;
  const auto wrong = [](const std::string& message) {
    return std::unexpected(UsageError{"[admin] " + message});
  };
  const auto address = http::ListenAddress::parse(listener.listen);
  if (!address) {
    return wrong("listen = \"" + listener.listen + "\" is no address: give it as 127.0.0.1:9090");
  }
  if (!address->is_loopback() && listener.token.empty()) {
    return wrong("listen = \"" + listener.listen + "\" can be reached from elsewhere: add a token");
  }
  if (listener.tls) {
    auto loaded =
        http::TlsContext::load({.certificate = listener.tls->cert, .key = listener.tls->key});
    if (!loaded) return wrong("tls: " + loaded.error());
    tls_ = std::move(*loaded);
  }
  const std::string host = listener.listen.substr(0, listener.listen.rfind(':'));
  admin_.emplace(
      stage.loop, stage.pool, view(stage),
      AdminOptions{.listen = *address, .host = host, .token = listener.token, .tls = tls_.get()});
  if (const Result<void> started = admin_->start(); !started) {
    return wrong("listen = \"" + listener.listen + "\": " + describe_error(started.error()));
  }
  print_message(std::string("admin on http") + (tls_ ? "s" : "") + "://" + host + ":" +
                std::to_string(admin_->port()));
  return {};
}

void AdminPushing::stop() {
  if (admin_) admin_->drain();
}

void AdminPushing::reload() {
  if (tls_) print_reloaded("[admin]", tls_->reload());
}

void AdminPushing::end() { admin_.reset(); }

}  // namespace sluice
