#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/fan_memory.h"
#include "cli/progress.h"
#include "cli/refusal_log.h"
#include "cli/run_plan.h"
#include "cli/sink_plan.h"
#include "flow/pipeline.h"
#include "sources/record_source.h"

namespace sluice {

/// What the parts of a run stand on; all of it outlives them.
struct RunContext {
  Loop& loop;
  Clock& clock;
  Pool& pool;
  const RetentionPolicy& policy;
  std::deque<RefusalLog>& refusals;  ///< one a source
  RetentionTrace* trace = nullptr;
  std::vector<const SideFile*> side_files;  ///< which no sink may overwrite
};

/// Everything of one run that takes from the budget, so that all of it can be let go at once.
class RunParts {
 public:
  RunParts(const RunPlan& plan, const RunContext& context, const std::vector<Pushing*>& pushing)
      : plan_(plan),
        context_(context),
        pushing_(pushing),
        fields_(collect_fields(plan.to)),
        memory_(context.pool, {.sinks = plan.to.size(),
                               .fields = fields_.selection.size(),
                               .threads = plan.threads,
                               .study = plan.study,
                               .sources = sharing_sources(plan),
                               .reserved_bytes = plan.reserved_bytes}) {}
  ~RunParts();
  RunParts(const RunParts&) = delete;
  RunParts& operator=(const RunParts&) = delete;

  std::expected<void, UsageError> prepare();
  void run();
  void collect(RunStats& stats) const;
  void interrupt();
  void reload();

 private:
  std::expected<void, UsageError> reserve();
  std::expected<std::vector<std::unique_ptr<ByteOutput>>, UsageError> open_outputs();
  std::expected<void, UsageError> make_sinks(std::vector<std::unique_ptr<ByteOutput>> outputs);
  std::expected<void, UsageError> make_sources();
  std::unique_ptr<Source> make_source(std::size_t index);
  std::expected<void, UsageError> start_pushing();
  std::expected<void, UsageError> make_crew();
  void make_pipeline();
  /// As many as there are; one that many push to counts as several, too.
  static std::size_t sharing_sources(const RunPlan& plan);
  bool shares_budget() const { return sharing_sources(plan_) > 1; }
  std::vector<FileIdentity> read_files() const;
  std::uint64_t max_record(std::uint64_t budget_bytes) const;
  UsageError too_small() const;
  std::unexpected<UsageError> sink_problem(std::size_t index, const Error& error) const;

  const RunPlan& plan_;
  RunContext context_;
  std::vector<Pushing*> pushing_;
  Fields fields_;
  FanMemory memory_;
  std::vector<std::string> names_;
  std::size_t state_taken_ = 0;
  SourceOptions source_options_;
  std::vector<Buffer> streams_;     ///< one a thread
  std::unique_ptr<ScanCrew> crew_;  ///< null where there is one thread
  // They outlive whoever may still hold one of their blocks.
  std::vector<std::unique_ptr<Source>> sources_;
  std::vector<PushedSource*> pushed_;  ///< as sources_; null for those that are read
  std::optional<FanOut> fan_out_;
  std::optional<Admission> admission_;
  std::vector<std::unique_ptr<Sink>> sinks_;
  std::optional<Progress> progress_;
  std::optional<Pipeline> pipeline_;
};

}  // namespace sluice
