// The page /status.

#include <string>
#include <string_view>

#include "app/admin.h"
#include "json/quote.h"

namespace sluice {
namespace {

/// An object, member by member.
class Members {
 public:
  Members& add(std::string_view name, const std::string& json) {
    text_ += text_.empty() ? "{\"" : ",\"";
    text_.append(name).append("\":").append(json);
    return *this;
  }
  Members& add(std::string_view name, std::uint64_t value) {
    return add(name, std::to_string(value));
  }
  std::string str() const { return text_.empty() ? "{}" : text_ + "}"; }

 private:
  std::string text_;
};

std::string budget_json(const Budget& budget) {
  Members regions;
  for (std::size_t at = 0; at < kRegions; ++at) {
    const auto region = static_cast<Region>(at);
    regions.add(region_name(region), budget.used(region));
  }
  return Members()
      .add("limit", budget.limit())
      .add("used", budget.used())
      .add("peak", budget.peak())
      .add("by_region", regions.str())
      .str();
}

std::string feed_json(const AdminView::Feed& feed) {
  const bool pushed = feed.endpoint != nullptr;
  return Members()
      .add("name", json::quoted(feed.name))
      .add("accepted", pushed ? feed.endpoint->accepted() : feed.source->counts().records)
      .add("refused", pushed ? feed.endpoint->rejected() : feed.refused())
      .str();
}

std::string sink_json(const FanOut& fan_out, std::size_t at) {
  const Port& port = fan_out.port(at);
  Members members;
  members.add("name", json::quoted(port.options().name))
      .add("records", port.stats().records)
      .add("dropped", port.stats().dropped)
      .add("pending", port.pending() + fan_out.undelivered(at))
      .add("queue_max", port.stats().queue_max)
      .add("held_bytes", port.held_bytes())
      .add("held_bytes_bound", port.held_bytes_bound());
  if (port.failed()) members.add("error", json::quoted(error_text(port.error().code)));
  return members.str();
}

/// The sink that keeps most memory alive; null where none keeps any.
std::string holder_json(const FanOut& fan_out) {
  const Port* holder = nullptr;
  for (std::size_t at = 0; at < fan_out.size(); ++at) {
    const Port& port = fan_out.port(at);
    if (port.held_bytes() > (holder == nullptr ? 0 : holder->held_bytes())) holder = &port;
  }
  return holder == nullptr ? "null" : json::quoted(holder->options().name);
}

}  // namespace

std::string status_json(const AdminView& view) {
  std::string feeds;
  for (const AdminView::Feed& feed : view.feeds) {
    feeds += (feeds.empty() ? "" : ",") + feed_json(feed);
  }
  std::string sinks;
  for (std::size_t at = 0; at < view.fan_out.size(); ++at) {
    sinks += (sinks.empty() ? "" : ",") + sink_json(view.fan_out, at);
  }
  return Members()
             .add("version", json::quoted(SLUICE_VERSION))
             .add("status", view.draining ? "\"draining\"" : "\"ok\"")
             .add("uptime_ms", view.uptime_ns / 1'000'000)
             .add("budget", budget_json(view.budget))
             .add("held_by", holder_json(view.fan_out))
             .add("sources", "[" + feeds + "]")
             .add("sinks", "[" + sinks + "]")
             .str() +
         "\n";
}

}  // namespace sluice
