#include "run.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "base/check.h"
#include "cli/fan_memory.h"
#include "flow/pipeline.h"
#include "parts.h"
#include "sinks/batch.h"
#include "sources/record_source.h"
#include "sources/study_source.h"

namespace sluice::model {
namespace {

/// Of the study's machine, as far as its times tell; and of ours.
constexpr Costs kStudyCosts{.parse_ns_a_byte = 1.22, .parse_ns = 2'000, .take_ns_a_byte = 0.3};
constexpr Costs kOwnCosts{.parse_ns_a_byte = 0.25, .parse_ns = 500, .take_ns_a_byte = 0.1};

class OneInput final : public InputOpener {
 public:
  explicit OneInput(std::unique_ptr<Input> input) : input_(std::move(input)) {}
  const std::string& name() const override { return name_; }
  Result<std::unique_ptr<Input>> open() override { return std::move(input_); }

 private:
  std::string name_ = "model.ndjson";
  std::unique_ptr<Input> input_;
};

struct NoRefusals final : Refusals {
  void on_refused(const RefusedRecord&) override {
    check_failed("a record was refused", __FILE__, __LINE__);
  }
  void on_more(std::span<const std::uint8_t>, bool) override {}
  void on_unreadable(const std::string&, const Error&) override {
    check_failed("the input was given up", __FILE__, __LINE__);
  }
};

/// Notes what is held as blocks come. In virtual time reminders follow each other at once where
/// nothing can get on.
class Watchdog final : public PipelineObserver {
 public:
  Watchdog(const Budget& budget, Clock& clock, std::vector<Sample>& series)
      : budget_(budget), clock_(clock), series_(series), start_ns_(clock.now_ns()) {}
  void on_waiting(const Port&) override { SLUICE_CHECK(++waits_ < 100'000); }
  void on_progress() override {
    waits_ = 0;
    const std::uint64_t at_ns = clock_.now_ns() - start_ns_;
    if (!series_.empty() && at_ns < series_.back().at_ns + kMs) return;
    Sample sample{.at_ns = at_ns, .used = {}};
    for (std::size_t at = 0; at < kRegions; ++at) {
      sample.used[at] = budget_.used(static_cast<Region>(at));
    }
    series_.push_back(sample);
  }

 private:
  const Budget& budget_;
  Clock& clock_;
  std::vector<Sample>& series_;
  std::uint64_t start_ns_;
  int waits_ = 0;
};

bool selects(const SinkPlan& sink, std::uint32_t field) {
  return sink.selects != kWhole && (sink.selects >> field & 1) != 0;
}

/// What some sink selects: only that is looked for in the records.
std::vector<std::uint32_t> selected_fields(const std::vector<SinkPlan>& sinks) {
  std::vector<std::uint32_t> selected;
  for (std::uint32_t field = 0; field < RecordPlan::kFields; ++field) {
    const auto wants = [=](const SinkPlan& sink) { return selects(sink, field); };
    if (std::ranges::any_of(sinks, wants)) selected.push_back(field);
  }
  return selected;
}

/// In places among `selected`.
Projection projection_of(const SinkPlan& sink, const std::vector<std::uint32_t>& selected) {
  Projection projection{.whole = sink.selects == kWhole, .fields = {}};
  for (std::uint32_t place = 0; place < selected.size(); ++place) {
    if (selects(sink, selected[place])) projection.fields.push_back(place);
  }
  return projection;
}

json::Selection selection_of(const std::vector<std::uint32_t>& selected) {
  constexpr std::array<const char*, RecordPlan::kFields> kPointers{"/tag", "/body", "/more",
                                                                   "/extra"};
  std::vector<json::Pointer> pointers;
  for (const std::uint32_t field : selected) {
    pointers.push_back(*json::Pointer::parse(kPointers[field]));
  }
  return json::Selection(std::move(pointers));
}

std::uint64_t budget_for(const Condition& condition, const FanMemory& memory) {
  if (condition.budget_records == 0) return condition.budget_bytes;
  const auto largest = std::max(condition.largest_record(), 8u * 1024);
  const auto drawn =
      memory.reserved_bytes() + static_cast<std::uint64_t>(condition.budget_records * largest);
  return std::max(drawn, memory.needed_bytes(condition.largest_record()));
}

Pool::Options pool_options(const RetentionPolicy& policy, bool study) {
  Pool::Options options;
  if (study) options.classes = SizeClasses::powers_of_two;
  if (study) options.keeps_peak_low = false;
  if (!policy.keeps_buffers()) options.kept_per_class = 0;
  return options;
}

}  // namespace

Model::Model(Condition condition) : condition_(std::move(condition)) {
  text_ = make_text(condition_, ends_);
}

RunResult Model::run(std::string_view policy_name, bool study) const {
  const auto policy = make_retention(policy_name);
  const Costs& costs = study ? kStudyCosts : kOwnCosts;
  const std::vector<std::uint32_t> selected = selected_fields(condition_.sinks);
  const json::Selection fields = selection_of(selected);
  const auto field_count = static_cast<std::uint32_t>(fields.size());
  Budget unlimited(~0ull >> 1);
  const Pool::Options options = pool_options(*policy, study);
  const Pool sizes(unlimited, options);
  const FanMemory memory(sizes,
                         {.sinks = condition_.sinks.size(), .fields = field_count, .study = study});
  RunResult result;
  result.budget_bytes = budget_for(condition_, memory);

  Budget budget(result.budget_bytes);
  {
    Pool pool(budget, options);
    ManualClock clock;
    ManualPoller poller(clock);
    Loop loop(clock, poller);
    // What sinks of `sluice fan` would have: their batches, and the objects of the run.
    const std::size_t state =
        memory.state_bytes() + condition_.sinks.size() * Batch::reserve_bytes(pool);
    SLUICE_CHECK(budget.try_take(Region::fixed, state));
    std::optional<Buffer> streams;
    if (!study) streams = pool.take(json::kStreamBytes, Region::parser);
    NoRefusals refusals;
    std::vector<std::unique_ptr<InputOpener>> inputs;
    inputs.push_back(std::make_unique<OneInput>(
        std::make_unique<ArrivingInput>(text_, ends_, condition_.records, clock, poller)));
    SourceOptions source_options;
    source_options.cutter.max_record = condition_.largest_record();
    source_options.cutter.alone_from = memory.alone_from();
    source_options.format = InputFormat::ndjson;
    const auto shortest = std::ranges::min_element(condition_.sinks, {}, &SinkPlan::queue);
    source_options.most_records = FanMemory::most_records(shortest->queue);
    source_options.largest_block = memory.largest_block(result.budget_bytes);
    std::unique_ptr<Source> source;
    if (study) {
      source = std::make_unique<StudySource>(std::move(inputs), fields, source_options.cutter, pool,
                                             clock, refusals);
    } else {
      source = std::make_unique<RecordSource>(std::move(inputs), fields, source_options,
                                              std::as_writable_bytes(streams->bytes()), pool, clock,
                                              refusals);
    }
    TimedSource timed(*source, costs, clock);
    CopyTimer timer(costs, clock);
    std::vector<PortOptions> ports;
    for (const SinkPlan& sink : condition_.sinks) {
      ports.push_back({.projection = projection_of(sink, selected),
                       .queue_records = sink.queue,
                       .bound_by_share = false});
    }
    FanOut fan_out(
        pool, *policy, std::move(ports),
        {.fields = field_count,
         .rest_bytes = memory.shared_bytes(result.budget_bytes, condition_.largest_record()),
         .trace = &timer});
    std::vector<std::unique_ptr<Sink>> sinks;
    for (std::size_t at = 0; at < condition_.sinks.size(); ++at) {
      sinks.push_back(std::make_unique<ModelSink>(condition_.sinks[at], fan_out.port(at),
                                                  field_count, costs, loop, clock));
    }
    const std::uint64_t start = clock.now_ns();
    Watchdog watchdog(budget, clock, result.series);
    Pipeline pipeline(loop, {{timed}}, fan_out, sinks, watchdog, {});
    pipeline.run();
    result.time_ns = clock.now_ns() - start;
    result.copied_bytes = fan_out.copied_bytes();
    result.original_byte_seconds = source->counts().original_byte_seconds;
    for (std::size_t at = 0; at < fan_out.size(); ++at) {
      result.records.push_back(fan_out.port(at).stats().records);
      result.queue_max.push_back(fan_out.port(at).stats().queue_max);
    }
    budget.give_back(Region::fixed, state);
  }
  result.peak_bytes = budget.peak();
  for (std::size_t at = 0; at < kRegions; ++at) {
    result.peak_by_region[at] = budget.peak(static_cast<Region>(at));
  }
  result.outstanding_bytes = budget.used();
  return result;
}

}  // namespace sluice::model
