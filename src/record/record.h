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
  RecordView(const Block& block, std::uint32_t index) : block_(block), row_(block.row(index)) {}

  /// The record's bytes as they came, without the line end.
  std::span<const std::uint8_t> body() const {
    return {block_.data() + json::range_start(row_[0]), json::range_size(row_[0])};
  }
  bool has(std::uint32_t field) const { return (row_[1 + field / 64] >> field % 64 & 1) != 0; }
  /// The field's JSON text; empty when the record lacks it. `fields`: how many a row has.
  std::span<const std::uint8_t> field(std::uint32_t field, std::uint32_t fields) const {
    const std::uint64_t range = row_[1 + json::presence_words(fields) + field];
    return {block_.data() + json::range_start(row_[0]) + json::range_start(range),
            json::range_size(range)};
  }

 private:
  const Block& block_;
  std::span<const std::uint64_t> row_;
};

}  // namespace sluice
