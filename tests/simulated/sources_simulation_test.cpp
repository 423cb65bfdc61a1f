#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>

#include "base/check.h"
#include "cli/fan_memory.h"
#include "flow/pipeline.h"
#include "flow/pushed_source.h"
#include "sinks/byte_writer.h"
#include "world.h"

/// Several sources over one set of sinks, in virtual time: some are read, some are pushed to; each
/// feeds some of the sinks, slow, dropping and failing ones among them. Whatever is drawn: none
/// gets stuck, nothing is lost, each sink has each source's records in their order,
/// acknowledgements come for all, and the budget is not passed.
namespace sluice::simulated {
namespace {

constexpr std::uint32_t kFields = 2;

/// One record of a source, and what the three kinds of sinks make of it; no two are alike.
struct Line {
  std::string whole;
  std::string object;
  std::string tag;
  std::uint64_t id = 0;  ///< where they are
  std::uint64_t tag_text = 0;
};

Line make_line(std::size_t source, std::size_t number, std::size_t body) {
  const std::string id = std::to_string(1'000'000 * (source + 1) + number);
  const std::string tag = "\"s" + std::to_string(source) + "-" + std::to_string(number) + "\"";
  const auto range = [](const std::string& before, const std::string& text) {
    return json::pack_range(static_cast<std::uint32_t>(before.size()),
                            static_cast<std::uint32_t>(text.size()));
  };
  Line line;
  line.whole = "{\"id\":";
  line.id = range(line.whole, id);
  line.whole += id + ",\"body\":\"" + std::string(body, 'b') + "\",\"tag\":";
  line.tag_text = range(line.whole, tag);
  line.whole += tag + "}";
  line.object = "{\"id\":" + id + ",\"tag\":" + tag + "}";
  line.tag = tag.substr(1, tag.size() - 2);
  return line;
}

enum class Kind { whole, object, tag };

struct SinkPlan {
  Kind kind = Kind::whole;
  PortOptions port;
  OutputScript script;
};

struct SourcePlan {
  std::vector<std::size_t> ports;
  std::vector<Line> lines;
  std::string text;
  bool is_pushed = false;
};

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

struct NoRefusals final : Refusals {
  void on_refused(const RefusedRecord&) override { ADD_FAILURE() << "no record is bad"; }
  void on_more(std::span<const std::uint8_t>, bool) override {}
  void on_unreadable(const std::string&, const Error&) override { ADD_FAILURE(); }
};

/// Pushes a source's lines, one a block, whenever there is room: as a server would, but it asks
/// again where a server answers that there is none.
class Pusher final : public Timer {
 public:
  Pusher(PushedSource& source, const SourcePlan& plan, Loop& loop, Pool& pool, std::uint64_t seed)
      : source_(source), plan_(plan), loop_(loop), pool_(pool), random_(seed) {
    loop_.set(*this, loop_.now_ns() + 1);
  }
  ~Pusher() { loop_.clear(*this); }

  void on_time() override {
    std::uint64_t wait_ns = random_.between(1, 3'000'000);
    for (std::uint64_t burst = random_.between(1, 10); burst > 0; --burst) {
      if (source_.stopped()) return;
      if (next_ == plan_.lines.size()) return source_.stop();
      if (!push(plan_.lines[next_])) {
        wait_ns = 5'000'000;
        break;
      }
      ++next_;
    }
    loop_.set(*this, loop_.now_ns() + wait_ns);
  }

 private:
  bool push(const Line& line) {
    const std::size_t data = line.whole.size() + kChunkSlack;
    const std::uint64_t bytes = pool_.capacity_of(data) + 1'024;
    if (!source_.try_admit(bytes)) return false;
    std::optional<OpenBlock> open = OpenBlock::take(pool_, Region::input, data, 64);
    if (!open) {
      source_.refuse(bytes);
      return false;
    }
    if (random_.chance(2)) {  // it was cut off half-way
      source_.withdraw(bytes);
      return false;
    }
    std::memcpy(open->data.data(), line.whole.data(), line.whole.size());
    const auto size = static_cast<std::uint32_t>(line.whole.size());
    const std::uint64_t row[] = {json::pack_range(0, size), 0b11, line.id, line.tag_text};
    std::memcpy(open->side.data(), row, sizeof row);
    source_.push(Block::freeze(std::move(*open), 1, 4,
                               {.received_ns = loop_.now_ns(), .ledger = &source_.ledger()}),
                 bytes, line.whole.size());
    return true;
  }

