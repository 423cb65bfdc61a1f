#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/side_file.h"
#include "cli/to_option.h"
#include "memory/budget.h"
#include "sources/cutter.h"

namespace sluice {

enum class OnError { skip, stop, dead_letter };

struct FanOptions {
  std::vector<ToOption> to;
  std::vector<std::string> files;  ///< empty: standard input
  std::uint64_t budget_bytes = 64 * 1024 * 1024;
  std::optional<std::uint64_t> max_record;  ///< default: 16 MiB or a quarter of the budget
  std::string policy = "auto";
  bool study = false;
  OnError on_error = OnError::skip;
  std::string dead_letters;
  std::string trace;  ///< file for the decisions to copy; empty: none
  InputFormat input = InputFormat::automatic;
  std::size_t threads = 1;
  std::uint64_t drain_ns = 30'000'000'000;
  bool crc32c = false;
  bool sha256 = false;
  bool shows_progress = true;
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

/// Runs one `fan` from the first byte to the last acknowledgement. `report` is where the caller
/// will write its report, or is not open; it is emptied when the run starts. Errors: what keeps it
/// from starting; nothing has been read or emptied then.
std::expected<RunStats, UsageError> run_fan(const FanOptions& options, SideFile& report);

}  // namespace sluice
