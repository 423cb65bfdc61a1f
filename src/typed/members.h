#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

#include "typed/tie_members.h"

/// What a struct is made of, without a word in it: how many members an aggregate has, where they
/// are and what they are called.
///
/// The number is the largest for which braces with so many initialisers compile. The names stand
/// in what the compiler calls a function whose template argument is the address of a member.
namespace sluice::json {

/// Another name for a member, or for an enumerator. In a struct:
///
///     struct Event {
///       std::string type_;
///       static constexpr json::Rename json_names[] = {{"type_", "type"}};
///     };
struct Rename {
  std::string_view member;
  std::string_view name;
};

/// For types that cannot be changed: specialise with a `json_names` as above.
template <class T>
struct Names {};

namespace reflection {

/// Only asked whether it would do; never made, never converted.
struct Anything {
  template <class T>
  operator T() const {
    std::unreachable();
  }
};

template <class T, std::size_t... kIndex>
consteval bool takes(std::index_sequence<kIndex...>) {
  return requires { T{(static_cast<void>(kIndex), Anything{})...}; };
}

template <class T, std::size_t kCount = 0>
consteval std::size_t count_members() {
  constexpr bool kFits = takes<T>(std::make_index_sequence<kCount>{}) &&
                         !takes<T>(std::make_index_sequence<kCount + 1>{});
  if constexpr (kFits || kCount > kMembersMax) {
    return kCount;
  } else {
    return count_members<T, kCount + 1>();
  }
}

/// What a base of T, but no member of it, can be made from.
template <class T>
struct AnyBase {
  template <class Base>
    requires std::is_base_of_v<Base, T> && (!std::same_as<Base, T>)
  operator Base() const;
};

/// A base is what the first of the braces' initialisers is for.
template <class T>
inline constexpr bool kHasBase = requires { T{AnyBase<T>{}}; };

template <class T, std::size_t... kBefore, std::size_t... kBehind>
consteval bool takes_hole(std::index_sequence<kBefore...>, std::index_sequence<kBehind...>) {
  return requires {
    T{(static_cast<void>(kBefore), Anything{})..., {}, (static_cast<void>(kBehind), Anything{})...};
  };
}

/// Whether an array of C begins at the initialiser: empty braces then stand for all its elements,
/// so that there is no initialiser left for as many as were counted.
template <class T, std::size_t kIndex, std::size_t kCount>
consteval bool begins_array() {
  return []<std::size_t... kLess>(std::index_sequence<kLess...>) {
    constexpr auto kBefore = std::make_index_sequence<kIndex>{};
    if constexpr (takes_hole<T>(kBefore, std::make_index_sequence<kCount - kIndex - 1>{})) {
      return false;
    } else {
      return (takes_hole<T>(kBefore, std::make_index_sequence<kLess>{}) || ...);
    }
  }(std::make_index_sequence<kCount - kIndex - 1>{});
}

template <class T, std::size_t kCount>
consteval bool has_array() {
  return []<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
    return (begins_array<T, kIndex, kCount>() || ...);
  }(std::make_index_sequence<kCount>{});
}

template <class T>
consteval std::size_t checked_count() {
  constexpr std::size_t kCount = count_members<T>();
  static_assert(!kHasBase<T>,
                "a struct with a base: make the base a member, or give the struct a "
                "json::Conversion");
  static_assert(!has_array<T, kCount>(), "a struct with an array of C: std::array is read");
  return kCount;
}

/// An object that is nowhere: only the addresses of its members are named, never used.
template <class T>
struct Holder {
  T value;
};
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-var-template"
#pragma clang diagnostic ignored "-Wundefined-internal"
#endif
template <class T>
extern const Holder<T> holder;

template <class Address>
struct Place {
  Address address;
};
template <class Address>
Place(Address) -> Place<Address>;

/// Contains `...::member)}` or `....member}`.
template <auto kPlace>
consteval std::string_view member_text() {
  return __PRETTY_FUNCTION__;
}

constexpr bool is_word(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') || letter == '_' || static_cast<signed char>(letter) < 0;
}

/// The word behind the last dot or colon before the bracket that ends the template argument.
consteval std::string_view last_word(std::string_view text) {
  const std::size_t bracket = text.rfind('}');
  std::size_t end = bracket;
  while (!is_word(text[end - 1])) --end;
  std::size_t start = end;
  while (is_word(text[start - 1])) --start;
  return text.substr(start, end - start);
}

}  // namespace reflection

template <class T>
inline constexpr std::size_t kMemberCount = reflection::checked_count<T>();

template <class T>
constexpr auto members_of(T& value) {
  return tie_members<kMemberCount<std::remove_const_t<T>>>(value);
}

namespace reflection {

template <class T, std::size_t kIndex>
consteval std::string_view declared_name() {
  constexpr auto* kAddress = &std::get<kIndex>(members_of(holder<T>.value));
  return last_word(member_text<Place{kAddress}>());
}
#if defined(__clang__)
#pragma clang diagnostic pop
#endif

template <class T>
concept RenamesItself = requires { T::json_names; };
template <class T>
concept IsRenamed = requires { Names<T>::json_names; };

/// The name that JSON has for what C++ calls `member`.
template <class T>
consteval std::string_view renamed(std::string_view member) {
  const auto find = [member](const auto& names) {
    for (const Rename& rename : names) {
      if (rename.member == member) return rename.name;
    }
    return member;
  };
  if constexpr (IsRenamed<T>) {
    return find(Names<T>::json_names);
  } else if constexpr (RenamesItself<T>) {
    return find(T::json_names);
  } else {
    return member;
  }
}

template <class T, std::size_t... kIndex>
consteval auto declared_names(std::index_sequence<kIndex...>) {
  return std::array<std::string_view, sizeof...(kIndex)>{declared_name<T, kIndex>()...};
}

template <class Renames, std::size_t kCount>
consteval bool all_name_members(const Renames& renames,
                                const std::array<std::string_view, kCount>& members) {
  return std::ranges::all_of(renames, [&](const Rename& rename) {
    return std::ranges::find(members, rename.member) != members.end();
  });
}

template <std::size_t kCount>
consteval bool all_differ(std::array<std::string_view, kCount> names) {
  std::ranges::sort(names);
  return std::ranges::adjacent_find(names) == names.end();
}

template <class T>
consteval auto member_names() {
  auto names = declared_names<T>(std::make_index_sequence<kMemberCount<T>>{});
  if constexpr (IsRenamed<T>) {
    static_assert(all_name_members(Names<T>::json_names,
                                   declared_names<T>(std::make_index_sequence<kMemberCount<T>>{})),
                  "json_names renames what is no member");
  } else if constexpr (RenamesItself<T>) {
    static_assert(all_name_members(T::json_names,
                                   declared_names<T>(std::make_index_sequence<kMemberCount<T>>{})),
                  "json_names renames what is no member");
  }
  for (std::string_view& name : names) name = renamed<T>(name);
  return names;
}

}  // namespace reflection

/// The members' names in JSON, in the order of declaration.
template <class T>
inline constexpr auto kMemberNames = [] {
  constexpr auto kNames = reflection::member_names<T>();
  static_assert(reflection::all_differ(kNames), "two members have one name in JSON");
  return kNames;
}();

}  // namespace sluice::json
