#include "condition.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace sluice::model {
namespace {

constexpr std::uint32_t kKiB = 1024;
constexpr std::array<const char*, RecordPlan::kFields> kNames{"tag", "body", "more", "extra"};

/// splitmix64 (Steele, Lea, Flood 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  std::uint64_t between(std::uint64_t low, std::uint64_t high) {
    return low + next() % (high - low + 1);
  }
  bool chance(double probability) { return unit() < probability; }
  double log_uniform(double low, double high) {
    return low * std::exp(unit() * std::log(high / low));
  }

 private:
  std::uint64_t state_;
};

/// What surrounds the fields of a record that has all five.
std::uint32_t frame_bytes() {
  std::uint32_t bytes = 2 + 8;  // braces, and "rest":"" without its text
  for (const char* name : kNames) bytes += static_cast<std::uint32_t>(std::string(name).size()) + 4;
  return bytes + 1;
}

RecordPlan record_of(std::uint32_t size, std::uint32_t tag, std::uint32_t body,
                     std::uint32_t more = 2, std::uint32_t extra = 2) {
  return {.size = size, .fields = {tag, body, more, extra}};
}

std::vector<RecordPlan> base_records() {
  return std::vector<RecordPlan>(1024, record_of(41'093, 56, 32 * kKiB));
}

/// Bodies of 1, 8, 32 and 128 KiB with paddings of 0, 1, 4 and 16 KiB, each as often.
std::vector<RecordPlan> mixed_records() {
  constexpr std::array<std::uint32_t, 4> kBodies{1 * kKiB, 8 * kKiB, 32 * kKiB, 128 * kKiB};
  constexpr std::array<std::uint32_t, 4> kPaddings{0, 1 * kKiB, 4 * kKiB, 16 * kKiB};
  std::vector<RecordPlan> records;
  for (std::size_t at = 0; at < 1024; ++at) {
    const std::uint32_t body = kBodies[at % 4];
    records.push_back(record_of(body + kPaddings[at / 4 % 4] + 133, 56, body));
  }
  Random random(1);
  for (std::size_t at = records.size() - 1; at > 0; --at) {
    std::swap(records[at], records[random.between(0, at)]);
  }
  return records;
}

SinkPlan holding(std::uint32_t selects, std::uint64_t hold_ns) {
  SinkPlan sink;
  sink.selects = selects;
  sink.hold_ns = hold_ns;
  return sink;
}

constexpr std::uint32_t kTag = 1;
constexpr std::uint32_t kBody = 2;

void draw_records(Random& random, Condition& condition) {
  const std::uint64_t count = random.between(300, 1'500);
  const double kind = random.unit();
  double small = random.log_uniform(100, 256.0 * kKiB);
  double large = random.log_uniform(100, 256.0 * kKiB);
  if (small > large) std::swap(small, large);
  const double share_of_large = 0.05 + 0.45 * random.unit();
  const double share_of_body = 0.3 + 0.6 * random.unit();
  const auto tag = static_cast<std::uint32_t>(random.between(16, 128));
  std::uint64_t total = 0;
  for (std::uint64_t at = 0; at < count && total < 48ull << 20; ++at) {
    const double drawn = kind < 0.4                      ? random.log_uniform(small, large + 1)
                         : kind < 0.7                    ? large
                         : random.chance(share_of_large) ? large
                                                         : small;
    const auto size = static_cast<std::uint32_t>(drawn);
    const auto body = static_cast<std::uint32_t>(size * share_of_body);
    const std::uint32_t own_tag = std::min(tag, size / 10);
    const std::uint32_t rest = size - own_tag - body;
    condition.records.push_back(record_of(size, own_tag, body, rest / 10, rest / 3));
    total += size;
  }
}

std::uint32_t draw_selection(Random& random) {
  const double drawn = random.unit();
  if (drawn < 0.30) return kTag;
  if (drawn < 0.55) return kBody;
  if (drawn < 0.70) return kWhole;
  if (drawn < 0.80) return kTag | 4;
  if (drawn < 0.90) return kTag | kBody;
  return static_cast<std::uint32_t>(random.between(1, 15));
}

SinkPlan draw_sink(Random& random) {
  SinkPlan sink;
  sink.selects = draw_selection(random);
  const double kind = random.unit();
  const auto hold = static_cast<std::uint64_t>(random.log_uniform(0.1 * kMs, 20.0 * kMs));
  const auto service = static_cast<std::uint64_t>(random.log_uniform(5.0 * kUs, 500.0 * kUs));
  const auto moment = static_cast<std::uint64_t>(random.unit() * 60.0 * kMs);
  const bool slower = random.chance(0.5);
  const bool holds = random.chance(0.5);
  const auto later = [=](std::uint64_t ns) { return slower ? ns * 10 : ns / 10; };
  if (kind < 0.25) return sink;
  if (kind < 0.60) {
    sink.hold_ns = hold;
  } else if (kind < 0.80) {
    sink.service_ns = service;
  } else if (kind < 0.92) {
    (holds ? sink.hold_ns : sink.service_ns) = holds ? hold : service;
    (holds ? sink.later_hold_ns : sink.later_service_ns) = later(holds ? hold : service);
    sink.changes_at_ns = moment;
  } else {
    sink.hold_ns = hold;
    sink.stalls_at_ns = moment;
    sink.stall_ns = random.between(50 * kMs, 200 * kMs);
  }
  return sink;
}

void draw_arrivals(Random& random, std::vector<RecordPlan>& records) {
  const double kind = random.unit();
  if (kind < 0.25) {
    const std::uint64_t burst = random.between(16, 256);
    const std::uint64_t gap = random.between(1 * kMs, 20 * kMs);
    for (std::size_t at = 0; at < records.size(); ++at) records[at].arrives_ns = at / burst * gap;
  } else if (kind < 0.45) {
    const auto gap = static_cast<std::uint64_t>(random.log_uniform(10.0 * kUs, 500.0 * kUs));
    for (std::size_t at = 0; at < records.size(); ++at) records[at].arrives_ns = at * gap;
  }
}

/// A JSON string of `bytes` bytes with its quotes; the same letter all along.
void append_string(std::string& text, std::uint32_t bytes, char letter) {
  text += '"';
  if (bytes > 2) text.append(bytes - 2, letter);
  text += '"';
}

/// A JSON list of `bytes` bytes: strings of two letters and a longer one.
void append_list(std::string& text, std::uint32_t bytes) {
  text += '[';
  std::uint32_t left = bytes - 2;
  for (; left >= 10; left -= 5) text += "\"ab\",";
  append_string(text, left, 'c');
  text += ']';
}

}  // namespace

std::uint32_t Condition::largest_record() const {
  std::uint32_t largest = 0;
  for (const RecordPlan& record : records) {
    const std::uint32_t fields =
        record.fields[0] + record.fields[1] + record.fields[2] + record.fields[3] + frame_bytes();
    largest = std::max({largest, record.size, fields});
  }
  return largest;
}

std::vector<Condition> study_conditions() {
  const std::vector<SinkPlan> tags_slow{holding(kBody, 0), holding(kTag, 5 * kMs),
                                        holding(kTag, 8 * kMs)};
  std::vector<Condition> conditions(6);
  conditions[0] = {.name = "tags slow", .records = base_records(), .sinks = tags_slow};
  conditions[1] = {.name = "same body",
                   .records = base_records(),
                   .sinks = {holding(kBody, 0), holding(kBody, 5 * kMs), holding(kBody, 8 * kMs)}};
  conditions[2] = {.name = "mixed, 2 MiB",
                   .records = mixed_records(),
                   .sinks = tags_slow,
                   .budget_bytes = 2 << 20};
  conditions[3] = {.name = "body slow",
                   .records = base_records(),
                   .sinks = {holding(kTag, 0), holding(kTag, 5 * kMs), holding(kBody, 8 * kMs)}};
  conditions[4] = {.name = "metadata",
                   .records = std::vector<RecordPlan>(512, record_of(10'281, 56, 512)),
                   .sinks = tags_slow,
                   .many_values = true};
  conditions[5] = {
      .name = "one slow", .records = base_records(), .sinks = {holding(kTag, 8 * kMs)}};
  return conditions;
}

std::vector<Condition> small_conditions() {
  Condition condition{.name = "small, 4096",
                      .records = std::vector<RecordPlan>(50'000, record_of(394, 56, 200)),
                      .sinks = {holding(kWhole, 0), holding(kTag, 8 * kMs)}};
  for (SinkPlan& sink : condition.sinks) sink.queue = 4'096;
  return {condition};
}

Condition draw_condition(std::uint64_t seed, std::uint64_t index) {
  Random random(0x51CE0000 + seed * 1'000'003 + index);
  Condition condition{.name = std::to_string(index), .records = {}, .sinks = {}};
  draw_records(random, condition);
  const std::uint64_t sinks = random.between(1, 8);
  const double kind = random.unit();
  const std::uint64_t queue = kind < 0.7 ? 64 : kind < 0.8 ? 16 : 256;
  for (std::uint64_t sink = 0; sink < sinks; ++sink) {
    condition.sinks.push_back(draw_sink(random));
    condition.sinks.back().queue = queue;
  }
  draw_arrivals(random, condition.records);
  if (random.chance(0.6)) condition.budget_records = random.log_uniform(4, 64);
  return condition;
}

std::string make_text(const Condition& condition, std::vector<std::size_t>& ends) {
  std::string text;
  ends.clear();
  for (const RecordPlan& record : condition.records) {
    const std::size_t start = text.size();
    for (std::size_t field = 0; field < RecordPlan::kFields; ++field) {
      text += field == 0 ? "{\"" : ",\"";
      text += kNames[field];
      text += "\":";
      append_string(text, record.fields[field], 'x');
    }
    constexpr std::uint32_t kRest = 8;  // ,"rest":
    const auto used = static_cast<std::uint32_t>(text.size() - start) + kRest + 1;
    if (used + 2 <= record.size) {
      text += ",\"rest\":";
      condition.many_values ? append_list(text, record.size - used)
                            : append_string(text, record.size - used, '.');
    }
    text += "}\n";
    ends.push_back(text.size());
  }
  return text;
}

}  // namespace sluice::model
