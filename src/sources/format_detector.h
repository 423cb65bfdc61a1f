#pragma once

#include <optional>
#include <string_view>

#include "json/checker.h"
#include "sources/cutter.h"

namespace sluice {

/// Decides by an input's first line that is not blank: one document only if that line ends inside
/// an open array or object; anything else is NDJSON, whose faults stay within their lines.
class FormatDetector {
 public:
  FormatDetector(const json::ScanOptions& options, std::span<std::byte> streams)
      : checker_(options, streams) {}

  /// `text` is the input from its start, as far as it has been read; it grows from call to call.
  /// Nothing as long as the line goes on.
  std::optional<InputFormat> look(std::span<const std::uint8_t> text, bool at_end);

 private:
  json::Checker checker_;
  std::size_t seen_ = 0;
  bool blank_ = true;
};

/// Whether the name alone says NDJSON.
bool is_ndjson_name(std::string_view name);

}  // namespace sluice
