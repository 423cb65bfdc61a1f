// Newline pass: counts lines in whole blocks. Included as text_pass.inl is.

inline u64 newlines_of(const u8* block) { return Block::load(block).equal('\n'); }

ALWAYS_INLINE u64 count_newlines(const u8* text, std::size_t blocks) {
  u64 count = 0;
  for (std::size_t i = 0; i < blocks; ++i) {
    __builtin_prefetch(text + i * kBlockBytes + kPrefetchBytes);
    count += static_cast<u64>(std::popcount(newlines_of(text + i * kBlockBytes)));
  }
  return count;
}

/// Counts in groups of blocks and takes down the last group that has a newline: to look for it in
/// every block costs as much as to count. (With AVX-512 this takes as long as the bytes need to
/// come, even from the second-level cache; to begin at the end, which is still near, was no gain.)
NewlineCount newline_pass(const u8* text, std::size_t blocks) {
  constexpr std::size_t kGroup = 16;
  const std::size_t grouped = blocks - blocks % kGroup;
  NewlineCount result;
  std::size_t behind_last = 0;  // in blocks
  for (std::size_t i = 0; i < grouped; i += kGroup) {
    const u64 count = count_newlines(text + i * kBlockBytes, kGroup);
    result.count += count;
    if (count != 0) behind_last = i + kGroup;
  }
  const u64 rest = count_newlines(text + grouped * kBlockBytes, blocks - grouped);
  result.count += rest;
  if (rest != 0) behind_last = blocks;
  for (; behind_last != 0; --behind_last) {
    const u64 newlines = newlines_of(text + (behind_last - 1) * kBlockBytes);
    if (newlines == 0) continue;
    result.behind_last = behind_last * kBlockBytes - static_cast<u64>(std::countl_zero(newlines));
    break;
  }
  return result;
}
