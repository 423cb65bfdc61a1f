#include "record/selected_copy.h"

#include <cstring>

namespace sluice {

SelectedCopy::SelectedCopy(const Block& original, const Projection& projection,
                           std::uint32_t fields)
    : original_(original), projection_(projection), fields_(fields) {
  for (std::uint32_t index = 0; index < original.rows(); ++index) {
    const RecordView record(original, index);
    if (projection.whole) selected_bytes_ += record.body().size() + 1;
    for (const std::uint32_t field : projection.fields) {
      selected_bytes_ += record.field(field, fields).size();
    }
  }
}

std::uint64_t SelectedCopy::capacity(const Pool& pool) const {
  return OpenBlock::copy_capacity(pool, selected_bytes_, ends());
}

std::optional<BlockRef> SelectedCopy::make(Pool& pool) const {
  std::optional<OpenBlock> open = OpenBlock::take_copy(pool, selected_bytes_, ends());
  if (!open) return std::nullopt;
  std::uint8_t* const base = open->copy_data(ends());
  std::uint8_t* to = base;
  std::uint32_t* end = open->copy_ends();
  const auto append = [&](std::span<const std::uint8_t> bytes) {
    if (!bytes.empty()) std::memcpy(to, bytes.data(), bytes.size());
    to += bytes.size();
  };
  for (std::uint32_t index = 0; index < original_.rows(); ++index) {
    const RecordView record(original_, index);
    if (projection_.whole) {
      append(record.body());
      *to++ = '\n';  // so that whole records can be written as one run
      *end++ = static_cast<std::uint32_t>(to - base);
    }
    for (const std::uint32_t field : projection_.fields) {
      append(record.field(field, fields_));
      *end++ = static_cast<std::uint32_t>(to - base);
    }
  }
  return Block::freeze_copy(std::move(*open), original_.rows(), pieces(), original_.multiline());
}

}  // namespace sluice
