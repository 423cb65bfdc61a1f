#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/fan_memory.h"
#include "cli/fan_run.h"
#include "cli/progress.h"
#include "cli/refusal_log.h"
#include "cli/sink_plan.h"
#include "flow/pipeline.h"
#include "sources/record_source.h"

namespace sluice {

/// What the parts of a run stand on; all of it outlives them.
struct FanContext {
  Loop& loop;
  Clock& clock;
  Pool& pool;
  const RetentionPolicy& policy;
  RefusalLog& refusals;
  RetentionTrace* trace = nullptr;
  std::vector<const SideFile*> side_files;  ///< which no sink may overwrite
};

/// Everything of one run that takes from the budget, so that all of it can be let go at once.
class FanParts {
 public:
  FanParts(const FanOptions& options, const FanContext& context)
      : options_(options),
        context_(context),
        fields_(collect_fields(options.to)),
        memory_(context.pool, {.sinks = options.to.size(),
                               .fields = fields_.selection.size(),
                               .threads = options.threads,
                               .study = options.study}) {}
  ~FanParts() { context_.pool.budget().give_back(Region::fixed, state_taken_); }
  FanParts(const FanParts&) = delete;
  FanParts& operator=(const FanParts&) = delete;

  std::expected<void, UsageError> prepare();
  void run();
  void collect(RunStats& stats) const;
  void interrupt() {
    if (pipeline_) pipeline_->interrupt();
  }

 private:
  std::expected<void, UsageError> reserve();
  std::expected<std::vector<std::unique_ptr<ByteOutput>>, UsageError> open_outputs();
  std::expected<void, UsageError> make_sinks(std::vector<std::unique_ptr<ByteOutput>> outputs);
  std::expected<void, UsageError> make_source();
  std::expected<void, UsageError> make_crew();
  std::uint64_t max_record(std::uint64_t budget_bytes) const;
  UsageError too_small() const;
  std::unexpected<UsageError> sink_problem(std::size_t index, const Error& error) const;

  const FanOptions& options_;
  FanContext context_;
  Fields fields_;
  FanMemory memory_;
  std::vector<std::string> names_;
  std::size_t state_taken_ = 0;
  SourceOptions source_options_;
  std::vector<Buffer> streams_;     ///< one a thread
  std::unique_ptr<ScanCrew> crew_;  ///< null where there is one thread
  std::unique_ptr<Source> source_;  // outlives whoever may still hold one of its blocks
  std::optional<FanOut> fan_out_;
  std::vector<std::unique_ptr<Sink>> sinks_;
  std::optional<Progress> progress_;
  std::optional<Pipeline> pipeline_;
};

}  // namespace sluice
