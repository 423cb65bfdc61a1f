#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "json/checker.h"
#include "json/error_text.h"
#include "json/scan.h"

namespace sluice::json {

/// Reads one document byte by byte and says exactly where and why it is not JSON. It is what the
/// fast scanners are measured against, and what they ask for the place of a fault they found.
///
/// The fault reported is the one at the lowest offset; at one offset UTF-8, then syntax, then
/// depth. Its offset is that of the first byte at which what was read is no longer the beginning
/// of a valid text (the end, when it is cut), except
/// - the first byte of an ill-formed UTF-8 sequence, also when the next byte or the end cuts it,
/// - the backslash of a bad escape; for an unpaired surrogate, that of its escape,
/// - the bracket that is too deep.
/// The same however the text was cut into pieces: all that is remembered between two bytes is here.
class PlainMachine {
 public:
  /// Memory: one bit for each of `max_depth` levels, taken here and never again.
  explicit PlainMachine(const ScanOptions& options);

  /// Takes the next piece of the document. Errors: the first fault, offset from the document's
  /// start; from then on every call returns it again.
  Result<void> feed(std::span<const std::uint8_t> piece);
  /// Says that the document ends here. Errors: as feed, for a text that is cut.
  Result<void> finish();
  Checker::Place place() const;
  /// Back to the beginning of a new document.
  void restart();

 private:
  enum class State : std::uint8_t {
    value,
    value_or_array_end,
    key_or_object_end,
    key,
    colon,
    after_value,
    string,
    escape,      ///< after a backslash
    hex,         ///< inside the four digits of \u
    low_escape,  ///< after a high surrogate: its other half must follow
    sequence,    ///< inside a UTF-8 sequence
    literal,
    minus,
    zero,
    integer,
    point,
    fraction,
    exponent_mark,
    exponent_sign,
    exponent,
  };

  bool take(std::uint8_t byte);
  bool take_value(std::uint8_t byte);
  bool take_key(std::uint8_t byte);
  bool take_after_value(std::uint8_t byte);
  bool take_string(std::uint8_t byte);
  bool take_escape(std::uint8_t byte);
  bool take_hex(std::uint8_t byte);
  bool take_sequence(std::uint8_t byte);
  bool take_literal(std::uint8_t byte);
  bool take_number(std::uint8_t byte);

  bool go(State next);
  bool open(bool object);
  bool close();
  bool begin_literal(const char* rest);
  bool begin_sequence(std::uint8_t lead);
  bool end_number(std::uint8_t byte);
  bool end_hex();
  bool refuse(ErrorCode code, Expected expected, std::uint64_t offset);
  bool refuse_here(std::uint8_t byte);
  bool refuse_escape(Expected expected);

  bool in_object() const;
  bool number_may_end() const;
  Expected expected_now() const;
  Expected expected_after_value() const;

  ScanOptions options_;
  std::vector<std::uint64_t> objects_;  ///< bit d: level d is an object, else an array
  std::uint32_t depth_ = 0;
  std::uint64_t offset_ = 0;  ///< of the byte that is being read

  State state_ = State::value;
  bool string_is_key_ = false;
  const char* literal_rest_ = "";

  std::uint64_t escape_offset_ = 0;  ///< of the backslash; in a pair, of the first one
  std::uint32_t hex_value_ = 0;
  std::uint8_t hex_digits_ = 0;
  bool second_of_pair_ = false;  ///< this \u must be a low surrogate

  std::uint64_t sequence_offset_ = 0;
  std::uint32_t sequence_bytes_ = 0;  ///< those read so far, the last one lowest
  std::uint8_t continuations_ = 0;    ///< bytes that the sequence still needs
  std::uint8_t next_min_ = 0;         ///< the next of them is in [next_min_, next_max_]
  std::uint8_t next_max_ = 0;
  State interrupted_ = State::string;  ///< the state in which the sequence stands

  Error error_;
};

}  // namespace sluice::json
