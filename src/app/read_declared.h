#pragma once

#include <deque>
#include <string>
#include <tuple>

#include "app/declare.h"
#include "record/shaped_record.h"
#include "typed/read.h"

/// The values of a record of a declared shape, as the struct that declared it.
namespace sluice {

/// Fills structs from records. Text with escapes is decoded into memory that lives until the next
/// record is read; other views lie in the body.
class DeclaredReader {
 public:
  /// Requires: the record's shape is that of declarations_from<T>().
  template <json::Struct T>
  T read(const ShapedRecord& record) {
    decoded_.clear();
    std::uint32_t field = 0;
    T value{};
    read_group(record, field, value);
    return value;
  }

 private:
  template <class T>
  void read_group(const ShapedRecord& record, std::uint32_t& field, T& value) {
    std::apply([&](auto&... member) { (..., read_member(record, field, member)); },
               json::members_of(value));
  }

  template <class T>
  void read_member(const ShapedRecord& record, std::uint32_t& field, T& member) {
    if constexpr (declaring::Group<T>) {
      read_group(record, field, member);
    } else {
      read_field(record, field++, member);
    }
  }

  template <class T>
  void read_field(const ShapedRecord& record, std::uint32_t field, T& value) {
    if constexpr (json::reflection::kIsOptional<T>) {
      if (record.has(field)) read_field(record, field, value.emplace());
    } else if constexpr (declaring::kIsVector<T>) {
      // It was checked, and is read again, with what the library knows of lists.
      if (record.has(field)) value = json::read<T>(record.raw(field)).value_or(T{});
    } else if constexpr (std::same_as<T, std::string_view>) {
      value = text(record, field);
    } else if constexpr (std::same_as<T, std::string>) {
      value = std::string(text(record, field));
    } else if constexpr (json::Enumeration<T>) {
      value = json::enumerator_named<T>(text(record, field)).value_or(T{});
    } else if constexpr (std::same_as<T, bool>) {
      value = record.boolean(field);
    } else if constexpr (json::Integer<T>) {
      value = static_cast<T>(record.u64(field));
    } else if constexpr (std::same_as<T, double>) {
      value = record.f64(field);
    } else if constexpr (std::same_as<T, float>) {
      value = record.f32(field);
    } else if constexpr (std::same_as<T, Time>) {
      value = Time(std::chrono::nanoseconds(record.time_ns(field)));
    } else {
      value.text = record.raw(field);
    }
  }

  std::string_view text(const ShapedRecord& record, std::uint32_t field) {
    const std::string_view raw = record.raw(field);
    if (record.has(field) && !record.has_escapes(field)) return raw;
    return record.text(field, decoded_.emplace_back());
  }

  std::deque<std::string> decoded_;
};

}  // namespace sluice
