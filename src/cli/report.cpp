#include "cli/report.h"

#include "cli/json_object.h"

namespace sluice {
namespace {

std::string hexadecimal(std::uint32_t value) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string text(8, '0');
  for (std::size_t at = 8; at-- > 0; value >>= 4) text[at] = kHex[value & 15];
  return text;
}

std::string sink_json(const SinkStats& sink) {
  JsonObject latency;
  latency.add("p50", json_milliseconds(sink.p50_ns))
      .add("p99", json_milliseconds(sink.p99_ns))
      .add("max", json_milliseconds(sink.max_ns));
  JsonObject object;
  object.add_string("name", sink.name)
      .add_string("uri", sink.uri)
      .add("records", sink.records)
      .add("bytes", sink.bytes)
      .add_string("crc32c", hexadecimal(sink.crc32c));
  if (!sink.sha256.empty()) object.add_string("sha256", sink.sha256);
  object.add("dropped", sink.dropped)
      .add("dead_lettered", std::uint64_t{0})
      .add("pending", sink.pending)
      .add("queue_max", sink.queue_max)
      .add("latency_ms", latency.str());
  if (sink.error) object.add_string("error", error_name(sink.error->code));
  return object.str();
}

}  // namespace

std::string report_json(const RunStats& stats) {
  JsonObject peaks;
  for (std::size_t at = 0; at < kRegions; ++at) {
    peaks.add(region_name(static_cast<Region>(at)), stats.peak_by_region[at]);
  }
  std::string sinks;
  for (const SinkStats& sink : stats.sinks) {
    sinks += (sinks.empty() ? "" : ",") + sink_json(sink);
  }
  JsonObject report;
  report.add_string("version", SLUICE_VERSION)
      .add_string("policy", stats.policy)
      .add("budget_bytes", stats.budget_bytes)
      .add("records_in", stats.records_in)
      .add("records_refused", stats.records_refused)
      .add("elapsed_ms", json_milliseconds(stats.elapsed_ns))
      .add("cpu_ms", json_milliseconds(stats.cpu_ns))
      .add("peak_managed_bytes", stats.peak_managed_bytes)
      .add("peak_by_region", peaks.str())
      .add("copied_bytes", stats.copied_bytes)
      .add("carried_bytes", stats.carried_bytes)
      .add("decoded_bytes", stats.decoded_bytes)
      .add("original_byte_seconds", json_number(stats.original_byte_seconds))
      .add("outstanding_bytes_at_exit", stats.outstanding_bytes)
      .add("peak_rss_bytes", stats.peak_rss_bytes)
      .add("sinks", "[" + sinks + "]");
  return report.str() + "\n";
}

}  // namespace sluice
