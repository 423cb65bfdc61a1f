#pragma once

#include <cstdint>
#include <string_view>

#include "json/plain_machine.h"

namespace sluice::json {

/// Cuts a text of JSON values that follow each other, with blanks, newlines or nothing between
/// them, into its values: documents over several lines in one file, or `{}{}[]`. Where every value
/// has a line of its own, LineReader and LineScanner are many times as fast.
///
///     json::ValueCutter values(text);
///     while (values.next()) {
///       if (values.fault()) complain(json::explain(*values.fault(), values.text()));
///       else use(json::Document::parse(values.text()));
///     }
///
/// A value that is no JSON costs itself, and what follows it up to the end of the line where that
/// shows: where a broken value would have ended nobody knows. Lifetime: the text must stay.
/// Cost: every byte is looked at alone, but for the insides of strings.
class ValueCutter {
 public:
  explicit ValueCutter(std::string_view text, const ScanOptions& options = {})
      : rest_(text), begin_(text.data()), value_(text.substr(0, 0)), machine_(options) {}

  /// Goes to the next value. False at the end.
  bool next();
  /// The value without blanks around it; of one with a fault, all that it costs.
  std::string_view text() const { return value_; }
  /// What is wrong with it, offset from its beginning; null when it is a value.
  const Error* fault() const { return error_.code == ErrorCode::none ? nullptr : &error_; }
  /// Where it begins in the whole text, in bytes.
  std::uint64_t offset() const { return static_cast<std::uint64_t>(value_.data() - begin_); }

 private:
  std::string_view rest_;
  const char* begin_;
  std::string_view value_;
  Error error_{};
  PlainMachine machine_;
};

}  // namespace sluice::json
