// Escape pass: text to the inside of a JSON string, and is it UTF-8? Included as text_pass.inl is.
//
// The plain loop writes each byte or its escape. Instead, every block is written as it is; where
// it has bytes to escape, the escape is written over each, and the rest of the block once more
// behind it. What is written too far is overwritten, at the end within the slack.

/// One block: `size` of the 64 bytes at `text` count; 128 are readable.
inline u8* escape_block(const u8* text, u32 size, u64 marks, u8* out) {
  u32 at = 0;
  while (true) {
    std::memcpy(out, text + at, kBlockBytes);
    if (marks == 0) return out + (size - at);
    const u32 mark = static_cast<u32>(std::countr_zero(marks));
    out += mark - at;
    const Escape escape = kEscapes[text[mark]];
    std::memcpy(out, &escape, sizeof escape);
    out += escape_size(escape);
    at = mark + 1;
    marks &= marks - 1;
  }
}

EscapeEnd escape_pass(const u8* text, u32 size, u8* out) {
  constexpr u8 kNothingBefore[3] = {};
  constexpr u32 kReadable = 2 * kBlockBytes;
  Utf8Check utf8(kNothingBefore);
  u8 tail[kReadable + kBlockBytes];
  const u8* end = text + size;
  bool in_tail = false;
  while (true) {
    if (end - text < kReadable && !in_tail) {
      // The last bytes go on in a copy with blanks behind it, which end what is cut short.
      const std::size_t rest = static_cast<std::size_t>(end - text);
      std::memset(tail, ' ', sizeof tail);
      std::memcpy(tail, text, rest);
      text = tail;
      end = tail + rest;
      in_tail = true;
    }
    if (text >= end) break;
    const Block block = Block::load(text);
    const u64 marks = block.controls() | block.equal('"') | block.equal('\\');
    if (block.any_non_ascii() || utf8.wants(0)) {
      if (utf8.step(block) != 0) return {out, true};
    }
    const u32 count = static_cast<u32>(std::min<std::ptrdiff_t>(end - text, kBlockBytes));
    out = escape_block(text, count, marks, out);
    text += kBlockBytes;
  }
  // A last block that was full may still wait for the end of a character.
  const bool cut_short = utf8.wants(0) && utf8.step(Block::load(tail + kReadable)) != 0;
  return {out, cut_short};
}
