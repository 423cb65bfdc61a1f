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

inline u64 marks_of(const Block& block) {
  return block.controls() | block.equal('"') | block.equal('\\');
}

/// False where it is not UTF-8.
inline bool step_utf8(Utf8Check& utf8, const Block& block) {
  return !(block.any_non_ascii() || utf8.wants(0)) || utf8.step(block) == 0;
}

/// escape_block for a block that was loaded without what is behind its `count` bytes.
template <class SomeBlock>
u8* escape_some(const u8* text, u32 count, const SomeBlock& block, u8* out) {
  u32 at = 0;
  block.store(out);
  for (u64 marks = marks_of(block); marks != 0; marks &= marks - 1) {
    const u32 mark = static_cast<u32>(std::countr_zero(marks));
    out += mark - at;
    const Escape escape = kEscapes[text[mark]];
    std::memcpy(out, &escape, sizeof escape);
    out += escape_size(escape);
    at = mark + 1;
    SomeBlock::load_some(text + at, count - at).store(out);
  }
  return out + (count - at);
}

/// The last bytes, on a machine that can load them without what is behind them. On others they are
/// copied first, and a load of what was just stored in pieces waits for it, which takes longer than
/// all the rest of a short text. False where it is not UTF-8.
template <class SomeBlock>
bool escape_end(const u8*& text, const u8* end, Utf8Check& utf8, u8*& out) {
  if constexpr (requires { SomeBlock::load_some(text, 0); }) {
    while (text < end) {
      const u32 count = static_cast<u32>(std::min<std::ptrdiff_t>(end - text, kBlockBytes));
      const auto block = SomeBlock::load_some(text, count);
      if (!step_utf8(utf8, block)) return false;
      out = escape_some(text, count, block, out);
      text += count;
    }
  }
  return true;
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
      if (!escape_end<Block>(text, end, utf8, out)) return {out, true};
      if (text >= end) break;
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
    if (!step_utf8(utf8, block)) return {out, true};
    const u32 count = static_cast<u32>(std::min<std::ptrdiff_t>(end - text, kBlockBytes));
    out = escape_block(text, count, marks_of(block), out);
    text += kBlockBytes;
  }
  // A last block that was full may still wait for the end of a character.
  if (!utf8.wants(0)) return {out, false};
  std::memset(tail, ' ', kBlockBytes);
  return {out, utf8.step(Block::load(tail)) != 0};
}
