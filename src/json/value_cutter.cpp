#include "json/value_cutter.h"

#include <algorithm>

namespace sluice::json {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

/// The fault that a machine reports at the first byte behind a whole value.
bool is_next_value(const Error& error) {
  return error.code == ErrorCode::json_syntax &&
         error.detail == static_cast<std::uint16_t>(Expected::end_of_text);
}

}  // namespace

bool ValueCutter::next() {
  rest_.remove_prefix(std::min(rest_.find_first_not_of(kBlanks), rest_.size()));
  if (rest_.empty()) return false;
  machine_.restart();
  Result<void> verdict =
      machine_.feed({reinterpret_cast<const std::uint8_t*>(rest_.data()), rest_.size()});
  if (verdict) verdict = machine_.finish();
  error_ = verdict ? Error{} : verdict.error();
  std::size_t end = rest_.size();
  if (is_next_value(error_)) {
    end = error_.offset;
    error_ = {};
  } else if (!verdict) {
    end = std::min(rest_.find('\n', error_.offset), rest_.size());
  }
  value_ = rest_.substr(0, end);
  value_ = value_.substr(0, value_.find_last_not_of(kBlanks) + 1);
  rest_.remove_prefix(end);
  return true;
}

}  // namespace sluice::json
