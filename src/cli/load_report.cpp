#include "cli/load_report.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

#include "base/sizes.h"
#include "cli/json_object.h"

namespace sluice {
namespace {

using load::Failure;
using load::Stats;

constexpr std::array<std::pair<const char*, double>, 5> kQuantiles = {
    {{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"p99.9", 0.999}, {"p99.99", 0.9999}}};

double per_second(std::uint64_t count, std::uint64_t ns) {
  return ns == 0 ? 0 : static_cast<double>(count) * 1e9 / static_cast<double>(ns);
}

/// A bar of the histogram: how many latencies lie above the last limit and up to this one.
struct Bar {
  std::uint64_t up_to_ns;
  std::uint64_t count;
};

/// Limits of 1, 2, 5, 10, 20, 50, ... us, from the first that has any to the last.
std::vector<Bar> bars(const Stats& stats) {
  std::vector<Bar> all;
  std::uint64_t below = 0;
  for (std::uint64_t decade = 1'000; below < stats.latency.count(); decade *= 10) {
    for (const std::uint64_t step : {1, 2, 5}) {
      const std::uint64_t up_to = stats.latency.count_up_to(decade * step);
      if (up_to > below || (!all.empty() && below < stats.latency.count())) {
        all.push_back({decade * step, up_to - below});
      }
      below = up_to;
    }
  }
  return all;
}

std::string latency_json(const Stats& stats) {
  JsonObject latency;
  latency.add("mean", json_number(stats.latency.mean_ns() / 1e6));
  for (const auto& [name, share] : kQuantiles) {
    latency.add(name, json_milliseconds(stats.latency.quantile_ns(share)));
  }
  return latency.add("max", json_milliseconds(stats.latency.max_ns())).str();
}

std::string histogram_json(const Stats& stats) {
  std::string text;
  for (const Bar& bar : bars(stats)) {
    text += text.empty() ? "" : ",";
    text +=
        JsonObject().add("up_to_ms", json_milliseconds(bar.up_to_ns)).add("count", bar.count).str();
  }
  return "[" + text + "]";
}

std::string statuses_json(const Stats& stats) {
  JsonObject statuses;
  for (std::size_t at = 1; at < stats.by_status_class.size(); ++at) {
    statuses.add((std::to_string(at) + "xx").c_str(), stats.by_status_class[at]);
  }
  return statuses.add("other", stats.by_status_class[0]).str();
}

std::string failures_json(const Stats& stats) {
  JsonObject failures;
  for (std::size_t at = 0; at < load::kFailures; ++at) {
    failures.add(load::failure_name(static_cast<Failure>(at)), stats.failures[at]);
  }
  return failures.str();
}

std::string mode_of(const load::Options& options) { return options.rate > 0 ? "open" : "closed"; }

void print_failures(const Stats& stats) {
  std::string text;
  for (std::size_t at = 0; at < load::kFailures; ++at) {
    if (stats.failures[at] == 0) continue;
    text += std::string(text.empty() ? "" : ", ") + load::failure_name(static_cast<Failure>(at)) +
            " " + format_count(stats.failures[at]);
  }
  std::fprintf(stderr, "  errors    %s\n", text.empty() ? "none" : text.c_str());
  if (stats.unsent > 0) {
    std::fprintf(stderr, "  unsent    %s were due and found no free connection\n",
                 format_count(stats.unsent).c_str());
  }
}

void print_histogram(const Stats& stats) {
  constexpr int kWidth = 40;
  for (const Bar& bar : bars(stats)) {
    const double share =
        static_cast<double>(bar.count) / static_cast<double>(stats.latency.count());
    const auto length = static_cast<std::size_t>(std::ceil(share * kWidth));
    std::fprintf(stderr, "  %9s  %-*s %6.2f %%\n", format_duration(bar.up_to_ns).c_str(), kWidth,
                 std::string(length, '#').c_str(), share * 100);
  }
}

}  // namespace

std::string load_report_json(const LoadRun& run, const Stats& stats) {
  const load::Options& options = run.options;
  JsonObject report;
  report.add_string("url", run.url)
      .add_string("method", run.method)
      .add("body_bytes", run.body_bytes)
      .add_string("mode", mode_of(options))
      .add("connections", options.connections)
      .add("threads", options.threads)
      .add("pipeline", options.pipeline)
      .add("keep_alive", options.keep_alive ? "true" : "false")
      .add("elapsed_ms", json_milliseconds(stats.elapsed_ns));
  if (options.rate > 0) report.add("offered_per_second", json_number(options.rate));
  return report
             .add("achieved_per_second", json_number(per_second(stats.answered, stats.elapsed_ns)))
             .add("sent", stats.sent)
             .add("answered", stats.answered)
             .add("unsent", stats.unsent)
             .add("status", statuses_json(stats))
             .add("errors", failures_json(stats))
             .add("bytes_out", stats.bytes_out)
             .add("bytes_in", stats.bytes_in)
             .add("cpu_ms", json_milliseconds(stats.cpu_ns))
             .add("latency_ms", latency_json(stats))
             .add("histogram", histogram_json(stats))
             .str() +
         "\n";
}

void print_load_summary(const LoadRun& run, const Stats& stats) {
  const load::Options& options = run.options;
  std::fprintf(stderr, "%s %s: %s loop, %zu connections, %zu %s, %s\n", run.method.c_str(),
               run.url.c_str(), mode_of(options).c_str(), options.connections, options.threads,
               options.threads == 1 ? "thread" : "threads",
               format_duration(stats.elapsed_ns).c_str());
  std::fprintf(stderr, "  answered  %s, %.0f/s", format_count(stats.answered).c_str(),
               per_second(stats.answered, stats.elapsed_ns));
  if (options.rate > 0) std::fprintf(stderr, " of %.0f/s offered", options.rate);
  std::fprintf(stderr, " (2xx %s, 3xx %s, 4xx %s, 5xx %s)\n",
               format_count(stats.by_status_class[2]).c_str(),
               format_count(stats.by_status_class[3]).c_str(),
               format_count(stats.by_status_class[4]).c_str(),
               format_count(stats.by_status_class[5]).c_str());
  print_failures(stats);
  if (stats.answered == 0) return;
  std::fprintf(stderr, "  latency   mean %s",
               format_duration(static_cast<std::uint64_t>(stats.latency.mean_ns())).c_str());
  for (const auto& [name, share] : kQuantiles) {
    std::fprintf(stderr, "  %s %s", name,
                 format_duration(stats.latency.quantile_ns(share)).c_str());
  }
  std::fprintf(stderr, "  max %s\n", format_duration(stats.latency.max_ns()).c_str());
  print_histogram(stats);
}

}  // namespace sluice
