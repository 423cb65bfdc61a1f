#pragma once

#include <memory_resource>
#include <new>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "document/index.h"
#include "typed/fault_names.h"
#include "typed/read_value.h"

/// Typed reading: JSON into plain structs, without a macro and without a line of description.
///
///     struct User { std::string screen_name; std::uint64_t followers_count; };
///     struct Timeline { std::vector<Tweet> statuses; };
///     auto timeline = json::read<Timeline>(text);
///
/// The whole text is checked first, also what the structs do not have. Booleans, integers, double,
/// float, std::string, std::string_view (into the text), enumerations by name, std::optional and
/// pointers, vectors and other sequences, sets, maps with string keys, std::array, pairs, tuples,
/// variants, RawJson, and structs of all these; other types by json::Conversion.
namespace sluice::json {

/// Reads one text after the other with the same memory.
class Reader {
 public:
  explicit Reader(const ReadOptions& options = {},
                  std::pmr::memory_resource* memory = std::pmr::get_default_resource())
      : index_(memory), options_(options) {}

  /// Views in `value` (std::string_view, RawJson) point into `text`. After an error `value` is
  /// valid, but how much of it was read is open.
  /// Errors: those of the text (json_syntax, json_utf8, json_depth, document_limit), then the first
  /// value that does not fit: json_type, json_range, json_missing, json_field, json_duplicate;
  /// out_of_memory.
  template <class T>
  Result<void> read(std::string_view text, T& value) {
    return read_text(text, nullptr, value);
  }
  /// As `read`, but strings with escapes that are read as views are decoded over themselves.
  template <class T>
  Result<void> read_in_place(std::span<char> text, T& value) {
    return read_text({text.data(), text.size()}, text.data(), value);
  }
  /// After json_missing or json_field: which member, and what was perhaps meant. Valid as long as
  /// the text that was read. Cost: up to a millisecond, so it is asked for, not made.
  FaultNames fault_names() const { return names_of_fault(state_); }

 private:
  template <class T>
  Result<void> read_text(std::string_view text, char* writable, T& value) {
    state_ = {};
    SLUICE_TRY(index_.build(text, options_.scan));
    state_ = {.index = index_.view(), .options = options_, .writable = writable};
    try {
      if (read_value(state_, 0, value) != 0) return {};
    } catch (const std::bad_alloc&) {
      return Error{ErrorCode::out_of_memory, 0, 0, 0};
    }
    return state_.error;
  }

  Index index_;
  ReadOptions options_;
  ReadState state_;
};

/// A fresh T. Errors: as Reader::read.
template <class T>
Result<T> read(std::string_view text, const ReadOptions& options = {}) {
  Result<T> value{T{}};
  Reader reader(options);
  const Result<void> done = reader.read(text, *value);
  if (!done) return done.error();
  return value;
}

/// As `read`, with strings decoded over themselves where they are views.
template <class T>
Result<T> read_in_place(std::span<char> text, const ReadOptions& options = {}) {
  Result<T> value{T{}};
  Reader reader(options);
  const Result<void> done = reader.read_in_place(text, *value);
  if (!done) return done.error();
  return value;
}

}  // namespace sluice::json
