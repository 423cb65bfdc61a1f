#include "cli/run_plan.h"

#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <deque>

#include "cli/messages.h"
#include "cli/retention_log.h"
#include "cli/run_parts.h"
#include "cli/signals.h"

namespace sluice {
namespace {

Pool::Options pool_options(const RunPlan& plan, const RetentionPolicy& policy) {
  Pool::Options pool;
  if (plan.study) {
    pool.classes = SizeClasses::powers_of_two;
    pool.keeps_peak_low = false;
  }
  if (!policy.keeps_buffers()) pool.kept_per_class = 0;
  return pool;
}

std::uint64_t cpu_ns() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(time.tv_nsec);
}

std::uint64_t peak_rss_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

/// The files beside the sinks.
struct SideFiles {
  SideFile& report;
  std::deque<SideFile> dead_letters;  ///< one a source
  SideFile trace;

  std::expected<void, UsageError> open(const RunPlan& plan);
  std::vector<SideFile*> all();
  /// Empties them.
  std::expected<void, UsageError> start();
};

std::expected<void, UsageError> SideFiles::open(const RunPlan& plan) {
  const auto open_one = [](SideFile& file, const std::string& path,
                           const std::string& option) -> std::expected<void, UsageError> {
    if (path.empty()) return {};
    if (const auto opened = file.open(path); !opened) {
      return std::unexpected(UsageError{option + path + ": " + describe_error(opened.error())});
    }
    return {};
  };
  for (const SourcePlan& source : plan.sources) {
    SideFile& file = dead_letters.emplace_back();
    const std::string option = plan.from_config ? "dead-letter=" : "--on-error dead-letter=";
    if (auto opened = open_one(file, source.dead_letters, option); !opened) return opened;
  }
  return open_one(trace, plan.trace, "--trace ");
}

std::vector<SideFile*> SideFiles::all() {
  std::vector<SideFile*> files{&report, &trace};
  for (SideFile& file : dead_letters) files.push_back(&file);
  return files;
}

std::expected<void, UsageError> SideFiles::start() {
  for (SideFile* file : all()) {
    if (const auto started = file->start(); !started) {
      return std::unexpected(UsageError{file->path() + ": " + describe_error(started.error())});
    }
  }
  return {};
}

}  // namespace

bool RunStats::all_done() const {
  if (records_refused > 0 || unreadable_inputs > 0 || !dead_letters_complete) return false;
  if (!trace_complete) return false;
  return std::ranges::all_of(sinks, [](const SinkStats& sink) {
    return sink.dropped == 0 && sink.pending == 0 && !sink.error;
  });
}

std::expected<RunStats, UsageError> run_plan(const RunPlan& plan, SideFile& report,
                                             const std::vector<Pushing*>& pushing) {
  SteadyClock clock;
  auto poller = EpollPoller::make();
  if (!poller) return std::unexpected(UsageError{describe_error(poller.error())});
  Loop loop(clock, *poller);
  SideFiles files{.report = report, .dead_letters = {}, .trace = {}};
  if (auto opened = files.open(plan); !opened) return std::unexpected(opened.error());
  std::deque<RefusalLog> refusals;
  for (SideFile& file : files.dead_letters) refusals.emplace_back(file);
  RetentionLog log(files.trace, clock);
  const std::unique_ptr<RetentionPolicy> policy = make_retention(plan.policy);
  Budget budget(plan.budget_bytes);
  RunStats stats;
  stats.policy = plan.policy;
  stats.budget_bytes = plan.budget_bytes;
  {
    Pool pool(budget, pool_options(plan, *policy));
    const std::vector<SideFile*> side_files = files.all();
    RunParts run(plan,
                 {.loop = loop,
                  .clock = clock,
                  .pool = pool,
                  .policy = *policy,
                  .refusals = refusals,
                  .trace = plan.trace.empty() ? nullptr : &log,
                  .side_files = {side_files.begin(), side_files.end()}},
                 pushing);
    const auto signals = Signals::make(
        loop, [&run] { run.interrupt(); },
        plan.from_config ? [&run] { run.reload(); } : std::function<void()>());
    if (!signals) return std::unexpected(UsageError{describe_error(signals.error())});
    if (auto prepared = run.prepare(); !prepared) return std::unexpected(prepared.error());
    if (auto started = files.start(); !started) return std::unexpected(started.error());
    run.run();
    run.collect(stats);
  }
  for (RefusalLog& each : refusals) {
    stats.dead_letters_complete = each.close() && stats.dead_letters_complete;
  }
  if (!plan.trace.empty()) stats.trace_complete = log.close().has_value();
  stats.peak_managed_bytes = budget.peak();
  for (std::size_t at = 0; at < kRegions; ++at) {
    stats.peak_by_region[at] = budget.peak(static_cast<Region>(at));
  }
  stats.outstanding_bytes = budget.used();
  stats.cpu_ns = cpu_ns();
  stats.peak_rss_bytes = peak_rss_bytes();
  return stats;
}

}  // namespace sluice
