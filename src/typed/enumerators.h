#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "typed/members.h"

/// Enumerations are strings in JSON: the enumerators' names, or what `Names` makes of them. They
/// are found as members' names are, by asking for the name of each number from 0 to 127.
namespace sluice::json {

/// Of those without a type of their own (`enum Plain { a, b };`) only values up to the largest
/// enumerator may be asked for, and that is what one does not know: write `enum Plain : int`.
template <class T>
concept Enumeration = std::is_enum_v<T> && requires { T{0}; };

namespace reflection {

inline constexpr std::size_t kEnumeratorsMax = 128;

/// Contains `...Colour::red...`, or `...(Colour)3...` where 3 has no name.
template <auto kValue>
consteval std::string_view enumerator_text() {
  return __PRETTY_FUNCTION__;
}

/// Empty where the number has no name. Clang writes [kValue = name], GCC [with auto kValue = name;
/// ...]; what stands before the name, a template's arguments for instance, may hold any character.
template <auto kValue>
consteval std::string_view enumerator_name() {
  constexpr std::string_view kText = enumerator_text<kValue>();
  const std::size_t end = std::min(kText.rfind("; std::string_view = "), kText.rfind(']'));
  const std::string_view value = kText.substr(0, end);
  const std::string_view word = value.substr(value.find_last_of(":) ") + 1);
  const bool number = word.front() == '-' || (word.front() >= '0' && word.front() <= '9');
  return number ? std::string_view() : word;
}

template <class T, std::size_t... kNumber>
consteval auto enumerator_names(std::index_sequence<kNumber...>) {
  return std::array<std::string_view, sizeof...(kNumber)>{
      renamed<T>(enumerator_name<static_cast<T>(kNumber)>())...};
}

}  // namespace reflection

/// Entry n: the name of the enumerator with the value n in JSON; empty where there is none.
template <Enumeration T>
inline constexpr auto kEnumeratorNames = [] {
  constexpr auto kNames =
      reflection::enumerator_names<T>(std::make_index_sequence<reflection::kEnumeratorsMax>{});
  static_assert(std::ranges::any_of(kNames, [](auto name) { return !name.empty(); }),
                "an enumeration without an enumerator from 0 to 127: give it a json::Conversion");
  return kNames;
}();

template <Enumeration T>
constexpr std::optional<T> enumerator_named(std::string_view name) {
  const auto& names = kEnumeratorNames<T>;
  for (std::size_t number = 0; number < names.size(); ++number) {
    if (!name.empty() && names[number] == name) return static_cast<T>(number);
  }
  return std::nullopt;
}

/// Empty for a value without a name.
template <Enumeration T>
constexpr std::string_view name_of(T value) {
  const auto number = static_cast<std::size_t>(static_cast<std::underlying_type_t<T>>(value));
  return number < reflection::kEnumeratorsMax ? kEnumeratorNames<T>[number] : std::string_view();
}

}  // namespace sluice::json
