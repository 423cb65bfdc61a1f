#include "json/record_reader.h"

#include <algorithm>

namespace sluice::json {

RecordReader::RecordReader(const kernel::Kernel& kernel, const Selection& selection,
                           const PathTree& tree, const ScanOptions& options,
                           std::span<std::byte> memory)
    : passes_(kernel, options,
              selection.size() != 0 ? kernel::TokenForm::placed : kernel::TokenForm::bare, memory),
      walker_(kernel, tree, selection.size()),
      row_words_(row_words(selection.size())),
      select_(selection.size() != 0),
      spill_(kernel::TokenCarry::spill_words(options.max_depth)) {
  tokens_.spill = spill_.data();
  tokens_.depth_max = options.max_depth;
}

bool RecordReader::read(std::span<const std::uint8_t> text, std::uint64_t* row) {
  passes_.restart();
  tokens_.restart();
  std::fill(row + 1, row + row_words_, 0);
  walker_.start(text.data(), row);
  std::size_t at = 0;
  while (at < text.size()) {
    const Passes::Chunk chunk = passes_.read(text.subspan(at), Passes::kChunkBytes, true, 0);
    if (chunk.fault || chunk.scalar_fault) return false;
    if (!check_tokens(static_cast<std::uint32_t>(at))) return false;
    at += chunk.size;
  }
  return passes_.finish(0) && check_tokens(static_cast<std::uint32_t>(at));
}

/// Checks and walks the tokens of the last chunk, which began at `base`, and drops them.
bool RecordReader::check_tokens(std::uint32_t base) {
  const kernel::Streams& streams = passes_.streams();
  const std::uint32_t count = streams.token_count;
  if (!passes_.kernel().tokens(tokens_, streams.tokens, count)) return false;
  if (select_) walker_.feed(streams.tokens, streams.places, count, base);
  passes_.drop_tokens(count, 0);
  return true;
}

}  // namespace sluice::json
