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
  return data_capacity(pool) + pool.capacity_of(OpenBlock::copy_control_size(words()));
}

std::optional<BlockRef> SelectedCopy::make(Pool& pool) const {
  std::optional<OpenBlock> open = OpenBlock::take_copy(pool, selected_bytes_, words());
  if (!open) return std::nullopt;
  const std::size_t row_words = json::row_words(copied_fields());
  std::uint64_t* row = open->copy_rows();
  std::uint8_t* const base = open->data.data();
  std::uint8_t* to = base;
  for (std::uint32_t index = 0; index < original_.rows(); ++index, row += row_words) {
    to = copy_record(index, base, to, row);
  }
  return Block::freeze_copy(std::move(*open), original_.rows(),
                            static_cast<std::uint32_t>(row_words), original_.multiline());
}

std::uint8_t* SelectedCopy::copy_record(std::uint32_t index, const std::uint8_t* base,
                                        std::uint8_t* to, std::uint64_t* row) const {
  const RecordView record(original_, index);
  std::uint8_t* const body = to;
  const auto append = [&to](std::span<const std::uint8_t> bytes) {
    if (!bytes.empty()) std::memcpy(to, bytes.data(), bytes.size());
    to += bytes.size();
  };
  if (projection_.whole) {
    append(record.body());
    row[0] = json::pack_range(static_cast<std::uint32_t>(body - base),
                              static_cast<std::uint32_t>(to - body));
    *to++ = '\n';  // so that whole records can be written as one run
    return to;
  }
  const std::size_t presence = json::presence_words(copied_fields());
  for (std::size_t word = 0; word < presence; ++word) row[1 + word] = 0;
  for (std::size_t at = 0; at < projection_.fields.size(); ++at) {
    const auto bytes = record.field(projection_.fields[at], fields_);
    row[1 + presence + at] = bytes.empty()
                                 ? 0
                                 : json::pack_range(static_cast<std::uint32_t>(to - body),
                                                    static_cast<std::uint32_t>(bytes.size()));
    if (!bytes.empty()) row[1 + at / 64] |= std::uint64_t{1} << at % 64;
    append(bytes);
  }
  row[0] = json::pack_range(static_cast<std::uint32_t>(body - base),
                            static_cast<std::uint32_t>(to - body));
  return to;
}

}  // namespace sluice
