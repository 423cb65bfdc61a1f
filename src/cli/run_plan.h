#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/side_file.h"
#include "cli/to_option.h"
#include "flow/pushed_source.h"
#include "json/scan.h"
#include "memory/budget.h"
#include "sources/cutter.h"

namespace sluice {

enum class OnError { skip, stop, dead_letter };

/// A source of a run: inputs that are read one after the other, or records that others push.
struct SourcePlan {
  std::string name{};                ///< empty where there is one without a name
  std::vector<std::string> files{};  ///< none: standard input
  bool is_pushed = false;            ///< written to by one of the `Pushing` of the run
  InputFormat input = InputFormat::automatic;
  OnError on_error = OnError::skip;
  std::string dead_letters{};
  std::vector<std::size_t> sinks{};  ///< places in RunPlan::to; none: all, unless from_config
};

/// A run, whoever asked for it: a command line or a configuration.
struct RunPlan {
  std::vector<SourcePlan> sources;
  std::vector<ToOption> to;
  std::uint64_t budget_bytes = 64 * 1024 * 1024;
  std::optional<std::uint64_t> max_record;  ///< default: 16 MiB or a quarter of the budget
  std::uint64_t reserved_bytes = 0;         ///< of the budget, for those who push
  std::string policy = "auto";
  bool study = false;
  std::string trace;  ///< file for the decisions to copy; empty: none
  std::size_t threads = 1;
  std::uint64_t drain_ns = 30'000'000'000;
  bool crc32c = false;
  bool sha256 = false;
  bool shows_progress = true;
  bool from_config = false;  ///< messages name the keys of a configuration, not options
};

struct SinkStats {
  std::string name;
  std::string uri;
  std::uint64_t records = 0;
  std::uint64_t bytes = 0;
  std::uint32_t crc32c = 0;
  std::string sha256;
  std::uint64_t dropped = 0;
  std::uint64_t pending = 0;
  std::uint64_t queue_max = 0;
  std::uint64_t p50_ns = 0;
  std::uint64_t p99_ns = 0;
  std::uint64_t max_ns = 0;
  std::optional<Error> error;
};

/// All that the summary and the report tell of a run.
struct RunStats {
  std::string policy;
  std::uint64_t budget_bytes = 0;
  std::uint64_t records_in = 0;
  std::uint64_t records_refused = 0;
  std::uint64_t unreadable_inputs = 0;
  bool dead_letters_complete = true;
  bool trace_complete = true;
  bool interrupted = false;
  std::uint64_t bytes_in = 0;
  std::uint64_t elapsed_ns = 0;
  std::uint64_t cpu_ns = 0;
  std::uint64_t peak_managed_bytes = 0;
  std::array<std::uint64_t, kRegions> peak_by_region{};
  std::uint64_t copied_bytes = 0;
  std::uint64_t carried_bytes = 0;
  std::uint64_t decoded_bytes = 0;
  double original_byte_seconds = 0;
  std::uint64_t outstanding_bytes = 0;
  std::uint64_t peak_rss_bytes = 0;
  std::uint64_t waited_ns = 0;
  std::string waited_for;
  std::vector<SinkStats> sinks;

  /// Whether every record that came in went everywhere it was to go.
  bool all_done() const;
};

/// What those who push records stand on. All of it outlives them.
struct PushingStage {
  Loop& loop;
  Clock& clock;
  Pool& pool;
  FanOut& fan_out;
  const json::Selection& fields;       ///< of all sinks: a row has a place for each
  std::span<std::byte> streams;        ///< json::kStreamBytes, of scanners that hold nothing there
  std::vector<PushedSource*> sources;  ///< as RunPlan::sources; null for those that are read
  std::vector<const Source*> all_sources;  ///< as RunPlan::sources
  /// Records that the source with that place has refused, where it is one that is read.
  std::function<std::uint64_t(std::size_t)> refused;
};

/// A part of a run that pushes records: a server on the run's loop, for example. It is started when
/// all else stands and before anything is read, and goes before what it stands on.
class Pushing {
 public:
  virtual ~Pushing() = default;
  /// Errors: what keeps the run from starting.
  virtual std::expected<void, UsageError> start(const PushingStage& stage) = 0;
  /// A signal came: the sources are stopped, and what has been admitted may still come.
  virtual void stop() = 0;
  /// SIGHUP came: reads again what may have changed.
  virtual void reload() {}
  /// The run is over: let go of the stage, which goes next.
  virtual void end() = 0;
};

/// Runs a plan from the first byte to the last acknowledgement. `report` is where the caller will
/// write its report, or is not open; it is emptied when the run starts. `pushing` writes to the
/// sources that are pushed. Errors: what keeps it from starting; nothing has been read or emptied
/// then.
std::expected<RunStats, UsageError> run_plan(const RunPlan& plan, SideFile& report,
                                             const std::vector<Pushing*>& pushing = {});

}  // namespace sluice
