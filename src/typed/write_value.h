#pragma once

#include <array>
#include <charconv>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>

#include "typed/kinds.h"
#include "typed/members.h"
#include "writer/writer.h"

/// What typed reading reads, written: the same types, the same names.
namespace sluice::json {

template <class T>
void write_value(Writer& writer, const T& value);

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

template <class T, std::size_t kIndex, class Member>
void write_member(Writer& writer, const Member& member) {
  if constexpr (Nullable<Member>) {
    if (!member) return;
  }
  constexpr const auto& kKey = reflection::kKeyText<T, kIndex>;
  writer.raw_key({kKey.data(), kKey.size()});
  write_value(writer, member);
}

template <Struct T>
void write_struct(Writer& writer, const T& value) {
  writer.begin_object();
  [&]<std::size_t... kIndex>(const auto& members, std::index_sequence<kIndex...>) {
    (write_member<T, kIndex>(writer, std::get<kIndex>(members)), ...);
  }(members_of(value), std::make_index_sequence<kMemberCount<T>>{});
  writer.end_object();
}

template <Map T>
void write_map(Writer& writer, const T& values) {
  writer.begin_object();
  for (const auto& [key, value] : values) {
    writer.key(key);
    write_value(writer, value);
  }
  writer.end_object();
}

template <class T>
void write_array(Writer& writer, const T& values) {
  writer.begin_array();
  if constexpr (reflection::kIsTuple<T>) {
    std::apply([&](const auto&... value) { (write_value(writer, value), ...); }, values);
  } else {
    for (const auto& value : values) write_value<typename T::value_type>(writer, value);
  }
  writer.end_array();
}

inline void write_float(Writer& writer, float value) {
  if (!(value - value == 0)) return writer.value(static_cast<double>(value));  // refuses it
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value);
  writer.raw({text, static_cast<std::size_t>(end.ptr - text)});
}

template <Enumeration T>
void write_enumerator(Writer& writer, T value) {
  const std::string_view name = name_of(value);
  if (name.empty()) {
    return writer.output().fail(ErrorCode::json_type, writer.output().size());
  }
  writer.value(name);
}

/// Writes `value` where the writer is. Members that may be absent are left out when they are empty;
/// elsewhere an empty one is null.
/// Failures (Writer::close has them): those of the Writer; json_type for an enumerator without a
/// name. Cost: levels of arrays and objects on the stack, at most the writer's depth limit.
template <class T>
void write_value(Writer& writer, const T& value) {
  if constexpr (Converted<T>) {
    write_value(writer, Conversion<T>::to_json(value));
  } else if constexpr (std::same_as<T, float>) {
    write_float(writer, value);
  } else if constexpr (std::same_as<T, bool> || Integer<T> || std::same_as<T, double>) {
    writer.value(value);
  } else if constexpr (std::convertible_to<const T&, std::string_view>) {
    writer.value(std::string_view(value));
  } else if constexpr (std::same_as<T, RawJson>) {
    writer.raw(value.text);
  } else if constexpr (std::same_as<T, std::monostate>) {
    writer.null();
  } else if constexpr (Enumeration<T>) {
    write_enumerator(writer, value);
  } else if constexpr (Nullable<T>) {
    value ? write_value(writer, *value) : writer.null();
  } else if constexpr (reflection::kIsVariant<T>) {
    std::visit([&](const auto& alternative) { write_value(writer, alternative); }, value);
  } else if (!writer.output().failed()) {  // so that what goes on for ever ends at the depth limit
    static_assert(Sequence<T> || Set<T> || Map<T> || Struct<T> || reflection::kIsArray<T> ||
                      reflection::kIsTuple<T>,
                  "no way is known to write this type: give an enumeration its type "
                  "(enum E : int), another one a json::Conversion");
    if constexpr (Map<T>) {
      write_map(writer, value);
    } else if constexpr (Struct<T>) {
      write_struct(writer, value);
    } else {
      write_array(writer, value);
    }
  }
}

}  // namespace sluice::json
