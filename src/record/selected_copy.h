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
  /// What the copy needs in one buffer: its rows and the selected bytes.
  std::uint64_t size_bytes() const;
  /// Nothing when the budget refuses.
  std::optional<BlockRef> make(Pool& pool) const;

 private:
  std::uint32_t copied_fields() const {
    return static_cast<std::uint32_t>(projection_.fields.size());
  }
  std::uint8_t* copy_record(std::uint32_t index, const std::uint8_t* base, std::uint8_t* to,
                            std::uint64_t* row) const;

  const Block& original_;
  const Projection& projection_;
  std::uint32_t fields_;
  std::uint64_t selected_bytes_ = 0;
};

}  // namespace sluice
