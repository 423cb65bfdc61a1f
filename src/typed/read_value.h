#pragma once

#include "typed/kinds.h"
#include "typed/read_container.h"
#include "typed/read_scalar.h"
#include "typed/read_struct.h"

namespace sluice::json {

template <class T>
NextToken read_nullable(ReadState& state, std::uint32_t token, T& value) {
  if (state.kind_of(token) == 'n') {
    value.reset();
    return token + 1;
  }
  if constexpr (reflection::kIsOptional<T>) {
    return read_value(state, token, value.emplace());
  } else if constexpr (requires { std::unique_ptr(std::move(value)); }) {
    value = std::make_unique<typename T::element_type>();
  } else {
    value = std::make_shared<typename T::element_type>();
  }
  return read_value(state, token, *value);
}

template <Converted T>
NextToken read_converted(ReadState& state, std::uint32_t token, T& value) {
  typename Conversion<T>::Json json{};
  const NextToken next = read_value(state, token, json);
  if (next == 0) return 0;
  std::optional<T> converted = Conversion<T>::from_json(json);
  if (!converted) return state.wrong_type(token, Expected::convertible);
  value = std::move(*converted);
  return next;
}

/// Arrays and objects, one level deeper.
template <class T>
NextToken read_nested(ReadState& state, std::uint32_t token, T& value) {
  constexpr bool kObject = Map<T> || Struct<T>;
  if (state.kind_of(token) != (kObject ? '{' : '[')) {
    return state.wrong_type(token, kObject ? Expected::object : Expected::array);
  }
  if (state.levels == state.options.levels_max) return state.fail(ErrorCode::json_depth, token);
  ++state.levels;
  NextToken next = 0;
  if constexpr (Map<T>) {
    next = read_map(state, token, value);
  } else if constexpr (Struct<T>) {
    next = StructReader<T>(state, value).read(token);
  } else if constexpr (Sequence<T>) {
    next = read_sequence(state, token, value);
  } else if constexpr (Set<T>) {
    next = read_set(state, token, value);
  } else {
    next = read_tuple(state, token, value);
  }
  --state.levels;
  return next;
}

template <class T>
NextToken read_value(ReadState& state, std::uint32_t token, T& value) {
  if constexpr (std::is_const_v<T>) {
    static_assert(!std::is_const_v<T>, "a member that is const cannot be read");
  } else if constexpr (Converted<T>) {
    return read_converted(state, token, value);
  } else if constexpr (std::same_as<T, bool>) {
    return read_bool(state, token, value);
  } else if constexpr (Integer<T>) {
    return read_integer(state, token, value);
  } else if constexpr (std::same_as<T, double>) {
    return read_double(state, token, value);
  } else if constexpr (std::same_as<T, float>) {
    return read_float(state, token, value);
  } else if constexpr (std::same_as<T, std::string>) {
    return read_string(state, token, value);
  } else if constexpr (std::same_as<T, std::string_view>) {
    return read_view(state, token, value);
  } else if constexpr (std::same_as<T, RawJson>) {
    value.text = state.index.raw(token);
    return state.index.behind(token);
  } else if constexpr (std::same_as<T, std::monostate>) {
    return state.kind_of(token) == 'n' ? token + 1 : state.wrong_type(token, Expected::null);
  } else if constexpr (Enumeration<T>) {
    return read_enumerator(state, token, value);
  } else if constexpr (Nullable<T>) {
    return read_nullable(state, token, value);
  } else if constexpr (reflection::kIsVariant<T>) {
    return read_variant(state, token, value);
  } else {
    static_assert(Sequence<T> || Set<T> || Map<T> || Struct<T> || reflection::kIsArray<T> ||
                      reflection::kIsTuple<T>,
                  "no way is known to read this type: give an enumeration its type (enum E : int), "
                  "another one a json::Conversion");
    return read_nested(state, token, value);
  }
}

}  // namespace sluice::json
