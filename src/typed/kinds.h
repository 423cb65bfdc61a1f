#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "typed/enumerators.h"

/// What the types of C++ are in JSON. A type is of the first kind that fits.
namespace sluice::json {

/// The text of any value, checked, as a view into what was read. Valid as long as that text.
struct RawJson {
  std::string_view text;
};

/// A type that is another one in JSON. Specialise for a type of yours:
///
///     template <>
///     struct json::Conversion<Date> {
///       using Json = std::string;
///       static std::optional<Date> from_json(const std::string& text);  // nullopt: json_type
///       static std::string to_json(const Date& date);
///     };
template <class T>
struct Conversion {};

template <class T>
concept Converted = requires { typename Conversion<T>::Json; };

namespace reflection {

template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;
template <class T>
inline constexpr bool kIsPointer = false;
template <class T>
inline constexpr bool kIsPointer<std::unique_ptr<T>> = !std::is_array_v<T>;
template <class T>
inline constexpr bool kIsPointer<std::shared_ptr<T>> = !std::is_array_v<T>;
template <class T>
inline constexpr bool kIsVariant = false;
template <class... T>
inline constexpr bool kIsVariant<std::variant<T...>> = true;
template <class T>
inline constexpr bool kIsArray = false;
template <class T, std::size_t kSize>
inline constexpr bool kIsArray<std::array<T, kSize>> = true;
template <class T>
inline constexpr bool kIsTuple = false;
template <class... T>
inline constexpr bool kIsTuple<std::tuple<T...>> = true;
template <class First, class Second>
inline constexpr bool kIsTuple<std::pair<First, Second>> = true;

}  // namespace reflection

/// An integer, but for characters and booleans.
template <class T>
concept Integer = std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char> &&
                  !std::same_as<T, wchar_t> && !std::same_as<T, char8_t> &&
                  !std::same_as<T, char16_t> && !std::same_as<T, char32_t>;
/// std::optional, std::unique_ptr, std::shared_ptr: null or absent when empty.
template <class T>
concept Nullable = reflection::kIsOptional<T> || reflection::kIsPointer<T>;
/// std::vector and what else grows at its end.
template <class T>
concept Sequence = requires(T& values) {
  typename T::value_type;
  values.emplace_back();
  values.back();
  values.clear();
} && !std::same_as<T, std::string>;
/// std::set and its like.
template <class T>
concept Set = requires(T& values, typename T::key_type&& key) {
  requires std::same_as<typename T::key_type, typename T::value_type>;
  values.insert(std::move(key));
  values.clear();
};
/// std::map, std::unordered_map and their like, with keys that are strings.
template <class T>
concept Map = requires(T& values, typename T::key_type&& key) {
  typename T::mapped_type;
  requires std::constructible_from<typename T::key_type, std::string_view>;
  values.try_emplace(std::move(key)).first->second;
  values.clear();
};
/// A struct or class without constructors, bases or private members: JSON's object.
template <class T>
concept Struct = std::is_aggregate_v<T> && std::is_class_v<T> && !reflection::kIsArray<T> &&
                 !Sequence<T> && !Set<T> && !Map<T> && !Converted<T>;

}  // namespace sluice::json
