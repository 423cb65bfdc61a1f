// Scalar pass: numbers and literals, 64 dense bytes a step. Included as text_pass.inl is.
//
// A step begins at the start of a scalar and looks no further than the last terminator in its 64
// bytes, so there is nothing to carry. Digit runs are followed by an addition whose carry runs
// through them to the byte behind.

inline bool ends_scalar(u8 byte) {
  switch (byte) {
    case '{':
    case '}':
    case '[':
    case ']':
    case ':':
    case ',':
    case '"':
    case ' ':
    case '\t':
    case '\r':
    case '\n':
      return true;
    default:
      return false;
  }
}

/// True when text[0, size) is one number.
inline bool is_number(const u8* text, u32 size) {
  u32 at = size != 0 && text[0] == '-';
  const auto skip_digits = [&] {
    const u32 from = at;
    while (at < size && text[at] >= '0' && text[at] <= '9') ++at;
    return at > from;
  };
  const bool zero = at < size && text[at] == '0';
  const u32 first = at;
  if (!skip_digits() || (zero && at > first + 1)) return false;
  if (at < size && text[at] == '.') {
    ++at;
    if (!skip_digits()) return false;
  }
  if (at < size && (text[at] | 0x20) == 'e') {
    ++at;
    if (at < size && (text[at] == '+' || text[at] == '-')) ++at;
    if (!skip_digits()) return false;
  }
  return at == size;
}

/// A scalar of 64 bytes or more. Returns its size with the terminator, 0 when that is not there.
inline u32 long_scalar(const u8* text, u32 size, bool& fault) {
  u32 at = 0;
  while (at < size && !ends_scalar(text[at])) ++at;
  if (at == size) return 0;
  fault |= !is_number(text, at);
  return at + 1;
}

/// Letters of true, false and null behind their starts; returns the faults.
inline u64 literal_faults(const Block& block, u64 starts, u64 ends) {
  const u64 trues = starts & block.equal('t');
  const u64 falses = starts & block.equal('f');
  const u64 nulls = starts & block.equal('n');
  u64 faults = starts & ~(trues | falses | nulls);
  faults |= (trues << 1) & ~block.equal('r');
  faults |= (trues << 2 | nulls << 1) & ~block.equal('u');
  faults |= (trues << 3 | falses << 4) & ~block.equal('e');
  faults |= (falses << 1) & ~block.equal('a');
  faults |= (falses << 2 | nulls << 2 | nulls << 3) & ~block.equal('l');
  faults |= (falses << 3) & ~block.equal('s');
  faults |= (trues << 4 | nulls << 4 | falses << 5) & ~ends;
  return faults;
}

/// What is wrong with numbers besides what stands side by side: a digit behind a leading zero, a
/// second dot or exponent, a dot in an exponent.
inline u64 number_faults(const ScalarClasses& is, u64 starts, u64 exponents) {
  const u64 zeros = is.zeros & (starts | (starts & is.minus) << 1);
  u64 faults = (zeros << 1) & is.digits;
  const u64 fractions = (is.dots << 1) & is.digits;
  faults |= ((is.digits + fractions) & ~is.digits) & is.dots;
  if (exponents != 0) {
    const u64 signs = exponents << 1 & is.signs;
    const u64 powers = (exponents | signs) << 1 & is.digits;
    faults |= ((is.digits + powers) & ~is.digits) & (is.dots | exponents);
  }
  return faults;
}

/// What one step sees of scalars: where they end, and what is wrong up to the last end.
struct ScalarStep {
  u64 ends;
  u64 faults;
  u32 size;  ///< bytes of whole scalars, 0 where none ends
};

/// One step at `text`, of which the bytes marked in `there` are.
ALWAYS_INLINE ScalarStep scalar_step(const u8* text, u64 there) {
  const Block block = Block::load(text);
  const ScalarClasses is = scalar_classes(block);
  const u64 ends = is.ends & there;
  if (ends == 0) [[unlikely]]
    return {0, 0, 0};
  const u32 last = 63 - static_cast<u32>(std::countl_zero(ends));
  const u64 starts = ends << 1 | 1;
  const u64 letters = starts & ~(is.digits | ends | is.minus);
  u64 exponents = is.exponents;
  u64 faults = pair_faults(text, block, is, starts);
  if (letters != 0) {
    const u64 numbers = ~ends & (~ends + letters);  // the carry clears each literal
    const u64 literals = ~ends & ~numbers;
    faults &= ~(literals | literals << 1);
    faults |= literal_faults(block, letters, ends);
    exponents &= numbers;
  }
  // An empty scalar cannot be: whoever wrote the stream put a byte before every terminator.
  // What stands behind the last end changes nothing before it.
  faults |= block.non_ascii() | number_faults(is, starts, exponents);
  return {ends, faults & ~u64{0} >> (63 - last), last + 1};
}

inline u64 first_bits(u32 count) { return count >= 64 ? ~u64{0} : (u64{1} << count) - 1; }

/// Steps from `used` on, as far as they go in `size` bytes.
NOINLINE u32 scalar_steps(const u8* text, u32 used, u32 size, bool& fault) {
  u64 faults = 0;
  while (used < size) {
    const u32 rest = size - used;
    ScalarStep step = scalar_step(text + used, first_bits(rest));
    faults |= step.faults;
    if (step.size == 0) step.size = long_scalar(text + used, rest, fault);
    if (step.size == 0) break;
    used += step.size;
  }
  fault |= faults != 0;
  return used;
}

/// Two places at once: where a step goes on is known only when it is done, and that chain of
/// load, compare and count is what one lane alone would wait for.
ScalarEnd scalar_pass(const u8* text, u32 size) {
  u32 half = size < 512 ? 0 : size / 2;
  while (half > 0 && !ends_scalar(text[half - 1])) --half;
  u32 first = 0;
  u32 second = half;
  u64 faults = 0;
  while (first + 64 <= half && second + 64 <= size) {
    const ScalarStep step = scalar_step(text + first, ~u64{0});
    const ScalarStep other = scalar_step(text + second, ~u64{0});
    faults |= step.faults | other.faults;
    first += step.size;
    second += other.size;
    if (step.size == 0 || other.size == 0) [[unlikely]]
      break;
  }
  ScalarEnd end;
  end.fault = faults != 0;
  scalar_steps(text, first, half, end.fault);
  end.used = scalar_steps(text, second, size, end.fault);
  return end;
}

/// Adds the numbers of the scalars that `step` has doubts about; the first of them is `before`.
inline void add_suspects(const ScalarStep& step, u32 before, Suspects& suspects) {
  u64 faults = step.faults;
  while (faults != 0 && suspects.count < Suspects::kMax) {
    const u64 below = (faults & -faults) - 1;
    const u64 end = step.ends & ~below;
    suspects.numbers[suspects.count++] =
        before + static_cast<u32>(std::popcount(step.ends & below));
    faults &= ~(end ^ (end - 1));  // up to the end of this scalar
  }
}

/// Which scalars are wrong, where `scalar_pass` said that some are.
void suspect_pass(const u8* text, u32 size, Suspects& suspects) {
  u32 before = 0;
  for (u32 used = 0; used < size && suspects.count < Suspects::kMax;) {
    ScalarStep step = scalar_step(text + used, first_bits(size - used));
    if (step.size != 0) {
      add_suspects(step, before, suspects);
      before += static_cast<u32>(std::popcount(step.ends));
    } else {
      bool fault = false;
      step.size = long_scalar(text + used, size - used, fault);
      if (step.size == 0) break;
      if (fault) suspects.numbers[suspects.count++] = before;
      ++before;
    }
    used += step.size;
  }
}
