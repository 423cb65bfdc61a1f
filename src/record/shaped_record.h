#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "record/shape.h"

namespace sluice {

/// The values of one record of a shape, by field. Borrows the words and the body.
class ShapedRecord {
 public:
  ShapedRecord(const Shape& shape, std::span<const std::uint64_t> words,
               std::span<const std::uint8_t> body)
      : shape_(shape), words_(words), body_(body) {}

  /// Whether the field came, in the body or the query, or has a default of fixed size.
  bool has(std::uint32_t field) const {
    return (words_[shape_.presence_at() + field / 64] >> field % 64 & 1) != 0;
  }
  // Of a field of fixed size of that type; 0 when it is absent.
  std::int64_t i64(std::uint32_t field) const { return static_cast<std::int64_t>(slot(field)); }
  std::uint64_t u64(std::uint32_t field) const { return slot(field); }
  double f64(std::uint32_t field) const { return std::bit_cast<double>(slot(field)); }
  float f32(std::uint32_t field) const {
    return std::bit_cast<float>(static_cast<std::uint32_t>(slot(field)));
  }
  bool boolean(std::uint32_t field) const { return slot(field) != 0; }
  /// Nanoseconds since 1970 UTC.
  std::int64_t time_ns(std::uint32_t field) const { return i64(field); }

  /// What stands in the body: of text without its quotes, escapes as they are written; of json and
  /// lists their JSON text. Empty when it is absent.
  std::string_view raw(std::uint32_t field) const {
    if (!has(field)) return {};
    const std::uint64_t entry = words_[shape_.table_at() + shape_.fields()[field].place];
    const auto* const start = reinterpret_cast<const char*>(body_.data());
    return {start + static_cast<std::uint32_t>(entry), entry >> 32 & kSizeMask};
  }
  bool has_escapes(std::uint32_t field) const {
    const std::uint64_t entry = words_[shape_.table_at() + shape_.fields()[field].place];
    return has(field) && entry >> 62 == 1;
  }
  /// The text as it is meant; the default when it is absent and has one. `memory` holds what had to
  /// be decoded.
  std::string_view text(std::uint32_t field, std::string& memory) const;

 private:
  static constexpr std::uint64_t kSizeMask = (std::uint64_t{1} << 30) - 1;

  std::uint64_t slot(std::uint32_t field) const { return words_[shape_.fields()[field].place]; }

  const Shape& shape_;
  std::span<const std::uint64_t> words_;
  std::span<const std::uint8_t> body_;
};

}  // namespace sluice
