#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "record/shape.h"
#include "typed/enumerators.h"
#include "typed/kinds.h"
#include "typed/members.h"

/// The shape that a struct declares: its members are the fields, in their order, structs in it the
/// groups. std::string_view and std::string are text (a view lies in the body where it can);
/// integers of 32 and 64 bits, smaller ones with their bounds, double, float and bool; Time;
/// enumerations by name; json::RawJson any value; std::vector a list; std::optional what may be
/// absent.
namespace sluice {

/// A moment, in nanoseconds since 1970 UTC: RFC 3339 in JSON.
using Time = std::chrono::sys_time<std::chrono::nanoseconds>;

/// What a member must be beyond its type. In a struct:
///
///     struct Score {
///       std::string_view player;
///       std::int64_t points;
///       static constexpr Limit sluice_limits[] = {{.member = "player", .max_bytes = 64},
///                                                 {.member = "points", .min = "0"}};
///     };
struct Limit {
  std::string_view member;
  std::string_view min = {};  ///< JSON text, so that it is exact
  std::string_view max = {};
  std::uint64_t max_bytes = 0;          ///< 0: no bound
  std::uint64_t max_items = 0;          ///< 0: no bound
  std::string_view default_value = {};  ///< JSON text
};

namespace declaring {

template <class T>
inline constexpr bool kIsVector = false;
template <class T>
inline constexpr bool kIsVector<std::vector<T>> = true;

template <class T>
concept Group = json::Struct<T> && !std::same_as<T, json::RawJson> && !std::same_as<T, Time>;

/// Integers that have no type of their own: within the next larger one.
template <class T>
inline constexpr bool kIsSmall = json::Integer<T> && sizeof(T) < 4;

template <class T>
constexpr FieldType type_of() {
  if constexpr (std::same_as<T, std::string_view> || std::same_as<T, std::string> ||
                json::Enumeration<T>) {
    return FieldType::text;
  } else if constexpr (std::same_as<T, bool>) {
    return FieldType::boolean;
  } else if constexpr (json::Integer<T>) {
    if constexpr (sizeof(T) == 8) return std::is_signed_v<T> ? FieldType::i64 : FieldType::u64;
    return std::is_signed_v<T> ? FieldType::i32 : FieldType::u32;
  } else if constexpr (std::same_as<T, double>) {
    return FieldType::f64;
  } else if constexpr (std::same_as<T, float>) {
    return FieldType::f32;
  } else if constexpr (std::same_as<T, Time>) {
    return FieldType::time;
  } else {
    static_assert(std::same_as<T, json::RawJson>,
                  "an input has no field of this type: take one that declare.h lists, or RawJson");
    return FieldType::json;
  }
}

template <class T>
void set_value_type(FieldDeclaration& field) {
  field.type = type_of<T>();
  if constexpr (kIsSmall<T>) {
    field.min = std::to_string(std::numeric_limits<T>::min());
    field.max = std::to_string(std::numeric_limits<T>::max());
  }
  if constexpr (json::Enumeration<T>) {
    for (const std::string_view name : json::kEnumeratorNames<T>) {
      if (!name.empty()) field.choices.push_back('"' + std::string(name) + '"');
    }
  }
}

template <class T>
std::vector<FieldDeclaration> members_of_struct();

template <class T>
void set_type(FieldDeclaration& field) {
  if constexpr (json::reflection::kIsOptional<T>) {
    static_assert(!Group<typename T::value_type>, "a group is there when one of its fields is");
    field.optional = true;
    set_type<typename T::value_type>(field);
  } else if constexpr (kIsVector<T>) {
    field.list = true;
    set_value_type<typename T::value_type>(field);
  } else if constexpr (Group<T>) {
    field.is_group = true;
    field.members = members_of_struct<T>();
  } else {
    set_value_type<T>(field);
  }
}

template <class T>
void set_limits(std::vector<FieldDeclaration>& fields) {
  if constexpr (requires { T::sluice_limits; }) {
    for (const Limit& limit : T::sluice_limits) {
      for (FieldDeclaration& field : fields) {
        if (field.name != limit.member) continue;
        if (!limit.min.empty()) field.min = limit.min;
        if (!limit.max.empty()) field.max = limit.max;
        if (limit.max_bytes > 0) field.max_bytes = limit.max_bytes;
        if (limit.max_items > 0) field.max_items = limit.max_items;
        if (!limit.default_value.empty()) field.default_value = limit.default_value;
      }
    }
  }
}

template <class T, std::size_t... kIndex>
std::vector<FieldDeclaration> members_of_struct(std::index_sequence<kIndex...>) {
  using Members = decltype(json::members_of(std::declval<T&>()));
  std::vector<FieldDeclaration> fields(sizeof...(kIndex));
  (..., (fields[kIndex].name = json::kMemberNames<T>[kIndex],
         set_type<std::remove_reference_t<std::tuple_element_t<kIndex, Members>>>(fields[kIndex])));
  set_limits<T>(fields);
  return fields;
}

template <class T>
std::vector<FieldDeclaration> members_of_struct() {
  return members_of_struct<T>(std::make_index_sequence<json::kMemberCount<T>>{});
}

}  // namespace declaring

/// The fields that a struct declares.
template <json::Struct T>
std::vector<FieldDeclaration> declarations_from() {
  return declaring::members_of_struct<T>();
}

}  // namespace sluice
