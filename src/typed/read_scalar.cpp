#include "typed/read_scalar.h"

#include <charconv>
#include <cmath>
#include <span>

#include "json/unescape.h"

namespace sluice::json {
namespace {

std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace

NextToken refuse_integer(ReadState& state, std::uint32_t token) {
  const bool integer = state.index.raw(token).find_first_of(".eE") == std::string_view::npos;
  return integer ? state.fail(ErrorCode::json_range, token, Expected::integer)
                 : state.wrong_type(token, Expected::integer);
}

NextToken read_string_with_escapes(ReadState& state, std::uint32_t token, std::string_view body,
                                   std::string& value) {
  value.resize(body.size());
  const Unescaped done =
      unescape(bytes_of(body), {reinterpret_cast<std::uint8_t*>(value.data()), value.size()});
  value.resize(done.written);
  // What was let through undecoded by `pass_surrogates` has no value as text.
  if (done.read != body.size()) return state.wrong_type(token, Expected::string);
  return token + 1;
}

NextToken read_view_with_escapes(ReadState& state, std::uint32_t token, std::string_view body,
                                 std::string_view& value) {
  if (state.writable == nullptr) return state.wrong_type(token, Expected::string_without_escapes);
  const std::size_t start =
      static_cast<std::size_t>(body.data() - reinterpret_cast<const char*>(state.index.text));
  char* const place = state.writable + start;
  const Unescaped done =
      unescape(bytes_of(body), {reinterpret_cast<std::uint8_t*>(place), body.size()});
  if (done.read != body.size()) return state.wrong_type(token, Expected::string);
  value = {place, done.written};
  return token + 1;
}

NextToken read_float(ReadState& state, std::uint32_t token, float& value) {
  if (!is_number(state.kind_of(token))) return state.wrong_type(token, Expected::number);
  const std::string_view text = state.index.raw(token);
  // By way of a double it would be rounded twice.
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault == std::errc()) return token + 1;
  // Too small is said like too large; it is the nearest float, though.
  const auto wide = number::to_double(state.text_at(token), state.text_end());
  if (!wide || std::abs(*wide) > 1)
    return state.fail(ErrorCode::json_range, token, Expected::number);
  value = static_cast<float>(*wide);
  return token + 1;
}

}  // namespace sluice::json
