// Fan-outs in virtual time. Every run is one line of JSON on standard output.
//
//   fanout-model six|study-six|small [--series]
//   fanout-model drawn [--seed N] [--from N] [--count N]

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "flow/retention.h"
#include "run.h"

namespace sluice::model {
namespace {

void print_list(const char* name, const std::vector<std::uint64_t>& values) {
  std::printf(",\"%s\":[", name);
  for (std::size_t at = 0; at < values.size(); ++at) {
    std::printf("%s%llu", at == 0 ? "" : ",", static_cast<unsigned long long>(values[at]));
  }
  std::printf("]");
}

/// What the condition asks of its sinks, for whoever wants to see why a policy wins.
void print_plan(const Condition& condition) {
  std::printf(",\"largest_record\":%u,\"last_arrival_ms\":%.1f,\"sinks\":[",
              condition.largest_record(),
              static_cast<double>(condition.records.back().arrives_ns) / 1e6);
  const char* separator = "";
  for (const SinkPlan& sink : condition.sinks) {
    std::printf("%s{\"selects\":%u,\"hold_ms\":%.3f,\"service_ms\":%.3f,\"queue\":%llu", separator,
                sink.selects == kWhole ? 0 : sink.selects, static_cast<double>(sink.hold_ns) / 1e6,
                static_cast<double>(sink.service_ns) / 1e6,
                static_cast<unsigned long long>(sink.queue));
    if (sink.changes_at_ns != kNever) {
      std::printf(",\"changes_at_ms\":%.1f,\"later_hold_ms\":%.3f,\"later_service_ms\":%.3f",
                  static_cast<double>(sink.changes_at_ns) / 1e6,
                  static_cast<double>(sink.later_hold_ns) / 1e6,
                  static_cast<double>(sink.later_service_ns) / 1e6);
    }
    if (sink.stalls_at_ns != kNever) {
      std::printf(",\"stalls_at_ms\":%.1f,\"stall_ms\":%.1f",
                  static_cast<double>(sink.stalls_at_ns) / 1e6,
                  static_cast<double>(sink.stall_ns) / 1e6);
    }
    std::printf("}");
    separator = ",";
  }
  std::printf("]");
}

/// [[ms, fixed, queue, ...], ...]: bytes by region, in the order of the regions' peaks.
void print_series(const std::vector<Sample>& series) {
  std::printf(",\"series\":[");
  const char* separator = "";
  for (const Sample& sample : series) {
    std::printf("%s[%.3f", separator, static_cast<double>(sample.at_ns) / 1e6);
    for (const std::uint64_t bytes : sample.used) {
      std::printf(",%llu", static_cast<unsigned long long>(bytes));
    }
    std::printf("]");
    separator = ",";
  }
  std::printf("]");
}

void print_run(const Condition& condition, std::string_view policy, const RunResult& result,
               bool with_series) {
  const auto print = [](const char* name, std::uint64_t value) {
    std::printf(",\"%s\":%llu", name, static_cast<unsigned long long>(value));
  };
  std::printf("{\"condition\":\"%s\",\"policy\":\"%.*s\"", condition.name.c_str(),
              static_cast<int>(policy.size()), policy.data());
  print("budget_bytes", result.budget_bytes);
  print("peak_managed_bytes", result.peak_bytes);
  print("copied_bytes", result.copied_bytes);
  print("time_ns", result.time_ns);
  print("outstanding_bytes", result.outstanding_bytes);
  print("records_in", condition.records.size());
  std::printf(",\"original_byte_seconds\":%.1f", result.original_byte_seconds);
  for (std::size_t at = 0; at < kRegions; ++at) {
    const std::string name = std::string("peak_") + region_name(static_cast<Region>(at));
    print(name.c_str(), result.peak_by_region[at]);
  }
  print_list("records", result.records);
  print_list("queue_max", result.queue_max);
  print_plan(condition);
  if (with_series) print_series(result.series);
  std::printf("}\n");
}

void run_all(const std::vector<Condition>& conditions, bool study, bool with_series) {
  for (const Condition& condition : conditions) {
    const Model model(condition);
    for (const PolicySpec* policy : policy_specs()) {
      print_run(condition, policy->name, model.run(policy->name, study), with_series);
      std::fflush(stdout);  // should the next run not end, this one has been told
    }
  }
}

int usage() {
  std::fputs(
      "fanout-model six|study-six|small [--series]\n"
      "fanout-model drawn [--seed N] [--from N] [--count N]\n",
      stderr);
  return 2;
}

int run(int count, char** words) {
  const std::string what = count > 1 ? words[1] : "";
  if (what == "six" || what == "study-six" || what == "small") {
    const bool with_series = count == 3 && std::strcmp(words[2], "--series") == 0;
    if (count > 2 && !with_series) return usage();
    run_all(what == "small" ? small_conditions() : study_conditions(), what == "study-six",
            with_series);
    return 0;
  }
  if (what != "drawn") return usage();
  std::uint64_t seed = 0;
  std::uint64_t from = 0;
  std::uint64_t conditions = 1000;
  for (int at = 2; at < count; at += 2) {
    std::uint64_t* const value = std::strcmp(words[at], "--seed") == 0    ? &seed
                                 : std::strcmp(words[at], "--from") == 0  ? &from
                                 : std::strcmp(words[at], "--count") == 0 ? &conditions
                                                                          : nullptr;
    if (value == nullptr || at + 1 == count) return usage();
    *value = std::strtoull(words[at + 1], nullptr, 10);
  }
  for (std::uint64_t index = from; index < from + conditions; ++index) {
    run_all({draw_condition(seed, index)}, false, false);
  }
  return 0;
}

}  // namespace
}  // namespace sluice::model

int main(int count, char** words) { return sluice::model::run(count, words); }
