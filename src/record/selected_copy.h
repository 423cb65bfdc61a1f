#pragma once

#include <cstdint>
#include <optional>

#include "record/record.h"

namespace sluice {

/// A block that holds only what one projection takes of another block's records: the same records
/// in the same order, so that an index means the same in both. Its fields are the projection's,
/// 0 to n-1; a whole-record projection has none.
class SelectedCopy {
 public:
  /// `fields`: how many a row of `original` has.
  SelectedCopy(const Block& original, const Projection& projection, std::uint32_t fields);

  /// Selected bytes of all records; whole records count with a newline each.
  std::uint64_t selected_bytes() const { return selected_bytes_; }
  /// What the copy would keep of the pool: its data alone, as the study of retention policies
  /// counted it; and all of it.
  std::uint64_t data_capacity(const Pool& pool) const { return pool.capacity_of(selected_bytes_); }
  std::uint64_t capacity(const Pool& pool) const;
  /// Nothing when the budget refuses.
  std::optional<BlockRef> make(Pool& pool) const;

 private:
  /// Of a record: its fields, or the whole with a newline.
  std::uint32_t pieces() const {
    return projection_.whole ? 1 : static_cast<std::uint32_t>(projection_.fields.size());
  }
  std::size_t ends() const { return std::size_t{original_.rows()} * pieces(); }

  const Block& original_;
  const Projection& projection_;
  std::uint32_t fields_;
  std::uint64_t selected_bytes_ = 0;
};

}  // namespace sluice