  PushedSource& source_;
  const SourcePlan& plan_;
  Loop& loop_;
  Pool& pool_;
  Random random_;
  std::size_t next_ = 0;
};

class Simulation final : private AcknowledgementObserver {
 public:
  Simulation(std::uint64_t seed, std::string_view policy);
  void run();

 private:
  SinkPlan draw_sink(std::size_t index);
  SourcePlan draw_source(std::size_t index, std::size_t sinks);
  SourceOptions source_options(const FanMemory& memory, std::uint64_t budget_bytes);
  void build_and_run(Budget& budget, Pool& pool, const FanMemory& memory);
  void check(FanOut& fan_out);
  void check_output(std::size_t sink, const Port& port);
  std::vector<std::string> lines_of(std::size_t sink) const;
  void on_acknowledged(std::size_t) override { ++acknowledgements_; }

  Random random_;
  std::unique_ptr<RetentionPolicy> policy_;
  std::size_t max_record_;
  std::vector<SinkPlan> sinks_;
  std::vector<SourcePlan> sources_;
  std::uint64_t spare_bytes_ = 0;
  std::vector<std::string> outputs_;
  NoRefusals refusals_;
  std::uint64_t acknowledgements_ = 0;
};

Simulation::Simulation(std::uint64_t seed, std::string_view policy)
    : random_(seed),
      policy_(make_retention(policy)),
      max_record_(random_.between(1'000, random_.chance(50) ? 4'000 : 100'000)) {
  for (std::uint64_t sinks = random_.between(1, 5); sinks > 0; --sinks) {
    sinks_.push_back(draw_sink(sinks_.size()));
  }
  for (std::uint64_t sources = random_.between(2, 4); sources > 0; --sources) {
    sources_.push_back(draw_source(sources_.size(), sinks_.size()));
  }
  spare_bytes_ = random_.chance(40) ? 0 : random_.below(random_.chance(50) ? 64 << 10 : 1 << 20);
  outputs_.resize(sinks_.size());
}

SinkPlan Simulation::draw_sink(std::size_t index) {
  SinkPlan plan;
  plan.kind = static_cast<Kind>(random_.below(3));
  plan.port.name = "sink-" + std::to_string(index);
  plan.port.projection = projection_of(plan.kind);
  plan.port.when_full = random_.chance(70)   ? WhenFull::block
                        : random_.chance(50) ? WhenFull::drop_newest
                                             : WhenFull::drop_oldest;
  if (random_.chance(30)) plan.port.queue_records = random_.between(1, 100);
  if (random_.chance(20)) plan.port.queue_bytes = random_.between(1, 100'000);
  if (random_.chance(20)) plan.port.delay_ns = random_.between(1, 20'000'000);
  plan.script.seed = random_.next();
  plan.script.most_a_write = random_.chance(50) ? 1 << 20 : random_.between(1, 3'000);
  plan.script.wait_percent = random_.chance(50) ? 0 : static_cast<unsigned>(random_.below(60));
  plan.script.wait_ns = random_.between(1, 50'000'000);
  if (random_.chance(10)) plan.script.fails_after = random_.below(50'000);
  plan.script.unit = random_.chance(40) ? 0 : std::size_t{4'096} << random_.below(6);
  return plan;
}

SourcePlan Simulation::draw_source(std::size_t index, std::size_t sinks) {
  SourcePlan plan;
  plan.is_pushed = random_.chance(40);
  for (std::size_t port = 0; port < sinks; ++port) {
    if (random_.chance(60)) plan.ports.push_back(port);
  }
  if (plan.ports.empty()) plan.ports.push_back(random_.below(sinks));
  const std::uint64_t count = random_.between(1, 200);
  for (std::size_t number = 0; number < count; ++number) {
    const std::size_t most = random_.chance(80) ? 300 : max_record_ - 100;
    plan.lines.push_back(make_line(index, number, random_.below(most)));
    plan.text += plan.lines.back().whole + "\n";
  }
  return plan;
}

void Simulation::run() {
  const Pool::Options options{.kept_per_class = policy_->keeps_buffers() ? 9u : 0u};
  Budget unlimited(~0ull >> 1);
  const Pool sizes(unlimited, options);
  const FanMemory memory(sizes,
                         {.sinks = sinks_.size(), .fields = kFields, .sources = sources_.size()});
  Budget budget(memory.needed_bytes(max_record_) + spare_bytes_);
  {
    Pool pool(budget, options);
    build_and_run(budget, pool, memory);
  }
  EXPECT_EQ(budget.used(), 0u) << "something was not given back";
  EXPECT_EQ(budget.free(), budget.limit()) << "a promise was not ended";
  EXPECT_LE(budget.peak(), budget.limit());
}

/// As a run has it.
SourceOptions Simulation::source_options(const FanMemory& memory, std::uint64_t budget_bytes) {
  SourceOptions options;
  options.cutter.max_record = max_record_;
  options.cutter.alone_from = memory.alone_from();
  options.format = InputFormat::ndjson;
  options.largest_block = memory.largest_block(budget_bytes);
  options.shares_budget = true;
  if (random_.chance(30)) options.most_records = random_.between(1, 20);
  return options;
}

void Simulation::build_and_run(Budget& budget, Pool& pool, const FanMemory& memory) {
  ManualClock clock;
  ManualPoller poller(clock);
  Loop loop(clock, poller);
  const json::Selection fields({*json::Pointer::parse("/id"), *json::Pointer::parse("/tag")});
  const SourceOptions options = source_options(memory, budget.limit());
  auto streams = pool.take(json::kStreamBytes, Region::parser);
  ASSERT_TRUE(streams && budget.try_take(Region::fixed, memory.state_bytes()));
  std::vector<PortOptions> ports;
  for (const SinkPlan& plan : sinks_) {
    ports.push_back(plan.port);
    ports.back().keep_free_bytes = RecordSource::largest_need(pool, options, kFields);
  }
  std::vector<std::vector<std::size_t>> inlets;
  for (const SourcePlan& plan : sources_) inlets.push_back(plan.ports);
  // Sources outlive whoever may still hold one of their blocks.
  std::vector<std::unique_ptr<Source>> sources(sources_.size());
  FanOut fan_out(pool, *policy_, std::move(ports),
                 {.fields = kFields,
                  .rest_bytes = memory.shared_bytes(budget.limit(), max_record_),
                  .inlets = std::move(inlets)});
  fan_out.count_acknowledged(*this);
  Admission admission(fan_out, loop);
  std::deque<Pusher> pushers;
  std::vector<Feed> feeds;
  for (std::size_t index = 0; index < sources_.size(); ++index) {
    const SourcePlan& plan = sources_[index];
    if (plan.is_pushed) {
      auto pushed = std::make_unique<PushedSource>(admission, index, clock);
      pushers.emplace_back(*pushed, plan, loop, pool, random_.next());
      sources[index] = std::move(pushed);
    } else {
      std::vector<std::unique_ptr<InputOpener>> inputs;
      inputs.push_back(std::make_unique<ScriptedOpener>(std::make_unique<ScriptedInput>(
          plan.text, random_.next(), clock, poller, 1'000 + static_cast<int>(index))));
      sources[index] = std::make_unique<RecordSource>(std::move(inputs), fields, options,
                                                      std::as_writable_bytes(streams->bytes()),
                                                      pool, clock, refusals_);
    }
    feeds.push_back({.source = *sources[index], .inlet = index});
  }
  std::vector<std::unique_ptr<Sink>> sinks;
  for (std::size_t index = 0; index < sinks_.size(); ++index) {
    auto output = std::make_unique<ScriptedOutput>(sinks_[index].script, static_cast<int>(index),
                                                   outputs_[index], clock, poller);
    auto writer = std::make_unique<ByteWriter>(
        std::move(output), fan_out.port(index), loop, encoder_of(sinks_[index].kind),
        WriterOptions{.digests = {.crc32c = true},
                      .largest_batch = memory.largest_batch(budget.limit())});
    ASSERT_TRUE(writer->open(pool));
    sinks.push_back(std::move(writer));
  }
  Watchdog watchdog;
  {
    Pipeline pipeline(loop, feeds, fan_out, sinks, watchdog, {});
    pipeline.run();
  }
  check(fan_out);
  budget.give_back(Region::fixed, memory.state_bytes());
}

void Simulation::check(FanOut& fan_out) {
  for (std::size_t inlet = 0; inlet < sources_.size(); ++inlet) {
    SCOPED_TRACE("source " + std::to_string(inlet));
    const Acknowledgements& acknowledged = fan_out.acknowledgements();
    if (!fan_out.all_failed(inlet)) {
      EXPECT_EQ(fan_out.offered(inlet), sources_[inlet].lines.size());
    }
    if (!acknowledged.has_failed(inlet)) {
      EXPECT_GE(acknowledged.all(inlet), fan_out.offered(inlet));
    }
  }
  for (std::size_t index = 0; index < sinks_.size(); ++index) {
    const Port& port = fan_out.port(index);
    SCOPED_TRACE(port.options().name);
    std::uint64_t offered = 0;
    for (std::size_t inlet = 0; inlet < sources_.size(); ++inlet) {
      const auto& fed = sources_[inlet].ports;
      if (std::ranges::find(fed, index) != fed.end()) offered += fan_out.offered(inlet);
    }
    EXPECT_EQ(
        port.stats().records + port.stats().dropped + port.pending() + fan_out.undelivered(index),
        offered);
    EXPECT_EQ(port.held_bytes(), 0u);
    check_output(index, port);
  }
}

std::vector<std::string> Simulation::lines_of(std::size_t sink) const {
  std::vector<std::string> lines;
  const std::string& output = outputs_[sink];
  for (std::size_t start = 0; start < output.size();) {
    const std::size_t end = output.find('\n', start);
    if (end == std::string::npos) break;  // of a sink that failed
    lines.push_back(output.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

/// Every line is a record of a source that feeds the sink, each source's are in their order, and
/// all are there where nothing may be missing.
void Simulation::check_output(std::size_t sink, const Port& port) {
  std::map<std::string, std::pair<std::size_t, std::size_t>> places;
  for (std::size_t source = 0; source < sources_.size(); ++source) {
    const SourcePlan& plan = sources_[source];
    if (std::ranges::find(plan.ports, sink) == plan.ports.end()) continue;
    for (std::size_t at = 0; at < plan.lines.size(); ++at) {
      const Line& line = plan.lines[at];
      const Kind kind = sinks_[sink].kind;
      places[kind == Kind::whole    ? line.whole
             : kind == Kind::object ? line.object
                                    : line.tag] = {source, at};
    }
  }
  std::vector<std::size_t> next(sources_.size(), 0);
  std::size_t lines = 0;
  for (const std::string& line : lines_of(sink)) {
    ASSERT_TRUE(places.contains(line)) << line.substr(0, 100);
    const auto [source, at] = places[line];
    ASSERT_GE(at, next[source]) << "order of source " << source;
    next[source] = at + 1;
    ++lines;
  }
  const bool blocks = port.options().when_full == WhenFull::block;
  if (blocks && !port.failed()) {
    EXPECT_EQ(lines, port.stats().records);
    EXPECT_EQ(port.pending(), 0u);
  }
}

class SourcesSimulation : public testing::TestWithParam<std::string_view> {};

TEST_P(SourcesSimulation, NoneGetsStuckAndNothingIsLost) {
  const char* const only = std::getenv("SLUICE_SEED");
  const std::uint64_t first = only != nullptr ? std::strtoull(only, nullptr, 10) : 0;
  const char* const wanted = std::getenv("SLUICE_SEEDS");
  const std::uint64_t seeds = only != nullptr     ? 1
                              : wanted != nullptr ? std::strtoull(wanted, nullptr, 10)
                                                  : 100;
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    SCOPED_TRACE("SLUICE_SEED=" + std::to_string(seed));
    Simulation(seed, GetParam()).run();
    if (HasFailure()) return;
  }
}

std::vector<std::string_view> policies() {
  std::vector<std::string_view> names;
  for (const PolicySpec* policy : policy_specs()) names.push_back(policy->name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Policies, SourcesSimulation, testing::ValuesIn(policies()),
                         [](const auto& tested) { return std::string(tested.param); });

}  // namespace
}  // namespace sluice::simulated
