// The part of the machine that reads strings: escapes, surrogate pairs and UTF-8.

#include <cstring>

#include "json/plain_machine.h"

namespace sluice::json {
namespace {

constexpr std::uint32_t kByteOrderMark = 0xEFBBBF;

/// Value of a hexadecimal digit, or -1.
int hex_digit_value(std::uint8_t byte) {
  if (byte >= '0' && byte <= '9') return byte - '0';
  const int letter = byte | 0x20;
  return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

}  // namespace

bool PlainMachine::take_string(std::uint8_t byte) {
  if (byte >= 0x80) return begin_sequence(byte);
  if (byte < 0x20) return refuse_here(byte);
  if (byte == '"') return go(string_is_key_ ? State::colon : State::after_value);
  if (byte != '\\') return true;
  escape_offset_ = offset_;
  return go(State::escape);
}

bool PlainMachine::take_escape(std::uint8_t byte) {
  // Behind a high surrogate nothing but another \u will do; its backslash does not become the place
  // of the fault, for what spoils the second half leaves the first one unpaired.
  if (state_ == State::low_escape) {
    if (byte != '\\') return refuse_escape(Expected::low_surrogate);
    second_of_pair_ = true;
    return go(State::escape);
  }
  if (byte == 'u') {
    hex_value_ = 0;
    hex_digits_ = 0;
    return go(State::hex);
  }
  const bool known = byte != 0 && std::strchr("\"\\/bfnrt", byte) != nullptr;
  return known && !second_of_pair_ ? go(State::string) : refuse_escape(Expected::escape);
}

/// A surrogate is told by its first two digits: D8-DB begins a pair, DC-DF completes one.
bool PlainMachine::take_hex(std::uint8_t byte) {
  const int digit = hex_digit_value(byte);
  if (digit < 0) return refuse_escape(Expected::hex_digit);
  hex_value_ = hex_value_ << 4 | static_cast<std::uint32_t>(digit);
  ++hex_digits_;
  if (options_.pass_surrogates) return hex_digits_ < 4 || go(State::string);
  if (hex_digits_ == 1 && second_of_pair_ && hex_value_ != 0xD) {
    return refuse_escape(Expected::low_surrogate);
  }
  if (hex_digits_ == 2) {
    const bool low = hex_value_ >= 0xDC && hex_value_ <= 0xDF;
    if (low != second_of_pair_) return refuse_escape(Expected::high_surrogate);
  }
  return hex_digits_ < 4 || end_hex();
}

bool PlainMachine::end_hex() {
  const bool high = hex_value_ >= 0xD800 && hex_value_ <= 0xDBFF;
  second_of_pair_ = false;
  return go(high ? State::low_escape : State::string);
}

/// Table 3-7 of the Unicode standard: only the second byte's range depends on the first one.
bool PlainMachine::begin_sequence(std::uint8_t lead) {
  sequence_offset_ = offset_;
  sequence_bytes_ = lead;
  interrupted_ = state_;
  if (lead < 0xC2 || lead > 0xF4) return refuse(ErrorCode::json_utf8, Expected::none, offset_);
  continuations_ = lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
  next_min_ = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  next_max_ = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  return go(State::sequence);
}

bool PlainMachine::take_sequence(std::uint8_t byte) {
  if (byte < next_min_ || byte > next_max_) {
    return refuse(ErrorCode::json_utf8, Expected::none, sequence_offset_);
  }
  sequence_bytes_ = sequence_bytes_ << 8 | byte;
  next_min_ = 0x80;
  next_max_ = 0xBF;
  if (--continuations_ > 0) return true;
  state_ = interrupted_;
  if (state_ == State::string) return true;
  // A good character in a place where only ASCII can stand.
  const bool mark = sequence_offset_ == 0 && sequence_bytes_ == kByteOrderMark;
  const Expected expected = mark ? Expected::no_bom : expected_now();
  return refuse(ErrorCode::json_syntax, expected, sequence_offset_);
}

/// The fault is the escape as a whole, and within a pair the pair as a whole.
bool PlainMachine::refuse_escape(Expected expected) {
  if (second_of_pair_) expected = Expected::low_surrogate;
  return refuse(ErrorCode::json_syntax, expected, escape_offset_);
}

}  // namespace sluice::json
