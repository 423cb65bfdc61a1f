#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>

#include "base/check.h"
#include "cli/fan_memory.h"
#include "flow/pipeline.h"
#include "sinks/byte_writer.h"
#include "world.h"

/// Whole pipelines in virtual time, under every policy: drawn records, sinks and mishaps, and
/// budgets from the least that `fan` accepts. Whatever is drawn, the counts add up, every output is
/// what the parts of the input say, no budget is passed, nothing stays behind, and nothing gets
/// stuck (virtual time would fail a check).
namespace sluice::simulated {
namespace {

enum class Kind { whole, object, tag };

struct SinkPlan {
  Kind kind = Kind::whole;
  PortOptions port;
  OutputScript script;
  bool eager = false;
};

/// Ends a run that gets nowhere: in virtual time one reminder follows the other at once.
struct Watchdog final : PipelineObserver {
  void on_waiting(const Port& port) override {
    if (++waits > 10'000) {
      check_failed(("stuck on " + port.options().name).c_str(), __FILE__, __LINE__);
    }
  }
  void on_progress() override {}
  int waits = 0;
};

struct CountedRefusals final : Refusals {
  void on_refused(const RefusedRecord& record) override {
    ++refused;
    pending_text = record.more_follows;
  }
  void on_more(std::span<const std::uint8_t>, bool last) override { pending_text = !last; }
  void on_unreadable(const std::string&, const Error&) override { ++unreadable; }
  std::uint64_t refused = 0;
  std::uint64_t unreadable = 0;
  bool pending_text = false;
};

constexpr std::uint32_t kFields = 2;

json::Selection selection() {
  return json::Selection({*json::Pointer::parse("/id"), *json::Pointer::parse("/tag")});
}

Projection projection_of(Kind kind) {
  if (kind == Kind::whole) return {.whole = true, .fields = {}};
  if (kind == Kind::object) return {.whole = false, .fields = {0, 1}};
  return {.whole = false, .fields = {1}};
}

EncoderOptions encoder_of(Kind kind) {
  EncoderOptions options{.projection = projection_of(kind), .fields = kFields, .names = {}};
  if (kind == Kind::object) options.names = {"id", "tag"};
  if (kind == Kind::tag) {
    options.names = {"tag"};
    options.format = Format::text;
  }
  return options;
}

SinkPlan draw_sink(Random& random, std::size_t index) {
  SinkPlan plan;
  plan.kind = static_cast<Kind>(random.below(3));
  plan.port.name = "sink-" + std::to_string(index);
  plan.port.projection = projection_of(plan.kind);
  plan.port.when_full = random.chance(60)   ? WhenFull::block
                        : random.chance(50) ? WhenFull::drop_newest
                                            : WhenFull::drop_oldest;
  if (plan.port.when_full == WhenFull::block) plan.port.bound_by_share = random.chance(50);
  if (random.chance(30)) plan.port.queue_records = random.between(1, 100);
  if (random.chance(20)) plan.port.queue_bytes = random.between(1, 100'000);
  if (random.chance(20)) plan.port.delay_ns = random.between(1, 20'000'000);
  plan.script.seed = random.next();
  plan.script.most_a_write = random.chance(50) ? 1 << 20 : random.between(1, 3'000);
  plan.script.wait_percent = random.chance(50) ? 0 : static_cast<unsigned>(random.below(60));
  plan.script.wait_ns = random.between(1, 50'000'000);
  if (random.chance(15)) plan.script.fails_after = random.below(50'000);
  plan.script.unit = random.chance(40)   ? 0
                     : random.chance(70) ? std::size_t{4'096} << random.below(6)
                                         : random.between(1, 50);
  plan.eager = random.chance(30);
  return plan;
}

class Simulation {
 public:
  Simulation(std::uint64_t seed, std::string_view policy)
      : random_(seed), policy_(make_retention(policy)) {
    max_record_ = random_.between(1'000, random_.chance(50) ? 4'000 : 100'000);
    records_ = draw_records(random_, random_.between(1, 400), 2 * max_record_, max_record_);
    for (std::uint64_t sinks = random_.between(1, 5); sinks > 0; --sinks) {
      plans_.push_back(draw_sink(random_, plans_.size()));
    }
    study_ = random_.chance(30);
    spare_bytes_ = random_.chance(30)   ? 0
                   : random_.chance(50) ? random_.below(64 * 1024)
                                        : random_.below(1024 * 1024);
    outputs_.resize(plans_.size());
  }

  void run() { run_refusing(0); }
  /// Its budget refuses the nth reservation, whatever is free; false when there were fewer.
  bool run_refusing(std::uint64_t nth);

 private:
  void build_and_run(Budget& budget, Pool& pool, const FanMemory& memory);
  SourceOptions source_options(const FanMemory& memory, std::uint64_t budget_bytes);
  void check(FanOut& fan_out, const RecordSource& source);
  void check_output(const SinkPlan& plan, const Port& port, const std::string& output);
  const std::vector<std::string>& expected(Kind kind) const {
    return kind == Kind::whole    ? records_.wholes
           : kind == Kind::object ? records_.objects
                                  : records_.tags;
  }

  Random random_;
  std::uint64_t spare_bytes_ = 0;  ///< of the budget, beyond what is needed
  std::size_t max_record_ = 0;
  Records records_;
  std::vector<SinkPlan> plans_;
  bool study_ = false;
  std::unique_ptr<RetentionPolicy> policy_;
  std::vector<std::string> outputs_;
  CountedRefusals refusals_;
};

bool Simulation::run_refusing(std::uint64_t nth) {
  const Pool::Options options{
      .classes = study_ ? SizeClasses::powers_of_two : SizeClasses::four_a_doubling,
      .kept_per_class = policy_->keeps_buffers() ? 9u : 0u};
  Budget unlimited(~0ull >> 1);
  const Pool sizes(unlimited, options);
  const FanMemory memory(sizes, {.sinks = plans_.size(), .fields = kFields});
  Budget budget(memory.needed_bytes(max_record_) + spare_bytes_);
  budget.refuse_once(nth);
  {
    Pool pool(budget, options);
    build_and_run(budget, pool, memory);
  }
  EXPECT_EQ(budget.used(), 0u) << "something was not given back";
  EXPECT_LE(budget.peak(), budget.limit());
  return !budget.refusal_pending();
}

/// As `fan` has it, or smaller blocks.
SourceOptions Simulation::source_options(const FanMemory& memory, std::uint64_t budget_bytes) {
  SourceOptions options;
  options.cutter.max_record = max_record_;
  options.cutter.alone_from = study_ ? 0 : 4 * 1024;
  options.format = InputFormat::ndjson;
  options.largest_block =
      std::min(std::size_t{4'096} << random_.below(5), memory.largest_block(budget_bytes));
  std::uint64_t shortest = 0;
  for (const SinkPlan& plan : plans_) {
    const std::uint64_t queue = plan.port.queue_records;
    if (queue > 0 && (shortest == 0 || queue < shortest)) shortest = queue;
  }
  options.most_records =
      random_.chance(30) ? random_.between(1, 20) : FanMemory::most_records(shortest);
  return options;
}

/// Does nothing where it is refused a reserve, as a run that does not start.
void Simulation::build_and_run(Budget& budget, Pool& pool, const FanMemory& memory) {
  ManualClock clock;
  ManualPoller poller(clock);
  Loop loop(clock, poller);
  const json::Selection fields = selection();
  const SourceOptions options = source_options(memory, budget.limit());
  auto streams = pool.take(json::kStreamBytes, Region::parser);
  if (!streams || !budget.try_take(Region::fixed, memory.state_bytes())) return;
  std::vector<PortOptions> ports;
  for (const SinkPlan& plan : plans_) {
    ports.push_back(plan.port);
    ports.back().keep_free_bytes = RecordSource::largest_need(pool, options, kFields);
  }
  std::vector<std::unique_ptr<InputOpener>> inputs;
  inputs.push_back(std::make_unique<ScriptedOpener>(
      std::make_unique<ScriptedInput>(records_.text, random_.next(), clock, poller)));
  RecordSource source(std::move(inputs), fields, options, std::as_writable_bytes(streams->bytes()),
                      pool, clock, refusals_);
  FanOut fan_out(
      pool, *policy_, std::move(ports),
      {.fields = kFields, .rest_bytes = memory.shared_bytes(budget.limit(), max_record_)});
  std::vector<std::unique_ptr<Sink>> sinks;
  bool opened = true;
  for (std::size_t index = 0; index < plans_.size(); ++index) {
    auto output = std::make_unique<ScriptedOutput>(plans_[index].script, static_cast<int>(index),
                                                   outputs_[index], clock, poller);
    auto writer = std::make_unique<ByteWriter>(
        std::move(output), fan_out.port(index), loop, encoder_of(plans_[index].kind),
        WriterOptions{.digests = {.crc32c = true},
                      .largest_batch = memory.largest_batch(budget.limit()),
                      .eager = plans_[index].eager});
    opened = writer->open(pool) && opened;
    sinks.push_back(std::move(writer));
  }
  if (opened) {
    Watchdog watchdog;
    Pipeline pipeline(loop, {{source}}, fan_out, sinks, watchdog, {});
    pipeline.run();
    check(fan_out, source);
  }
  budget.give_back(Region::fixed, memory.state_bytes());
}

void Simulation::check(FanOut& fan_out, const RecordSource& source) {
  std::size_t failed = 0;
  for (std::size_t index = 0; index < plans_.size(); ++index) {
    failed += fan_out.port(index).failed() ? 1 : 0;
  }
  const bool read_all = failed < plans_.size();
  if (read_all) {
    EXPECT_EQ(source.counts().records, records_.wholes.size());
    EXPECT_EQ(refusals_.refused, records_.refused);
    EXPECT_FALSE(refusals_.pending_text);
  }
  for (std::size_t index = 0; index < plans_.size(); ++index) {
    const Port& port = fan_out.port(index);
    SCOPED_TRACE(port.options().name);
    EXPECT_EQ(
        port.stats().records + port.stats().dropped + port.pending() + fan_out.undelivered(index),
        source.counts().records);
    EXPECT_EQ(port.held_bytes(), 0u);
    if (!port.failed()) {
      EXPECT_EQ(port.pending(), 0u);
    }
    check_output(plans_[index], port, outputs_[index]);
  }
}

/// What was written is made of expected records, whole ones, in order: all of them for a sink that
/// blocks and lives, a beginning for one that failed, some for one that drops.
void Simulation::check_output(const SinkPlan& plan, const Port& port, const std::string& output) {
  const std::vector<std::string>& all = expected(plan.kind);
  if (plan.port.when_full == WhenFull::block) {
    const std::string whole = std::accumulate(all.begin(), all.end(), std::string());
    ASSERT_EQ(output, whole.substr(0, output.size()));
    if (!port.failed()) {
      EXPECT_EQ(output.size(), whole.size());
      EXPECT_EQ(port.stats().records, all.size());
      return;
    }
    std::size_t size = 0;
    std::size_t records = 0;
    while (records < all.size() && size + all[records].size() <= output.size()) {
      size += all[records++].size();
    }
    // Records without any bytes may or may not have had their turn.
    EXPECT_LE(port.stats().records, records);
    if (plan.kind != Kind::tag) {
      EXPECT_EQ(port.stats().records, records);
    }
    return;
  }
  std::size_t at = 0;
  std::size_t next = 0;
  std::uint64_t delivered = 0;
  while (at < output.size() && next < all.size()) {
    const std::string& record = all[next++];
    if (record.empty() || output.compare(at, record.size(), record) != 0) continue;
    at += record.size();
    ++delivered;
  }
  if (plan.kind == Kind::tag) return;  // equal tags, and none at all, cannot be told apart
  if (!port.failed()) {
    EXPECT_EQ(at, output.size()) << "not a sequence of whole records";
  }
  EXPECT_EQ(delivered, port.stats().records);
}

class FlowSimulation : public testing::TestWithParam<std::string_view> {};

TEST_P(FlowSimulation, WhateverIsDrawnAddsUp) {
  const char* const only = std::getenv("SLUICE_SEED");
  const std::uint64_t first = only != nullptr ? std::strtoull(only, nullptr, 10) : 0;
  const char* const wanted = std::getenv("SLUICE_SEEDS");
  const std::uint64_t seeds = only != nullptr     ? 1
                              : wanted != nullptr ? std::strtoull(wanted, nullptr, 10)
                                                  : 150;
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    SCOPED_TRACE("SLUICE_SEED=" + std::to_string(seed));
    Simulation(seed, GetParam()).run();
    if (HasFailure()) return;
  }
}

/// Each of the first ones, and then fewer and fewer: a run that waits asks again and again.
TEST_P(FlowSimulation, AnyReservationMayBeRefused) {
  for (std::uint64_t seed = 1'000; seed < 1'003; ++seed) {
    for (std::uint64_t nth = 1;; nth += 1 + nth / 32) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", reservation " + std::to_string(nth));
      if (!Simulation(seed, GetParam()).run_refusing(nth)) break;
      if (HasFailure()) return;
    }
  }
}

std::vector<std::string_view> policies() {
  std::vector<std::string_view> names;
  for (const PolicySpec* policy : policy_specs()) names.push_back(policy->name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Policies, FlowSimulation, testing::ValuesIn(policies()),
                         [](const auto& tested) { return std::string(tested.param); });

}  // namespace
}  // namespace sluice::simulated
