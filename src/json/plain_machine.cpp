#include "json/plain_machine.h"

#include "json/bytes.h"
#include "json/plain_run.h"

namespace sluice::json {

PlainMachine::PlainMachine(const ScanOptions& options)
    : options_(options), objects_((std::size_t{options.max_depth} + 63) / 64) {}

Result<void> PlainMachine::feed(std::span<const std::uint8_t> piece) {
  if (error_.code != ErrorCode::none) return error_;
  for (std::size_t index = 0; index < piece.size(); ++index, ++offset_) {
    if (state_ == State::string) {
      const std::size_t run = plain_run(piece.subspan(index));
      index += run;
      offset_ += run;
      if (index == piece.size()) break;
    }
    if (!take(piece[index])) return error_;
  }
  return {};
}

Result<void> PlainMachine::finish() {
  if (error_.code != ErrorCode::none) return error_;
  if (state_ == State::sequence) {
    refuse(ErrorCode::json_utf8, Expected::none, sequence_offset_);
    return error_;
  }
  const bool complete = depth_ == 0 && (state_ == State::after_value || number_may_end());
  if (complete) return {};
  refuse(ErrorCode::json_syntax, expected_now(), offset_);
  return error_;
}

Checker::Place PlainMachine::place() const {
  // Part of a sequence outside strings: whatever it becomes, it is no blank and no value.
  if (state_ == State::sequence && interrupted_ < State::string) {
    return Checker::Place::inside_scalar;
  }
  const State state = state_ == State::sequence ? interrupted_ : state_;
  if (state >= State::literal) return Checker::Place::inside_scalar;
  if (state >= State::string) return Checker::Place::inside_string;
  if (depth_ > 0) return Checker::Place::inside_container;
  return state == State::value ? Checker::Place::nothing_yet : Checker::Place::after_value;
}

void PlainMachine::restart() {
  depth_ = 0;
  offset_ = 0;
  state_ = State::value;
  second_of_pair_ = false;
  error_ = {};
}

bool PlainMachine::take(std::uint8_t byte) {
  switch (state_) {
    case State::value:
    case State::value_or_array_end:
      return take_value(byte);
    case State::key:
    case State::key_or_object_end:
      return take_key(byte);
    case State::colon:
      if (is_blank(byte)) return true;
      return byte == ':' ? go(State::value) : refuse_here(byte);
    case State::after_value:
      return take_after_value(byte);
    case State::string:
      return take_string(byte);
    case State::escape:
    case State::low_escape:
      return take_escape(byte);
    case State::hex:
      return take_hex(byte);
    case State::sequence:
      return take_sequence(byte);
    case State::literal:
      return take_literal(byte);
    default:
      return take_number(byte);
  }
}

bool PlainMachine::take_value(std::uint8_t byte) {
  if (is_blank(byte)) return true;
  switch (byte) {
    case '{':
      return open(true);
    case '[':
      return open(false);
    case ']':
      return state_ == State::value_or_array_end ? close() : refuse_here(byte);
    case '"':
      string_is_key_ = false;
      return go(State::string);
    case 't':
      return begin_literal("rue");
    case 'f':
      return begin_literal("alse");
    case 'n':
      return begin_literal("ull");
    case '-':
      return go(State::minus);
    case '0':
      return go(State::zero);
    default:
      return is_digit(byte) ? go(State::integer) : refuse_here(byte);
  }
}

bool PlainMachine::take_key(std::uint8_t byte) {
  if (is_blank(byte)) return true;
  if (byte == '}' && state_ == State::key_or_object_end) return close();
  if (byte != '"') return refuse_here(byte);
  string_is_key_ = true;
  return go(State::string);
}

bool PlainMachine::take_after_value(std::uint8_t byte) {
  if (is_blank(byte)) return true;
  if (depth_ == 0) return refuse_here(byte);
  const bool object = in_object();
  if (byte == ',') return go(object ? State::key : State::value);
  if (byte == (object ? '}' : ']')) return close();
  return refuse_here(byte);
}

bool PlainMachine::begin_literal(const char* rest) {
  literal_rest_ = rest;
  return go(State::literal);
}

bool PlainMachine::take_literal(std::uint8_t byte) {
  if (byte != static_cast<std::uint8_t>(*literal_rest_)) return refuse_here(byte);
  ++literal_rest_;
  return *literal_rest_ != '\0' || go(State::after_value);
}

bool PlainMachine::take_number(std::uint8_t byte) {
  const bool digit = is_digit(byte);
  const bool mark = byte == 'e' || byte == 'E';
  switch (state_) {
    case State::minus:
      if (digit) return go(byte == '0' ? State::zero : State::integer);
      return refuse_here(byte);
    case State::zero:
    case State::integer:
      if (digit && state_ == State::integer) return true;
      if (byte == '.') return go(State::point);
      return mark ? go(State::exponent_mark) : end_number(byte);
    case State::point:
      return digit ? go(State::fraction) : refuse_here(byte);
    case State::fraction:
      if (digit) return true;
      return mark ? go(State::exponent_mark) : end_number(byte);
    case State::exponent_mark:
      if (byte == '+' || byte == '-') return go(State::exponent_sign);
      [[fallthrough]];
    case State::exponent_sign:
      return digit ? go(State::exponent) : refuse_here(byte);
    default:
      return digit || end_number(byte);
  }
}

/// Only the byte behind a number shows that the number is over; that byte is read again.
bool PlainMachine::end_number(std::uint8_t byte) {
  state_ = State::after_value;
  return take_after_value(byte);
}

bool PlainMachine::number_may_end() const {
  return state_ == State::zero || state_ == State::integer || state_ == State::fraction ||
         state_ == State::exponent;
}

bool PlainMachine::go(State next) {
  state_ = next;
  return true;
}

bool PlainMachine::open(bool object) {
  if (depth_ == options_.max_depth) return refuse(ErrorCode::json_depth, Expected::none, offset_);
  const std::uint64_t bit = std::uint64_t{1} << depth_ % 64;
  std::uint64_t& word = objects_[depth_ / 64];
  word = object ? word | bit : word & ~bit;
  ++depth_;
  return go(object ? State::key_or_object_end : State::value_or_array_end);
}

bool PlainMachine::close() {
  --depth_;
  return go(State::after_value);
}

bool PlainMachine::in_object() const {
  const std::uint32_t level = depth_ - 1;
  return (objects_[level / 64] >> level % 64 & 1) != 0;
}

bool PlainMachine::refuse(ErrorCode code, Expected expected, std::uint64_t offset) {
  error_ = {.code = code, .detail = static_cast<std::uint16_t>(expected), .offset = offset};
  return false;
}

/// `byte` cannot stand here. If it begins a UTF-8 sequence, it depends on the rest of that which
/// of the two faults at this offset comes first.
bool PlainMachine::refuse_here(std::uint8_t byte) {
  if (byte >= 0x80) return begin_sequence(byte);
  return refuse(ErrorCode::json_syntax, expected_now(), offset_);
}

Expected PlainMachine::expected_now() const {
  switch (state_) {
    case State::value:
      return Expected::value;
    case State::value_or_array_end:
      return Expected::value_or_array_end;
    case State::key_or_object_end:
      return Expected::key_or_object_end;
    case State::key:
      return Expected::key;
    case State::colon:
      return Expected::colon;
    case State::string:
      return Expected::string_byte;
    case State::low_escape:
      return Expected::low_surrogate;
    case State::escape:
      return second_of_pair_ ? Expected::low_surrogate : Expected::escape;
    case State::hex:
      return second_of_pair_ ? Expected::low_surrogate : Expected::hex_digit;
    case State::literal:
      return Expected::literal;
    case State::minus:
    case State::point:
    case State::exponent_mark:
    case State::exponent_sign:
      return Expected::digit;
    default:
      return expected_after_value();
  }
}

Expected PlainMachine::expected_after_value() const {
  if (depth_ == 0) return Expected::end_of_text;
  return in_object() ? Expected::comma_or_object_end : Expected::comma_or_array_end;
}

}  // namespace sluice::json
