#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

#include "json/has_backslash.h"
#include "number/read.h"
#include "typed/enumerators.h"
#include "typed/read_state.h"

/// Booleans, numbers, strings and enumerators.
namespace sluice::json {

/// Why a number is not of the integer type wanted: out of its range, or no integer at all.
NextToken refuse_integer(ReadState& state, std::uint32_t token);
NextToken read_string_with_escapes(ReadState& state, std::uint32_t token, std::string_view body,
                                   std::string& value);
/// Decodes over the text itself, where that may be.
NextToken read_view_with_escapes(ReadState& state, std::uint32_t token, std::string_view body,
                                 std::string_view& value);
NextToken read_float(ReadState& state, std::uint32_t token, float& value);

inline bool is_number(std::uint8_t kind) {
  return static_cast<std::uint8_t>(kind - '0') < 10 || kind == '-';
}

inline NextToken read_bool(ReadState& state, std::uint32_t token, bool& value) {
  const std::uint8_t kind = state.kind_of(token);
  if (kind != 't' && kind != 'f') return state.wrong_type(token, Expected::boolean);
  value = kind == 't';
  return token + 1;
}

template <std::integral T>
NextToken read_integer(ReadState& state, std::uint32_t token, T& value) {
  if (!is_number(state.kind_of(token))) return state.wrong_type(token, Expected::integer);
  if constexpr (std::is_signed_v<T>) {
    const auto number = number::to_int64(state.text_at(token), state.text_end());
    if (!number || !std::in_range<T>(*number)) return refuse_integer(state, token);
    value = static_cast<T>(*number);
  } else {
    const auto number = number::to_uint64(state.text_at(token), state.text_end());
    if (!number || !std::in_range<T>(*number)) return refuse_integer(state, token);
    value = static_cast<T>(*number);
  }
  return token + 1;
}

inline NextToken read_double(ReadState& state, std::uint32_t token, double& value) {
  if (!is_number(state.kind_of(token))) return state.wrong_type(token, Expected::number);
  const auto number = number::to_double(state.text_at(token), state.text_end());
  if (!number) return state.fail(ErrorCode::json_range, token, Expected::number);
  value = *number;
  return token + 1;
}

/// A string that fits into what a std::string has without an allocation, in one go whatever its
/// size, which nobody can foresee. False where it does not fit, has escapes or is at the very end
/// of the text.
inline bool assign_short(std::string_view body, const char* text_end, std::string& value) {
  using Lanes [[gnu::vector_size(16)]] = unsigned char;
  using Words [[gnu::vector_size(16)]] = std::uint64_t;
  constexpr std::size_t kSizeMax = sizeof(Lanes) - 1;
  static constexpr auto kFirst = [] {  // from place 16 - n on, n bytes of ones
    std::array<unsigned char, 2 * sizeof(Lanes)> bytes{};
    std::fill_n(bytes.begin(), sizeof(Lanes), static_cast<unsigned char>(0xFF));
    return bytes;
  }();
  if (body.size() > kSizeMax || text_end - body.data() <= std::ptrdiff_t{kSizeMax}) return false;
  Lanes bytes;
  Lanes inside;
  std::memcpy(&bytes, body.data(), sizeof bytes);
  std::memcpy(&inside, kFirst.data() + sizeof(Lanes) - body.size(), sizeof inside);
  const Lanes equal = static_cast<Lanes>(bytes == static_cast<unsigned char>('\\')) & inside;
  const Words escapes = reinterpret_cast<Words>(equal);
  if ((escapes[0] | escapes[1]) != 0) [[unlikely]]
    return false;
  value.resize_and_overwrite(kSizeMax, [&](char* out, std::size_t) {
    std::memcpy(out, &bytes, sizeof bytes);  // the last one where the terminator goes
    return body.size();
  });
  return true;
}

inline NextToken read_string(ReadState& state, std::uint32_t token, std::string& value) {
  if (state.kind_of(token) != '"') return state.wrong_type(token, Expected::string);
  const std::string_view body = state.index.string_body(token);
  if (assign_short(body, state.text_end(), value)) return token + 1;
  if (has_backslash(body)) [[unlikely]]
    return read_string_with_escapes(state, token, body, value);
  if (body.size() > value.capacity()) {
    value = std::string(body);  // exactly as large as needed, and nothing of the old one is kept
  } else {
    value.assign(body);
  }
  return token + 1;
}

inline NextToken read_view(ReadState& state, std::uint32_t token, std::string_view& value) {
  if (state.kind_of(token) != '"') return state.wrong_type(token, Expected::string);
  const std::string_view body = state.index.string_body(token);
  if (has_backslash(body)) [[unlikely]]
    return read_view_with_escapes(state, token, body, value);
  value = body;
  return token + 1;
}

template <Enumeration T>
NextToken read_enumerator(ReadState& state, std::uint32_t token, T& value) {
  std::string name;
  const NextToken next = read_string(state, token, name);
  if (next == 0) return 0;
  const std::optional<T> found = enumerator_named<T>(name);
  if (!found) return state.wrong_type(token, Expected::enumerator);
  value = *found;
  return next;
}

}  // namespace sluice::json
