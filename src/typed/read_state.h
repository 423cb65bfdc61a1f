#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/error.h"
#include "document/index.h"
#include "json/error_text.h"
#include "typed/options.h"

namespace sluice::json {

/// The token behind a value that was read; 0 says that it could not be.
using NextToken = std::uint32_t;

/// What the functions that read one text share: its tokens, what the caller chose, the fault.
struct ReadState {
  IndexView index;
  ReadOptions options;
  char* writable = nullptr;   ///< the same text, where strings may be decoded over themselves
  std::uint32_t levels = 0;   ///< arrays, maps and structs that are being read
  Error error{};              ///< the first fault
  std::string_view member{};  ///< which one is missing, for json_missing
  std::span<const std::string_view> names{};  ///< the members of the struct, for json_field
  std::uint32_t fault_token = 0;
  std::uint64_t tokens_in_vain = 0;  ///< of alternatives of variants that did not fit

  const char* text_at(std::uint32_t token) const {
    return reinterpret_cast<const char*>(index.text) + index.places[token];
  }
  const char* text_end() const {
    return reinterpret_cast<const char*>(index.text) + index.text_size;
  }
  std::uint8_t kind_of(std::uint32_t token) const { return index.tokens[token]; }

  /// Alternatives inside alternatives are read over and over: twice as often a level, when two
  /// begin alike. So that no text takes for ever, all of it may be read in vain so many times.
  static constexpr std::uint64_t kTimesInVainMax = 1024;
  bool may_try_more() const { return tokens_in_vain <= kTimesInVainMax * index.token_count; }

  /// Takes down what is wrong with the value at `token`; returns 0.
  NextToken fail(ErrorCode code, std::uint32_t token, Expected expected = Expected::none) {
    fault_token = token;
    error = {code, static_cast<std::uint16_t>(expected), 0, index.places[token]};
    return 0;
  }
  NextToken wrong_type(std::uint32_t token, Expected expected) {
    return fail(ErrorCode::json_type, token, expected);
  }
};

/// Reads the value that starts at `token`, whatever T is (read_value.h). After a fault `value` is
/// valid but means nothing.
template <class T>
NextToken read_value(ReadState& state, std::uint32_t token, T& value);

}  // namespace sluice::json
