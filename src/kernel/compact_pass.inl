// Compact pass: a checked text without the blanks between its tokens. Included after text_pass.inl,
// whose masks it uses.
//
// The plain loop copies all bytes but blanks outside of strings. As the text is known to be valid,
// whatever is not above a blank there is one.

inline u8* compact_block(CompactCarry& carry, const u8* text, u64 there, u8* out) {
  const Block block = Block::load(text);
  const u64 backslashes = block.rare('\\');
  u64 quotes = block.equal('"');
  if ((backslashes | carry.escaped) != 0) quotes &= ~escaped_bits(backslashes, carry.escaped);
  const u64 inside = prefix_xor(quotes) ^ carry.in_string;
  carry.in_string = (inside & u64{1} << 63) != 0 ? ~u64{0} : 0;
  const u64 kept = (inside | ~block.between(0, ' ')) & there;
  if (kept == ~u64{0}) {
    std::memcpy(out, text, kBlockBytes);
    return out + kBlockBytes;
  }
  return out + copy_scalars({block, text, kept}, out);
}

u32 compact_pass(CompactCarry& carry, const u8* text, u32 size, u8* out) {
  CompactCarry state = carry;  // in registers
  u8* const first = out;
  const u8* const end = text + size;
  while (end - text >= static_cast<std::ptrdiff_t>(kBlockBytes + kOverread)) {
    out = compact_block(state, text, ~u64{0}, out);
    text += kBlockBytes;
  }
  u8 tail[2 * kBlockBytes + kOverread] = {};
  const u32 rest = static_cast<u32>(end - text);
  std::memcpy(tail, text, rest);
  for (u32 done = 0; done < rest; done += kBlockBytes) {
    const u64 there = rest - done >= kBlockBytes ? ~u64{0} : (u64{1} << (rest - done)) - 1;
    out = compact_block(state, tail + done, there, out);
  }
  carry = state;
  return static_cast<u32>(out - first);
}
