#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>

#include "typed/compact_text.h"
#include "typed/kinds.h"
#include "typed/members.h"
#include "typed/writer_text.h"

/// What typed reading reads, written: the same types, the same names. `Text` is CompactText or
/// WriterText; where the text has come to goes in and out.
namespace sluice::json {

template <class Text, class T>
typename Text::At write_any(Text& text, typename Text::At at, const T& value);

namespace reflection {

/// `"name":` as JSON has it, escapes included; the size is known only when it was made.
struct KeyText {
  std::array<char, 6 * 256 + 3> text{};
  std::size_t size = 0;

  constexpr void add(std::string_view piece) {
    for (const char letter : piece) text[size++] = letter;
  }
  constexpr void add_escaped(char letter) {
    constexpr std::string_view kHex = "0123456789abcdef";
    const auto code = static_cast<unsigned char>(letter);
    if (code < 0x20) {
      add("\\u00");
      text[size++] = kHex[code >> 4];
      text[size++] = kHex[code & 15];
    } else {
      if (letter == '"' || letter == '\\') text[size++] = '\\';
      text[size++] = letter;
    }
  }
};

consteval KeyText key_text(std::string_view name) {
  KeyText key;
  key.add("\"");
  for (const char letter : name) key.add_escaped(letter);
  key.add("\":");
  return key;
}

/// Only as long as it is.
template <class T, std::size_t kIndex>
inline constexpr auto kKeyText = [] {
  static_assert(kMemberNames<T>[kIndex].size() <= 256, "a name of at most 256 bytes");
  constexpr KeyText kLong = key_text(kMemberNames<T>[kIndex]);
  std::array<char, kLong.size> exact{};
  for (std::size_t i = 0; i < kLong.size; ++i) exact[i] = kLong.text[i];
  return exact;
}();

}  // namespace reflection

template <std::size_t kIndex, Struct T, class Text>
typename Text::At write_member(Text& text, typename Text::At at, const T& value, bool& first) {
  const auto& member = std::get<kIndex>(members_of(value));
  if constexpr (Nullable<std::remove_cvref_t<decltype(member)>>) {
    if (!member) return at;
  }
  at = text.member(at, reflection::kKeyText<T, kIndex>, first);
  first = false;
  return write_any(text, at, member);
}

template <Struct T, class Text>
typename Text::At write_struct(Text& text, typename Text::At at, const T& value) {
  at = text.begin_object(at);
  bool first = true;
  [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
    ((at = write_member<kIndex>(text, at, value, first)), ...);
  }(std::make_index_sequence<kMemberCount<T>>{});
  return text.end_object(at);
}

template <Map T, class Text>
typename Text::At write_map(Text& text, typename Text::At at, const T& values) {
  at = text.begin_object(at);
  bool first = true;
  for (const auto& [key, value] : values) {
    at = text.name(at, key, first);
    first = false;
    at = write_any(text, at, value);
  }
  return text.end_object(at);
}

template <class T, class Text>
typename Text::At write_array(Text& text, typename Text::At at, const T& values) {
  at = text.begin_array(at);
  bool first = true;
  const auto write_element = [&](const auto& value) {
    at = text.element(at, first);
    first = false;
    at = write_any(text, at, value);
  };
  if constexpr (reflection::kIsTuple<T>) {
    std::apply([&](const auto&... value) { (write_element(value), ...); }, values);
  } else {
    for (const typename T::value_type& value : values) write_element(value);
  }
  return text.end_array(at);
}

template <Enumeration T, class Text>
typename Text::At write_enumerator(Text& text, typename Text::At at, T value) {
  const std::string_view name = name_of(value);
  return name.empty() ? text.fail(at, ErrorCode::json_type) : text.value(at, name);
}

template <class T, class Text>
typename Text::At write_container(Text& text, typename Text::At at, const T& value) {
  static_assert(Sequence<T> || Set<T> || Map<T> || Struct<T> || reflection::kIsArray<T> ||
                    reflection::kIsTuple<T>,
                "no way is known to write this type: give an enumeration its type "
                "(enum E : int), another one a json::Conversion");
  if (text.failed()) return at;  // so that what goes on for ever ends at the depth limit
  if constexpr (Map<T>) {
    return write_map(text, at, value);
  } else if constexpr (Struct<T>) {
    return write_struct(text, at, value);
  } else {
    return write_array(text, at, value);
  }
}

template <class Text, class T>
typename Text::At write_any(Text& text, typename Text::At at, const T& value) {
  if constexpr (Converted<T>) {
    return write_any(text, at, Conversion<T>::to_json(value));
  } else if constexpr (std::same_as<T, bool> || Integer<T> || std::same_as<T, double> ||
                       std::same_as<T, float>) {
    return text.value(at, value);
  } else if constexpr (std::convertible_to<const T&, std::string_view>) {
    return text.value(at, std::string_view(value));
  } else if constexpr (std::same_as<T, RawJson>) {
    return text.raw(at, value.text);
  } else if constexpr (std::same_as<T, std::monostate>) {
    return text.null(at);
  } else if constexpr (Enumeration<T>) {
    return write_enumerator(text, at, value);
  } else if constexpr (Nullable<T>) {
    return value ? write_any(text, at, *value) : text.null(at);
  } else if constexpr (reflection::kIsVariant<T>) {
    return std::visit([&](const auto& alternative) { return write_any(text, at, alternative); },
                      value);
  } else {
    return write_container(text, at, value);
  }
}

/// Writes `value` where the writer is. Members that may be absent are left out when they are empty;
/// elsewhere an empty one is null.
/// Failures (Writer::close has them): those of the Writer; json_type for an enumerator without a
/// name. Cost: levels of arrays and objects on the stack, at most the writer's depth limit.
template <class T>
void write_value(Writer& writer, const T& value) {
  WriterText text(writer);
  write_any(text, {}, value);
}

}  // namespace sluice::json
