#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "typed/read.h"

namespace sluice::json {

/// Reads NDJSON, a record a line, into structs. A bad line costs itself only.
///
///     json::LineReader lines(text);
///     Event event;
///     while (lines.next()) {
///       const auto read = lines.read(event);
///       if (read) use(event);
///       else std::cerr << json::explain<Event>(read.error(), lines.line());
///     }
///
/// A newline always ends a record; lines of blanks only are skipped; the last line may lack its
/// newline. Lifetime: the text must stay as it is.
class LineReader {
 public:
  explicit LineReader(std::string_view text, const ReadOptions& options = {})
      : rest_(text), begin_(text.data()), line_(text.substr(0, 0)), reader_(options) {}

  /// Goes to the next line that is not blank. False at the end.
  bool next() {
    while (!rest_.empty()) {
      ++number_;
      const std::size_t newline = rest_.find('\n');
      line_ = rest_.substr(0, newline);
      rest_.remove_prefix(newline == std::string_view::npos ? rest_.size() : newline + 1);
      if (line_.ends_with('\r')) line_.remove_suffix(1);
      if (line_.find_first_not_of(" \t\r") != std::string_view::npos) return true;
    }
    return false;
  }

  /// The line, without its end.
  std::string_view line() const { return line_; }
  /// Its number, from 1; blank lines count.
  std::uint64_t number() const { return number_; }
  /// Where it begins in the text, in bytes.
  std::uint64_t offset() const { return static_cast<std::uint64_t>(line_.data() - begin_); }

  /// Errors: as Reader::read, with offsets from the beginning of the line.
  template <class T>
  Result<void> read(T& value) {
    return reader_.read(line_, value);
  }

 private:
  std::string_view rest_;
  const char* begin_;
  std::string_view line_;
  std::uint64_t number_ = 0;
  Reader reader_;
};

}  // namespace sluice::json
