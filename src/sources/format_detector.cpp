#include "sources/format_detector.h"

#include <algorithm>

namespace sluice {

bool is_ndjson_name(std::string_view name) {
  return name.ends_with(".ndjson") || name.ends_with(".jsonl");
}

std::optional<InputFormat> FormatDetector::look(std::span<const std::uint8_t> text, bool at_end) {
  constexpr std::string_view kBlanks = " \t\r\n";
  while (blank_ && seen_ < text.size()) {
    if (kBlanks.find(static_cast<char>(text[seen_])) == std::string_view::npos) {
      blank_ = false;
    } else {
      ++seen_;
    }
  }
  const auto rest = text.subspan(seen_);
  const auto newline = std::ranges::find(rest, '\n');
  if (!checker_.feed({rest.begin(), newline})) return InputFormat::ndjson;
  seen_ = static_cast<std::size_t>(newline - text.begin());
  if (newline == rest.end() && !at_end) return std::nullopt;
  return checker_.place() == json::Checker::Place::inside_container ? InputFormat::json
                                                                    : InputFormat::ndjson;
}

}  // namespace sluice
