// The page /metrics.

#include <string>
#include <string_view>

#include "app/admin.h"

namespace sluice {
namespace {

/// Metrics as Prometheus reads them: a family's two comments, then its samples.
class Metrics {
 public:
  void family(std::string_view name, std::string_view type, std::string_view help) {
    name_ = "sluice_" + std::string(name);
    text_.append("# HELP ").append(name_).append(" ").append(help).append("\n");
    text_.append("# TYPE ").append(name_).append(" ").append(type).append("\n");
  }
  void sample(std::uint64_t value) { line("", value); }
  void sample(std::string_view label, std::string_view of, std::uint64_t value) {
    line("{" + std::string(label) + "=\"" + escaped(of) + "\"}", value);
  }
  std::string take() { return std::move(text_); }

 private:
  void line(const std::string& labels, std::uint64_t value) {
    text_ += name_ + labels + " " + std::to_string(value) + "\n";
  }
  static std::string escaped(std::string_view value) {
    std::string text;
    for (const char c : value) {
      if (c == '\\' || c == '"') text += '\\';
      c == '\n' ? text += "\\n" : text += c;
    }
    return text;
  }

  std::string name_;
  std::string text_;
};

void add_http(const http::Counts& counts, Metrics& metrics) {
  const auto one = [&](std::string_view name, std::string_view type, std::string_view help,
                       std::uint64_t value) {
    metrics.family(name, type, help);
    metrics.sample(value);
  };
  one("http_connections_total", "counter", "Connections accepted.", counts.accepted);
  one("http_connections_open", "gauge", "Connections that are open.", counts.open);
  one("http_connections_turned_away_total", "counter", "Connections for which there was no room.",
      counts.turned_away);
  metrics.family("http_requests_total", "counter", "Requests answered, by class of status.");
  for (std::size_t status = 1; status < counts.by_status_class.size(); ++status) {
    metrics.sample("class", std::to_string(status) + "xx", counts.by_status_class[status]);
  }
  one("http_received_bytes_total", "counter", "Bytes received over HTTP.", counts.bytes_in);
  one("http_sent_bytes_total", "counter", "Bytes sent over HTTP.", counts.bytes_out);
  one("http_timeouts_total", "counter", "Requests that took too long to come.", counts.timeouts);
}

void add_feeds(const AdminView& view, Metrics& metrics) {
  metrics.family("source_records_total", "counter", "Records accepted.");
  for (const auto& feed : view.feeds) {
    metrics.sample(
        "source", feed.name,
        feed.endpoint != nullptr ? feed.endpoint->accepted() : feed.source->counts().records);
  }
  metrics.family("source_refused_total", "counter", "Records refused.");
  for (const auto& feed : view.feeds) {
    metrics.sample("source", feed.name,
                   feed.endpoint != nullptr ? feed.endpoint->rejected() : feed.refused());
  }
}

void add_sinks(const FanOut& fan_out, Metrics& metrics) {
  const auto each = [&](std::string_view name, std::string_view type, std::string_view help,
                        auto value) {
    metrics.family(name, type, help);
    for (std::size_t at = 0; at < fan_out.size(); ++at) {
      metrics.sample("sink", fan_out.port(at).options().name, value(at));
    }
  };
  each("sink_records_total", "counter", "Records acknowledged by the sink.",
       [&](std::size_t at) { return fan_out.port(at).stats().records; });
  each("sink_dropped_total", "counter", "Records dropped because the sink's queue was full.",
       [&](std::size_t at) { return fan_out.port(at).stats().dropped; });
  each("sink_pending_records", "gauge", "Records that the sink has not acknowledged.",
       [&](std::size_t at) { return fan_out.port(at).pending() + fan_out.undelivered(at); });
  each("sink_held_bytes", "gauge", "Memory that the sink keeps alive.",
       [&](std::size_t at) { return fan_out.port(at).held_bytes(); });
  each("sink_failed", "gauge", "1 when the sink has failed.",
       [&](std::size_t at) { return std::uint64_t{fan_out.port(at).failed()}; });
}

void add_budget(const Budget& budget, Metrics& metrics) {
  metrics.family("budget_limit_bytes", "gauge", "The limit of managed memory.");
  metrics.sample(budget.limit());
  metrics.family("budget_used_bytes", "gauge", "Managed memory in use, by what for.");
  for (std::size_t at = 0; at < kRegions; ++at) {
    const auto region = static_cast<Region>(at);
    metrics.sample("region", region_name(region), budget.used(region));
  }
  metrics.family("budget_peak_bytes", "gauge", "The most managed memory that was in use.");
  metrics.sample(budget.peak());
}

}  // namespace

std::string metrics_text(const AdminView& view) {
  Metrics metrics;
  metrics.family("uptime_seconds", "gauge", "Time since the start.");
  metrics.sample(view.uptime_ns / 1'000'000'000);
  add_budget(view.budget, metrics);
  if (view.http != nullptr) add_http(*view.http, metrics);
  add_feeds(view, metrics);
  add_sinks(view.fan_out, metrics);
  return metrics.take();
}

}  // namespace sluice
