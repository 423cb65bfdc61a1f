#pragma once

#include <cstddef>
#include <cstdint>
#include <ranges>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "typed/kinds.h"
#include "typed/read_scalar.h"
#include "typed/read_state.h"

/// Arrays and objects into containers, tuples and variants.
namespace sluice::json {

/// Calls `read_one(token)` for the first token of each element; it returns the token behind.
template <class ReadOne>
NextToken for_each_element(ReadState& state, std::uint32_t opener, ReadOne read_one) {
  std::uint32_t token = opener + 1;
  if (state.kind_of(token) == ']') return token + 1;
  while (true) {
    const NextToken next = read_one(token);
    if (next == 0) return 0;
    if (state.kind_of(next) == ']') return next + 1;
    token = next + 1;
  }
}

template <Sequence T>
NextToken read_sequence(ReadState& state, std::uint32_t opener, T& values) {
  values.clear();
  if (state.kind_of(opener + 1) == ']') return opener + 2;
  const std::uint32_t count = state.index.count_of(opener);
  if constexpr (std::is_arithmetic_v<typename T::value_type> && std::ranges::contiguous_range<T>) {
    values.resize(count);
    auto* slot = std::ranges::data(values);
    return for_each_element(state, opener,
                            [&](std::uint32_t token) { return read_value(state, token, *slot++); });
  }
  if constexpr (requires { values.reserve(0); }) values.reserve(count);
  return for_each_element(state, opener, [&](std::uint32_t token) {
    if constexpr (std::same_as<typename T::value_type, bool>) {  // std::vector<bool>
      bool value = false;
      const NextToken next = read_value(state, token, value);
      values.push_back(value);
      return next;
    } else {
      return read_value(state, token, values.emplace_back());
    }
  });
}

template <Set T>
NextToken read_set(ReadState& state, std::uint32_t opener, T& values) {
  values.clear();
  return for_each_element(state, opener, [&](std::uint32_t token) {
    typename T::value_type value{};
    const NextToken next = read_value(state, token, value);
    if (next != 0) values.insert(std::move(value));
    return next;
  });
}

/// A tuple, pair or array: so many elements as it has, no more and no fewer.
template <class T>
NextToken read_tuple(ReadState& state, std::uint32_t opener, T& values) {
  if (state.index.count_of(opener) != std::tuple_size_v<T>) {
    return state.wrong_type(opener, Expected::array_of_size);
  }
  std::uint32_t token = opener + 1;
  const bool good = std::apply(
      [&](auto&... value) {
        return ((token = read_value(state, token, value), token += token != 0, token != 0) && ...);
      },
      values);
  return good ? state.index.links[opener] + 1 : 0;
}

/// Where the value of a key goes, and whether the key is new. Keys often come in order: then none
/// but the last is compared.
template <Map T>
auto emplace_key(T& values, typename T::key_type&& key) {
  if constexpr (requires {
                  typename T::key_compare;
                  values.try_emplace(values.end(), std::move(key));
                }) {
    const std::size_t size_before = values.size();
    const auto place = values.try_emplace(values.end(), std::move(key));
    return std::pair(place, values.size() != size_before);
  } else {
    return values.try_emplace(std::move(key));
  }
}

template <Map T>
NextToken read_map(ReadState& state, std::uint32_t opener, T& values) {
  values.clear();
  std::uint32_t token = opener + 1;
  while (state.kind_of(token) == '"') {
    // A view must not be one of a copy.
    using Key = typename T::key_type;
    std::conditional_t<std::same_as<Key, std::string_view>, Key, std::string> key;
    if (read_value(state, token, key) == 0) return 0;
    const auto [place, is_new] = emplace_key(values, Key(std::move(key)));
    if (!is_new && state.options.duplicates == Duplicates::refuse) {
      return state.fail(ErrorCode::json_duplicate, token);
    }
    const NextToken next = read_value(state, token + 2, place->second);
    if (next == 0) return 0;
    token = next + (state.kind_of(next) == ',');
  }
  return token + 1;
}

/// Whether a value whose token is `kind` may be a T.
template <class T>
bool may_hold(std::uint8_t kind) {
  if constexpr (Converted<T>) {
    return may_hold<typename Conversion<T>::Json>(kind);
  } else if constexpr (Nullable<T>) {
    return kind == 'n' || may_hold<typename std::pointer_traits<T>::element_type>(kind);
  } else if constexpr (std::same_as<T, std::monostate>) {
    return kind == 'n';
  } else if constexpr (std::same_as<T, bool>) {
    return kind == 't' || kind == 'f';
  } else if constexpr (std::is_arithmetic_v<T>) {
    return is_number(kind);
  } else if constexpr (Enumeration<T> || std::same_as<T, std::string> ||
                       std::same_as<T, std::string_view>) {
    return kind == '"';
  } else if constexpr (std::same_as<T, RawJson> || reflection::kIsVariant<T>) {
    return true;
  } else if constexpr (Map<T> || Struct<T>) {
    return kind == '{';
  } else {
    return kind == '[';
  }
}

/// The first alternative that can be read; json_depth when too much was tried. Strings in an
/// alternative are not decoded in place: the next one might have to read them again.
template <class... T>
NextToken read_variant(ReadState& state, std::uint32_t token, std::variant<T...>& value) {
  const std::uint8_t kind = state.kind_of(token);
  char* const writable = std::exchange(state.writable, nullptr);
  state.wrong_type(token, Expected::alternative);
  NextToken next = 0;
  const auto try_one = [&]<class One>() {
    if (next != 0 || !state.may_try_more() || !may_hold<One>(kind)) return;
    next = read_value(state, token, value.template emplace<One>());
    if (next != 0) return;
    state.tokens_in_vain += state.index.behind(token) - token;
    if (!state.may_try_more()) state.fail(ErrorCode::json_depth, token);
  };
  (try_one.template operator()<T>(), ...);
  state.writable = writable;
  return next;
}

}  // namespace sluice::json
