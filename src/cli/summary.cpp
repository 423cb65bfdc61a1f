#include "cli/summary.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "base/sizes.h"
#include "cli/messages.h"
#include "cli/terminal.h"

namespace sluice {
namespace {

using Row = std::vector<std::string>;

/// Columns as wide as their widest cell; the first and the last to the left, numbers to the right.
void print_table(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const Row& row : rows) {
    for (std::size_t at = 0; at < row.size(); ++at)
      widths[at] = std::max(widths[at], row[at].size());
  }
  for (const Row& row : rows) {
    std::string line = "  ";
    for (std::size_t at = 0; at < row.size(); ++at) {
      const std::string padding(widths[at] - row[at].size(), ' ');
      if (at + 1 == row.size()) {
        line += row[at];
      } else {
        line += (at == 0 ? row[at] + padding : padding + row[at]) + "  ";
      }
    }
    std::fprintf(stderr, "%s\n", line.c_str());
  }
}

std::string outcome(const SinkStats& sink) {
  if (sink.error) return "failed: " + describe_error(*sink.error);
  if (sink.pending > 0) return "not all delivered";
  if (sink.dropped > 0) return "dropped some: it was slower than its input";
  return "all delivered";
}

std::string latency(const SinkStats& sink, std::uint64_t ns) {
  return sink.records == 0 ? "-" : format_duration(ns);
}

void print_line(const char* label, const std::string& text) {
  const bool colours = Terminal::shows_colours();
  std::fprintf(stderr, "%s%-9s%s %s\n", colours ? "\033[1m" : "", label, colours ? "\033[0m" : "",
               text.c_str());
}

std::string per_second(std::uint64_t bytes, std::uint64_t ns) {
  if (ns == 0) return "";
  return ", " +
         format_size(static_cast<std::uint64_t>(static_cast<double>(bytes) * 1e9 /
                                                static_cast<double>(ns))) +
         "/s";
}

}  // namespace

void print_summary(const RunStats& stats) {
  print_line("records", format_count(stats.records_in) + " in, " +
                            format_count(stats.records_refused) + " refused, " +
                            format_size(stats.bytes_in) + " read");
  print_line("time", format_duration(stats.elapsed_ns) +
                         per_second(stats.bytes_in, stats.elapsed_ns) + ", " +
                         format_duration(stats.cpu_ns) + " of CPU");
  std::string memory = "peak " + format_size(stats.peak_managed_bytes) + " of " +
                       format_size(stats.budget_bytes) + " (";
  for (std::size_t at = 0; at < kRegions; ++at) {
    memory += std::string(at == 0 ? "" : ", ") + region_name(static_cast<Region>(at)) + " " +
              format_size(stats.peak_by_region[at]);
  }
  print_line("memory", memory + "); policy " + stats.policy);
  if (stats.waited_ns >= 1'000'000) {
    print_line("waited", format_duration(stats.waited_ns) + " for a sink to make room" +
                             (stats.waited_for.empty() ? "" : ", last for " + stats.waited_for));
  }
  const bool nobody_left =
      !stats.sinks.empty() && std::ranges::all_of(stats.sinks, [](const SinkStats& sink) {
        return sink.error.has_value();
      });
  if (stats.interrupted) {
    print_line("stopped", "by a signal; what had not been read stays unread");
  }
  if (nobody_left) print_line("stopped", "no sink was left; what had not been read stays unread");
  std::vector<Row> rows{
      {"sink", "records", "bytes", "dropped", "pending", "p50", "p99", "max", "outcome"}};
  for (const SinkStats& sink : stats.sinks) {
    rows.push_back({sink.name, format_count(sink.records), format_size(sink.bytes),
                    format_count(sink.dropped), format_count(sink.pending),
                    latency(sink, sink.p50_ns), latency(sink, sink.p99_ns),
                    latency(sink, sink.max_ns), outcome(sink)});
  }
  print_table(rows);
}

}  // namespace sluice
