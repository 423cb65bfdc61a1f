#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "json/scan.h"
#include "memory/block.h"

namespace sluice {

/// What a sink takes of each record: the whole of it, or some of the fields that were scanned for,
/// by index, in the sink's order.
struct Projection {
  bool whole = false;
  std::vector<std::uint32_t> fields;

  friend bool operator==(const Projection&, const Projection&) = default;
};

/// One record of a block. Borrows: valid as long as somebody holds the block.
/// The layout is drawn in docs/formats/record.md.
class RecordView {
 public:
  RecordView(const Block& block, std::uint32_t index) : block_(block), index_(index) {}

  /// The record's bytes as they came, without the line end. A copy must be one of whole records.
  std::span<const std::uint8_t> body() const {
    if (block_.is_copy()) {
      const auto line = block_.piece(index_, 0);
      return line.first(line.size() - 1);
    }
    const std::uint64_t range = block_.row(index_)[0];
    return {block_.data() + json::range_start(range), json::range_size(range)};
  }
  /// The field's JSON text; empty when the record lacks it. `fields`: how many a row has. Of a
  /// copy, a field of its projection.
  std::span<const std::uint8_t> field(std::uint32_t field, std::uint32_t fields) const {
    if (block_.is_copy()) return block_.piece(index_, field);
    const std::span<const std::uint64_t> row = block_.row(index_);
    const std::uint64_t range = row[1 + json::presence_words(fields) + field];
    return {block_.data() + json::range_start(row[0]) + json::range_start(range),
            json::range_size(range)};
  }

 private:
  const Block& block_;
  std::uint32_t index_;
};

/// Of rows that lie one behind the other, each with its newline: the first of `first` to `last`-1
/// that does not end before `end`; `last` when all do.
inline std::uint32_t first_row_beyond(const Block& block, std::uint32_t first, std::uint32_t last,
                                      const std::uint8_t* end) {
  while (first < last) {
    const std::uint32_t middle = first + (last - first) / 2;
    const auto body = RecordView(block, middle).body();
    const bool before = body.data() + body.size() < end;
    (before ? first : last) = before ? middle + 1 : middle;
  }
  return first;
}

}  // namespace sluice
