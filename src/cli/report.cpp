#include "cli/report.h"

#include <array>
#include <charconv>

#include "json/quote.h"

namespace sluice {
namespace {

/// Members of one object, in order; the values are JSON text already.
class Object {
 public:
  Object& add(const char* name, const std::string& json) {
    text_ += text_.empty() ? "{" : ",";
    text_ += json::quoted(name) + ":" + json;
    return *this;
  }
  Object& add(const char* name, std::uint64_t value) { return add(name, std::to_string(value)); }
  Object& add_string(const char* name, const std::string& value) {
    return add(name, json::quoted(value));
  }
  std::string str() const { return text_.empty() ? "{}" : text_ + "}"; }

 private:
  std::string text_;
};

std::string number(double value) {
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

std::string milliseconds(std::uint64_t ns) { return number(static_cast<double>(ns) / 1e6); }

std::string hexadecimal(std::uint32_t value) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string text(8, '0');
  for (std::size_t at = 8; at-- > 0; value >>= 4) text[at] = kHex[value & 15];
  return text;
}

std::string sink_json(const SinkStats& sink) {
  Object latency;
  latency.add("p50", milliseconds(sink.p50_ns))
      .add("p99", milliseconds(sink.p99_ns))
      .add("max", milliseconds(sink.max_ns));
  Object object;
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
  Object peaks;
  for (std::size_t at = 0; at < kRegions; ++at) {
    peaks.add(region_name(static_cast<Region>(at)), stats.peak_by_region[at]);
  }
  std::string sinks;
  for (const SinkStats& sink : stats.sinks) {
    sinks += (sinks.empty() ? "" : ",") + sink_json(sink);
  }
  Object report;
  report.add_string("version", SLUICE_VERSION)
      .add_string("policy", stats.policy)
      .add("budget_bytes", stats.budget_bytes)
      .add("records_in", stats.records_in)
      .add("records_refused", stats.records_refused)
      .add("elapsed_ms", milliseconds(stats.elapsed_ns))
      .add("cpu_ms", milliseconds(stats.cpu_ns))
      .add("peak_managed_bytes", stats.peak_managed_bytes)
      .add("peak_by_region", peaks.str())
      .add("copied_bytes", stats.copied_bytes)
      .add("carried_bytes", stats.carried_bytes)
      .add("decoded_bytes", stats.decoded_bytes)
      .add("original_byte_seconds", number(stats.original_byte_seconds))
      .add("outstanding_bytes_at_exit", stats.outstanding_bytes)
      .add("peak_rss_bytes", stats.peak_rss_bytes)
      .add("sinks", "[" + sinks + "]");
  return report.str() + "\n";
}

}  // namespace sluice
