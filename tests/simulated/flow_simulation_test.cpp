#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>

#include "base/check.h"
#include "flow/pipeline.h"
#include "sinks/byte_writer.h"
#include "world.h"

/// Whole pipelines in virtual time: drawn records, budgets, sinks and mishaps. Whatever is drawn,
/// the counts add up, every output is what the parts of the input say, no budget is passed,
/// nothing stays behind, and nothing gets stuck (virtual time would fail a check).
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
  explicit Simulation(std::uint64_t seed) : random_(seed) {
    budget_bytes_ = random_.between(256, 1'024) * 1024;
    max_record_ = random_.between(1'000, budget_bytes_ / 8);
    records_ = draw_records(random_, random_.between(1, 400), 2 * max_record_, max_record_);
    for (std::uint64_t sinks = random_.between(1, 5); sinks > 0; --sinks) {
      plans_.push_back(draw_sink(random_, plans_.size()));
    }
    study_ = random_.chance(30);
    policy_ = policy_specs()[random_.below(policy_specs().size())]->make();
    outputs_.resize(plans_.size());
  }

  void run();

 private:
  void build_and_run(Budget& budget, Pool& pool);
  void check(FanOut& fan_out, const RecordSource& source);
  void check_output(const SinkPlan& plan, const Port& port, const std::string& output);
  const std::vector<std::string>& expected(Kind kind) const {
    return kind == Kind::whole    ? records_.wholes
           : kind == Kind::object ? records_.objects
                                  : records_.tags;
  }

  Random random_;
  std::uint64_t budget_bytes_ = 0;
  std::size_t max_record_ = 0;
  Records records_;
  std::vector<SinkPlan> plans_;
  bool study_ = false;
  std::unique_ptr<RetentionPolicy> policy_;
  std::vector<std::string> outputs_;
  CountedRefusals refusals_;
};

void Simulation::run() {
  Budget budget(budget_bytes_);
  {
    Pool pool(budget,
              {.classes = study_ ? SizeClasses::powers_of_two : SizeClasses::four_a_doubling});
    build_and_run(budget, pool);
  }
  EXPECT_EQ(budget.used(), 0u) << "something was not given back";
  EXPECT_LE(budget.peak(), budget.limit());
}

void Simulation::build_and_run(Budget& budget, Pool& pool) {
  ManualClock clock;
  ManualPoller poller(clock);
  Loop loop(clock, poller);
  const json::Selection fields = selection();
  auto streams = pool.take(json::kStreamBytes, Region::parser);
  std::vector<PortOptions> ports;
  for (const SinkPlan& plan : plans_) ports.push_back(plan.port);

  SourceOptions options;
  options.cutter.max_record = max_record_;
  options.cutter.alone_from = study_ ? 0 : 4 * 1024;
  options.format = InputFormat::ndjson;
  options.largest_block = std::size_t{4'096} << random_.below(5);
  if (random_.chance(30)) options.most_records = random_.between(1, 20);
  std::vector<std::unique_ptr<InputOpener>> inputs;
  inputs.push_back(std::make_unique<ScriptedOpener>(
      std::make_unique<ScriptedInput>(records_.text, random_.next(), clock, poller)));
  RecordSource source(std::move(inputs), fields, options, std::as_writable_bytes(streams->bytes()),
                      pool, clock, refusals_);
  const std::uint64_t rest =
      budget.limit() - budget.used() - plans_.size() * Batch::reserve_bytes(pool);
  FanOut fan_out(pool, *policy_, std::move(ports), {.fields = kFields, .rest_bytes = rest});
  std::vector<std::unique_ptr<Sink>> sinks;
  for (std::size_t index = 0; index < plans_.size(); ++index) {
    auto output = std::make_unique<ScriptedOutput>(plans_[index].script, static_cast<int>(index),
                                                   outputs_[index], clock, poller);
    auto writer = std::make_unique<ByteWriter>(
        std::move(output), fan_out.port(index), loop, encoder_of(plans_[index].kind),
        WriterOptions{.digests = {.crc32c = true},
                      .largest_batch = Batch::kSmallestScratch << random_.below(3),
                      .eager = plans_[index].eager});
    ASSERT_TRUE(writer->open(pool));
    sinks.push_back(std::move(writer));
  }
  Watchdog watchdog;
  Pipeline pipeline(loop, source, fan_out, sinks, watchdog, {});
  pipeline.run();
  check(fan_out, source);
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

TEST(FlowSimulation, WhateverIsDrawnAddsUp) {
  const char* const only = std::getenv("SLUICE_SEED");
  const std::uint64_t first = only != nullptr ? std::strtoull(only, nullptr, 10) : 0;
  const char* const wanted = std::getenv("SLUICE_SEEDS");
  const std::uint64_t seeds = only != nullptr     ? 1
                              : wanted != nullptr ? std::strtoull(wanted, nullptr, 10)
                                                  : 300;
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    SCOPED_TRACE("SLUICE_SEED=" + std::to_string(seed));
    Simulation(seed).run();
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace sluice::simulated
