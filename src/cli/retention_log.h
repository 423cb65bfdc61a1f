#pragma once

#include <string>
#include <vector>

#include "base/clock.h"
#include "cli/side_file.h"
#include "flow/retention_trace.h"

namespace sluice {

/// Writes every decision to copy as a line of JSON (docs/formats/trace.md). What cannot be written
/// is lost, and `close` says so.
class RetentionLog final : public RetentionTrace {
 public:
  /// `file` is open, and outlives the log. Times count from now.
  RetentionLog(SideFile& file, Clock& clock) : file_(file), start_ns_(clock.now_ns()) {}
  void on_copy(const CopyDecision& decision) override;
  /// Errors: those of the first write that failed.
  Result<void> close();

 private:
  static constexpr std::size_t kBuffered = 4 * 1024;
  void flush();

  SideFile& file_;
  std::uint64_t start_ns_;
  std::string text_;
  Result<void> outcome_;
};

}  // namespace sluice
