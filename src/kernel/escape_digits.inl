// The digits of \u escapes by masks of their kinds. Included as text_pass.inl is, before it, by
// kernels that have nothing better.

inline u64 hex_digits(const Block& block) {
  return block.between('0', '9') | block.folded().between('a', 'f');
}

inline UnitDigits unit_digits(const u8* text, u64) {
  const Block one = Block::load(text + 1);
  const Block two = Block::load(text + 2);
  const u64 one_behind = hex_digits(one);
  const u64 four_behind = hex_digits(Block::load(text + 4));
  const Block folded = two.folded();
  UnitDigits digits;
  digits.hex = one_behind & (one_behind >> 1 | four_behind << 2) &
               (one_behind >> 2 | four_behind << 1) & four_behind;
  digits.first_d = one.folded().equal('d');
  digits.second_high = two.between('8', '9') | folded.between('a', 'b');
  digits.second_low = folded.between('c', 'f');
  return digits;
}
