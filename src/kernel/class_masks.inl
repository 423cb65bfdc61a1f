// The classes of a block by a comparison or small look-up each, for kernels without a table of all
// bytes. Included as text_pass.inl is, before the passes.

template <bool kLines>
inline TextClasses text_classes(const Block& block, u64) {
  const u64 blanks = block.blanks();
  TextClasses is;
  is.structure = block.structure() | (kLines ? block.rare('\n') : 0);
  // No quote is a part of a scalar, also not an escaped one outside a string: scalars are counted
  // by what ends them, and a quote does.
  is.scalar = ~(is.structure | blanks | block.equal('"'));
  is.odd = block.odd_in_string();
  is.solid = ~blanks;
  return is;
}

inline ScalarClasses scalar_classes(const Block& block) {
  ScalarClasses is;
  is.ends = block.structure() | block.blanks() | block.equal('"');
  is.digits = block.between('0', '9');
  is.zeros = block.equal('0');
  is.dots = block.equal('.');
  is.minus = block.equal('-');
  is.signs = is.minus | block.equal('+');
  is.exponents = block.folded().equal('e');
  return is;
}

/// Bytes of scalars that may not follow the one before, if they are parts of numbers.
inline u64 pair_faults(const u8*, const Block&, const ScalarClasses& is, u64 starts) {
  u64 faults = ~(is.ends | is.digits | is.dots | is.signs | is.exponents);
  faults |= (is.dots | is.exponents) & ~(is.digits << 1);  // a digit before
  faults |= ((is.dots | is.signs) << 1) & ~is.digits;      // a digit behind
  const u64 behind_e = is.exponents << 1;
  faults |= behind_e & ~(is.digits | is.signs);
  faults |= is.signs & ~(behind_e | (starts & is.minus));  // signs only there
  return faults;
}
