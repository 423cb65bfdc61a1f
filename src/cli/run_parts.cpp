#include "cli/run_parts.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "base/sizes.h"
#include "cli/file_inputs.h"
#include "cli/messages.h"
#include "cli/terminal.h"
#include "sinks/byte_writer.h"
#include "sources/study_source.h"

namespace sluice {
namespace {

constexpr std::uint64_t kLargestDefaultRecord = 16 * 1024 * 1024;

}  // namespace

std::uint64_t RunParts::max_record(std::uint64_t budget_bytes) const {
  return plan_.max_record.value_or(std::min(kLargestDefaultRecord, budget_bytes / 4));
}

UsageError RunParts::too_small() const {
  // The largest record grows with the budget unless it is given, so the answer is searched for.
  constexpr std::uint64_t kStep = 16 * 1024;
  std::uint64_t enough = (plan_.budget_bytes / kStep + 1) * kStep;
  while (memory_.needed_bytes(max_record(enough)) > enough) enough += kStep;
  const std::string budget = plan_.from_config ? "[budget] memory = " : "--budget ";
  return {budget + format_size(plan_.budget_bytes) + " is too small for " +
          std::to_string(plan_.to.size()) + (plan_.to.size() == 1 ? " sink" : " sinks") +
          " and records of up to " + format_size(max_record(enough)) + ": give it at least " +
          std::to_string(enough / 1024) + "KiB, or lower " +
          (plan_.from_config ? "max_record" : "--max-record")};
}

std::expected<void, UsageError> RunParts::prepare() {
  auto names = sink_names(plan_.to);
  if (!names) return std::unexpected(names.error());
  names_ = std::move(*names);
  if (plan_.max_record && *plan_.max_record > plan_.budget_bytes / 4) {
    return std::unexpected(UsageError{"--max-record " + format_size(*plan_.max_record) +
                                      " is more than a quarter of the "
                                      "budget of " +
                                      format_size(plan_.budget_bytes) +
                                      ": lower it, or raise --budget"});
  }
  if (auto reserved = reserve(); !reserved) return reserved;
  auto outputs = open_outputs();
  if (!outputs) return std::unexpected(outputs.error());
  if (auto made = make_sinks(std::move(*outputs)); !made) return made;
  if (auto made = make_sources(); !made) return made;
  make_pipeline();
  return start_pushing();
}

/// Takes what is needed whatever the input, and sees to it that what is left lets any record pass.
std::expected<void, UsageError> RunParts::reserve() {
  const std::uint64_t budget_bytes = plan_.budget_bytes;
  source_options_.cutter.max_record = static_cast<std::size_t>(max_record(budget_bytes));
  source_options_.cutter.alone_from = memory_.alone_from();
  const InputFormat format = plan_.sources.front().input;
  if (plan_.study && (format == InputFormat::json || format == InputFormat::array)) {
    return std::unexpected(UsageError{"--study reads NDJSON only: leave --input out"});
  }
  if (memory_.needed_bytes(max_record(budget_bytes)) > budget_bytes)
    return std::unexpected(too_small());
  if (!context_.pool.budget().try_take(Region::fixed, memory_.state_bytes()))
    return std::unexpected(too_small());
  state_taken_ = memory_.state_bytes();
  for (std::size_t thread = 0; thread < plan_.threads && !plan_.study; ++thread) {
    auto streams = context_.pool.take(json::kStreamBytes, Region::parser);
    if (!streams) return std::unexpected(too_small());
    streams_.push_back(std::move(*streams));
  }
  std::uint64_t shortest = 0;
  for (const ToOption& to : plan_.to) {
    const bool bounds = to.queue_records > 0 && to.when_full == WhenFull::block;
    if (bounds && (shortest == 0 || to.queue_records < shortest)) {
      shortest = to.queue_records;
    }
  }
  source_options_.most_records = FanMemory::most_records(shortest);
  source_options_.largest_block = memory_.largest_block(budget_bytes);
  source_options_.blocks_ahead = memory_.blocks_ahead();
  source_options_.bytes_ahead = memory_.bytes_ahead(budget_bytes);
  source_options_.shares_budget = shares_budget();
  return {};
}

/// Opens all outputs, those last whose opening starts something. No two may write to one place, and
/// none to an input or to a file beside the sinks.
std::expected<std::vector<std::unique_ptr<ByteOutput>>, UsageError> RunParts::open_outputs() {
  const std::vector<FileIdentity> inputs = read_files();
  std::vector<FileIdentity> taken;
  for (const SideFile* file : context_.side_files) {
    if (!file->identity()) continue;
    const bool is_input = std::ranges::find(inputs, *file->identity()) != inputs.end();
    if (is_input || std::ranges::find(taken, *file->identity()) != taken.end()) {
      return std::unexpected(UsageError{"'" + file->path() + "' is an input, or another output: " +
                                        "report and dead letters need files of their own"});
    }
    taken.push_back(*file->identity());
  }
  const SinkContext context{.loop = context_.loop, .inputs = inputs};
  std::vector<std::unique_ptr<ByteOutput>> outputs(plan_.to.size());
  for (const bool starting : {false, true}) {
    for (std::size_t index = 0; index < plan_.to.size(); ++index) {
      const ToOption& to = plan_.to[index];
      if (to.spec->starts_something != starting) continue;
      auto output = to.spec->make(to.rest, context);
      if (!output) return sink_problem(index, output.error());
      if (const auto identity = (*output)->identity()) {
        if (std::ranges::find(taken, *identity) != taken.end()) {
          return sink_problem(index, {.code = ErrorCode::sink_twice});
        }
        taken.push_back(*identity);
      }
      outputs[index] = std::move(*output);
    }
  }
  return outputs;
}

std::expected<void, UsageError> RunParts::make_sinks(
    std::vector<std::unique_ptr<ByteOutput>> outputs) {
  std::vector<PortOptions> ports;
  for (std::size_t index = 0; index < plan_.to.size(); ++index) {
    const ToOption& to = plan_.to[index];
    ports.push_back({.name = names_[index],
                     .projection = fields_.projections[index],
                     .queue_records = to.queue_records,
                     .queue_bytes = to.queue_bytes,
                     .when_full = to.when_full,
                     .bound_by_share = to.when_full != WhenFull::block || shares_budget(),
                     .delay_ns = to.delay_ns,
                     .keep_free_bytes = RecordSource::largest_need(context_.pool, source_options_,
                                                                   fields_.selection.size())});
  }
  std::vector<std::vector<std::size_t>> inlets;
  for (const SourcePlan& source : plan_.sources) {
    if (!source.sinks.empty() || plan_.from_config) inlets.push_back(source.sinks);
  }
  SLUICE_CHECK(inlets.empty() || inlets.size() == plan_.sources.size());
  fan_out_.emplace(context_.pool, context_.policy, std::move(ports),
                   FanOut::Options{.fields = static_cast<std::uint32_t>(fields_.selection.size()),
                                   .rest_bytes = memory_.shared_bytes(
                                       plan_.budget_bytes, max_record(plan_.budget_bytes)),
                                   .trace = context_.trace,
                                   .inlets = std::move(inlets)});
  admission_.emplace(*fan_out_, context_.loop);
  for (std::size_t index = 0; index < plan_.to.size(); ++index) {
    const ToOption& to = plan_.to[index];
    EncoderOptions encoder{.projection = fields_.projections[index],
                           .fields = static_cast<std::uint32_t>(fields_.selection.size()),
                           .format = to.format,
                           .bare = to.bare,
                           .names = to.names};
    auto writer = std::make_unique<ByteWriter>(
        std::move(outputs[index]), fan_out_->port(index), context_.loop, std::move(encoder),
        WriterOptions{.digests = {.crc32c = plan_.crc32c, .sha256 = plan_.sha256},
                      .largest_batch = memory_.largest_batch(plan_.budget_bytes),
                      .eager = plan_.study || to.delay_ns > 0});
    if (const Result<void> opened = writer->open(context_.pool); !opened) {
      return sink_problem(index, opened.error());
    }
    sinks_.push_back(std::move(writer));
  }
  return {};
}

std::expected<void, UsageError> RunParts::make_sources() {
  if (plan_.threads > 1 && plan_.sources.size() > 1) {
    return std::unexpected(
        UsageError{"more than one thread reads for a single source only: leave threads out"});
  }
  if (auto made = make_crew(); !made) return made;
  pushed_.resize(plan_.sources.size(), nullptr);
  for (std::size_t index = 0; index < plan_.sources.size(); ++index) {
    sources_.push_back(make_source(index));
  }
  return {};
}

std::unique_ptr<Source> RunParts::make_source(std::size_t index) {
  const SourcePlan& plan = plan_.sources[index];
  if (plan.is_pushed) {
    auto pushed = std::make_unique<PushedSource>(*admission_, index, context_.clock);
    pushed_[index] = pushed.get();
    return pushed;
  }
  auto inputs = make_file_inputs(plan.files);
  SourceOptions options = source_options_;
  options.cutter.stop_at_fault = plan.on_error == OnError::stop;
  options.format = plan.input;
  options.source = static_cast<std::uint32_t>(index);
  RefusalLog& refusals = context_.refusals[index];
  if (plan_.study) {
    return std::make_unique<StudySource>(std::move(inputs), fields_.selection, options.cutter,
                                         context_.pool, context_.clock, refusals);
  }
  return std::make_unique<RecordSource>(std::move(inputs), fields_.selection, options,
                                        std::as_writable_bytes(streams_.front().bytes()),
                                        context_.pool, context_.clock, refusals, crew_.get());
}

void RunParts::make_pipeline() {
  std::vector<Feed> feeds;
  std::vector<const Source*> counted;
  std::uint64_t bytes = 0;
  bool is_known = true;
  for (std::size_t index = 0; index < sources_.size(); ++index) {
    feeds.push_back({.source = *sources_[index], .inlet = index});
    counted.push_back(sources_[index].get());
    const std::uint64_t size =
        pushed_[index] != nullptr ? 0 : input_bytes(plan_.sources[index].files);
    bytes += size;
    is_known = is_known && size > 0;
  }
  progress_.emplace(context_.clock, std::move(counted), context_.pool.budget(),
                    is_known ? bytes : 0, plan_.shows_progress);
  pipeline_.emplace(context_.loop, feeds, *fan_out_, sinks_, *progress_,
                    Pipeline::Options{.drain_ns = plan_.drain_ns});
}

std::expected<void, UsageError> RunParts::start_pushing() {
  if (pushing_.empty()) return {};  // under --study there are no streams to lend
  PushingStage stage{
      .loop = context_.loop,
      .clock = context_.clock,
      .pool = context_.pool,
      .fan_out = *fan_out_,
      .fields = fields_.selection,
      .streams = std::as_writable_bytes(streams_.front().bytes()),
      .sources = pushed_,
      .all_sources = {},
      .refused = [this](std::size_t source) { return context_.refusals[source].refused(); }};
  for (const auto& source : sources_) stage.all_sources.push_back(source.get());
  for (Pushing* const each : pushing_) {
    if (auto started = each->start(stage); !started) return started;
  }
  return {};
}

RunParts::~RunParts() {
  for (Pushing* const each : pushing_) each->end();
  context_.pool.budget().give_back(Region::fixed, state_taken_);
}

void RunParts::interrupt() {
  if (!pipeline_) return;
  pipeline_->interrupt();
  for (Pushing* const each : pushing_) each->stop();
}

void RunParts::reload() {
  for (Pushing* const each : pushing_) each->reload();
}

std::size_t RunParts::sharing_sources(const RunPlan& plan) {
  const bool any_pushed = std::ranges::any_of(plan.sources, &SourcePlan::is_pushed);
  return plan.sources.size() + (any_pushed ? 1 : 0);
}

std::vector<FileIdentity> RunParts::read_files() const {
  std::vector<FileIdentity> files;
  for (const SourcePlan& source : plan_.sources) {
    if (source.is_pushed) continue;
    const auto more = input_identities(source.files);
    files.insert(files.end(), more.begin(), more.end());
  }
  return files;
}

std::expected<void, UsageError> RunParts::make_crew() {
  if (plan_.threads == 1) return {};
  std::vector<std::span<std::byte>> streams;
  for (const Buffer& each : streams_) streams.push_back(std::as_writable_bytes(each.bytes()));
  auto crew = ScanCrew::make(fields_.selection, source_options_.cutter.scan, streams);
  if (!crew) {
    return std::unexpected(
        UsageError{"--threads " + std::to_string(plan_.threads) +
                   ": not so many can be started: " + std::strerror(crew.error().system_errno)});
  }
  crew_ = std::move(*crew);
  return {};
}

void RunParts::run() {
  pipeline_->run();
  Terminal::clear_progress();
}

void RunParts::collect(RunStats& stats) const {
  std::uint64_t started_ns = pipeline_->ended_ns();
  for (const auto& source : sources_) {
    const SourceCounts counts = source->counts();
    if (counts.started_ns != 0) started_ns = std::min(started_ns, counts.started_ns);
    stats.records_in += counts.records;
    stats.bytes_in += counts.bytes_read;
    stats.carried_bytes += counts.carried_bytes;
    stats.original_byte_seconds += counts.original_byte_seconds;
  }
  for (const RefusalLog& refusals : context_.refusals) {
    stats.records_in += refusals.refused();
    stats.records_refused += refusals.refused();
    stats.unreadable_inputs += refusals.unreadable();
  }
  stats.interrupted = pipeline_->interrupted();
  stats.elapsed_ns = pipeline_->ended_ns() - started_ns;
  stats.copied_bytes = fan_out_->copied_bytes();
  stats.waited_ns = pipeline_->waited_ns();
  if (const Port* port = pipeline_->waited_for()) stats.waited_for = port->options().name;
  for (std::size_t index = 0; index < sinks_.size(); ++index) {
    const Port& port = fan_out_->port(index);
    const SinkDigest digest = sinks_[index]->digest();
    stats.decoded_bytes += digest.decoded_bytes;
    const LatencyHistogram& latency = port.stats().latency;
    stats.sinks.push_back({.name = names_[index],
                           .uri = plan_.to[index].uri,
                           .records = port.stats().records,
                           .bytes = digest.bytes,
                           .crc32c = digest.crc32c,
                           .sha256 = digest.sha256,
                           .dropped = port.stats().dropped,
                           .pending = port.pending() + fan_out_->undelivered(index),
                           .queue_max = port.stats().queue_max,
                           .p50_ns = latency.quantile_ns(0.5),
                           .p99_ns = latency.quantile_ns(0.99),
                           .max_ns = latency.max_ns(),
                           .error = port.failed() ? std::optional(port.error()) : std::nullopt});
  }
}

std::unexpected<UsageError> RunParts::sink_problem(std::size_t index, const Error& error) const {
  return std::unexpected(UsageError{"sink " + names_[index] + " (" + plan_.to[index].uri +
                                    "): " + describe_error(error)});
}

}  // namespace sluice
