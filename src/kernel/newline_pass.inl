// Newline pass: counts lines in whole blocks. Included as text_pass.inl is.

NewlineCount newline_pass(const u8* text, std::size_t blocks) {
  NewlineCount result;
  std::size_t last = blocks;
  for (std::size_t i = 0; i < blocks; ++i) {
    const u64 newlines = Block::load(text + i * kBlockBytes).equal('\n');
    result.count += static_cast<u64>(std::popcount(newlines));
    if (newlines != 0) last = i;
  }
  if (last == blocks) return result;
  const u8* const block = text + last * kBlockBytes;
  const u64 newlines = Block::load(block).equal('\n');
  result.behind_last = last * kBlockBytes + 64 - static_cast<u64>(std::countl_zero(newlines));
  return result;
}
