// Text pass: 64 bytes of text a step, to bit masks, to tokens and scalars. Included inside a
// kernel's anonymous namespace, after its Block, Utf8Check, prefix_xor, write_tokens and
// copy_scalars.
//
// The plain loop would walk the bytes with three flags: inside a string, behind a backslash,
// inside a scalar. Each flag becomes a mask of 64 bits with a carry from the block before; the
// parity of the quotes seen so far is the flag "inside a string".

/// Checks the digits of \u escapes and that surrogates come in pairs; returns the faults.
/// `units` holds the escaped `u`s of this block. A high surrogate wants an escaped `u` four bytes
/// after its second digit, and the second digit of a low one two bytes further on; the first
/// check is there so that a fault never shows later than the newline behind it.
SELDOM_CALLED u64 unit_faults(const u8* text, u64 units, UnitCarry& carry) {
  const Block block = Block::load(text);
  const Block folded = block.folded();
  const u64 hex = block.between('0', '9') | folded.between('a', 'f');
  const u64 digits = units << 1 | units << 2 | units << 3 | units << 4 | carry.units >> 63 |
                     carry.units >> 62 | carry.units >> 61 | carry.units >> 60;
  u64 faults = digits & ~hex;
  const u64 firsts = (units << 1 | carry.units >> 63) & folded.equal('d');
  const u64 seconds = firsts << 1 | carry.surrogates >> 63;
  const u64 highs = seconds & (block.between('8', '9') | folded.between('a', 'b'));
  const u64 lows = seconds & folded.between('c', 'f');
  const u64 unpaired =
      ((highs << 6 | carry.highs >> 58) ^ lows) | ((highs << 4 | carry.highs >> 60) & ~units);
  faults |= unpaired & ~carry.pass_surrogates;
  carry.units = units;
  carry.surrogates = firsts;
  carry.highs = highs & ~carry.pass_surrogates;
  return faults;
}

/// Goes on inside a long string as long as nothing ends it: no tokens, so no masks for them.
/// Returns the blocks passed; the block that stopped it is for the caller to look at.
ALWAYS_INLINE u32 string_blocks(u64& escape_carry, Utf8Check& utf8, const u8* text, u32 blocks) {
  for (u32 done = 0; done < blocks; ++done, text += kBlockBytes) {
    __builtin_prefetch(text + kPrefetchBytes);
    const Block block = Block::load(text);
    u64 next_carry = escape_carry;
    const u64 escaped = escaped_bits(block.rare('\\'), next_carry);
    u64 event = block.rare('"') & ~escaped;
    if (kBranchyEscapes ? escaped != 0 : true) event |= escaped & block.odd_escapes();
    const bool odd = block.any_odd_in_string();
    if (event != 0 || (odd && block.controls() != 0)) return done;
    if (odd || utf8.wants(0)) {
      Utf8Check next = utf8;
      if (next.step(block) != 0) return done;
      utf8 = next;
    }
    escape_carry = next_carry;
  }
  return blocks;
}

/// High surrogates among the units of a block, where their u stands; returns what is not paired.
/// A low one comes six bytes behind a high one and nowhere else.
inline u64 unpaired(const UnitDigits& digits, u64 units, u64& highs) {
  const u64 surrogates = units & digits.first_d;
  const u64 wanted = highs >> 58;
  highs = surrogates & digits.second_high;
  return (highs << 6 | wanted) ^ (surrogates & digits.second_low);
}

/// Blocks without \u before this is no longer a text of them.
constexpr u32 kUnitPatience = 8;

/// The same inside a string with \u in nearly every block, whose digits are looked at from the u
/// on, over the end of the block. So the last block is always for the caller, and a block with
/// anything wrong.
/// (One loop for both kinds of strings, in line or not, was tried with AVX-512: Russian text as it
/// is lost 7 %, messages 4 to 9 %.)
NOINLINE u32 unit_blocks(TextCarry& state, const u8* text, u32 blocks) {
  Utf8Check utf8(state.tail);
  u64 carry = state.escaped;
  u64 units = state.unit.pending() != 0 ? state.unit.units : 0;
  UnitDigits digits{};
  u64 highs = 0;
  if (units != 0 && blocks > 1) {
    // Of the block before, what is known only now: digits and the halves of pairs at its end.
    digits = unit_digits(text - kBlockBytes, units);
    const u64 alone = unpaired(digits, units, highs) & ~state.unit.pass_surrogates;
    if ((units & ~digits.hex) != 0 || alone >> 62 != 0) return 0;
    highs &= ~state.unit.pass_surrogates;
  }
  u32 idle = 0;
  u32 done = 0;
  for (; done + 1 < blocks && idle < kUnitPatience; ++done, text += kBlockBytes) {
    __builtin_prefetch(text + kPrefetchBytes);
    const Block block = Block::load(text);
    u64 next_carry = carry;
    const u64 escaped = escaped_bits(block.rare('\\'), next_carry);
    const u64 others = escaped & block.odd_escapes();
    const u64 next_units = others & block.equal('u');
    const UnitDigits next_digits = unit_digits(text, next_units);
    u64 event = (block.rare('"') & ~escaped) | (others ^ next_units);
    event |= next_units & ~next_digits.hex;
    u64 next_highs = highs;
    if (((next_units & next_digits.first_d) | highs) != 0) {
      event |= unpaired(next_digits, next_units, next_highs) & ~state.unit.pass_surrogates;
      next_highs &= ~state.unit.pass_surrogates;
    }
    const bool odd = block.any_odd_in_string();
    if (event != 0 || (odd && block.controls() != 0)) break;
    if ((odd || utf8.wants(0)) && utf8.step(block) != 0) break;
    idle = next_units == 0 ? idle + 1 : 0;
    carry = next_carry;
    units = next_units;
    digits = next_digits;
    highs = next_highs;
  }
  if (done == 0) return 0;
  state.escaped = carry;
  state.unit.units = units;
  state.unit.surrogates = (units & digits.first_d) << 1;
  state.unit.highs = highs << 2;
  std::memcpy(state.tail, text - 3, 3);
  return done;
}

constexpr u64 kLastBit = u64{1} << 63;

inline u64 last_bit_everywhere(u64 bits) {
  return static_cast<u64>(static_cast<std::int64_t>(bits) >> 63);
}

/// Looks at the controls and the bytes outside ASCII of a block; false where they are good.
ALWAYS_INLINE bool odd_faults(const Block& block, const TextClasses& is, u64 inside,
                              Utf8Check& utf8) {
  const u64 non_ascii = block.non_ascii();
  u64 faults = (is.odd & ~non_ascii & inside) | (is.odd & is.solid & ~inside);
  faults |= utf8.step(block);
  return faults != 0;
}

/// `kBusy`: every block is taken to have escapes, because a branch that is taken for every other
/// block is mispredicted about once a block (log records whose messages have some: 3.4 against
/// 3.1 GB/s with AVX2). The same for UTF-8 was tried and cost what it saved (2.9): its check is
/// three times as long.
/// The loop just fits into the registers, and each of its values that does not costs two or three
/// cycles a block of 15 (AVX-512): what only escapes change stays in `state`, what ends the loop is
/// found off its path, and a long string by two blocks without an end in them, in one comparison.
template <TokenForm kForm, bool kBusy>
TextEnd text_blocks(TextCarry& state, Streams& streams, const u8* text, u32 blocks, u32 base) {
  constexpr bool kPlaces = kForm != TokenForm::bare;
  constexpr bool kLines = kForm == TokenForm::lines;
  u64 inside_before = state.in_string;
  u64 in_scalar = state.in_scalar;
  u64 waiting = state.escaped | state.unit.pending() << 1;  // what goes on from the block before
  Utf8Check utf8(state.tail);
  u8* tokens = streams.tokens + streams.token_count;
  u16* places = streams.places + streams.token_count;
  u8* scalars = streams.scalars + streams.scalar_count;
  const u8* at = text;
  const u8* end = text + std::size_t{blocks} * kBlockBytes;
  state.busy_blocks = 0;
  bool fault = false;
  for (; at != end; at += kBlockBytes) {
    __builtin_prefetch(at + kPrefetchBytes);
    const Block block = Block::load(at);
    const u64 backslashes = block.rare('\\');
    u64 quotes = block.equal('"');
    if (kBusy || (backslashes | waiting) != 0) {
      state.busy_blocks += (backslashes != 0);
      u64 carry = waiting & 1;
      const u64 escaped = escaped_bits(backslashes, carry);
      quotes &= ~escaped;
      const u64 odd = kBranchyEscapes && escaped == 0 ? 0 : escaped & block.odd_escapes();
      if ((odd | waiting >> 1) != 0) [[unlikely]] {
        const u64 units = odd & block.equal('u');
        fault = (odd != units) | (unit_faults(at, units, state.unit) != 0);
        if (fault) break;
        carry |= state.unit.pending() << 1;
      }
      waiting = carry;
    }
    const u64 inside = prefix_xor(quotes) ^ last_bit_everywhere(inside_before);
    const TextClasses is = text_classes<kLines>(block, quotes);
    if (utf8.wants(is.odd & (inside | is.solid))) {
      fault = odd_faults(block, is, inside, utf8);
      if (fault) [[unlikely]]
        break;
    }
    const u64 scalar = is.scalar & ~inside;
    const u64 behind = scalar << 1 | in_scalar;
    in_scalar = scalar >> 63;
    const u64 token = (is.structure & ~inside) | (quotes & inside) | (scalar & ~behind);
    const std::size_t count = write_tokens<kPlaces>({block, at, token}, tokens, places,
                                                    base + static_cast<u32>(at - text));
    tokens += count;
    if constexpr (kPlaces) places += count;
    scalars += copy_scalars({block, at, scalar | behind}, scalars);
    const bool long_string = (inside & inside_before) == ~u64{0};
    inside_before = inside;
    if (long_string) [[unlikely]] {
      const u8* const next = at + kBlockBytes;
      const u32 rest = static_cast<u32>((end - next) / kBlockBytes);
      inside_before = kLastBit;
      if (state.unit.units == 0) {
        at += std::size_t{string_blocks(waiting, utf8, next, rest)} * kBlockBytes;
      } else {
        end = next;  // the rest is for unit_blocks
      }
    }
  }
  TextEnd result;
  result.blocks = static_cast<u32>((at - text) / kBlockBytes);
  result.fault = fault;
  result.busy = state.busy_blocks > result.blocks / 8;
  if (result.blocks != 0) std::memcpy(state.tail, at - 3, 3);
  state.in_string = last_bit_everywhere(inside_before);
  state.in_scalar = in_scalar;
  state.escaped = waiting & 1;
  streams.token_count = static_cast<u32>(tokens - streams.tokens);
  streams.scalar_count = static_cast<u32>(scalars - streams.scalars);
  return result;
}

/// Runs as many blocks as the streams have room for. `base` is the place of the first byte.
template <TokenForm kForm, bool kBusy>
TextEnd text_pass(TextCarry& carry, Streams& streams, const u8* text, u32 blocks, u32 base) {
  TextEnd sum;
  while (sum.blocks < blocks && !sum.fault) {
    const u32 room = std::min((kTokenCapacity - streams.token_count) / kBlockBytes,
                              (kScalarCapacity - streams.scalar_count) / kBlockBytes);
    if (room == 0) break;
    const u32 skipped = sum.blocks * kBlockBytes;
    const TextEnd end = text_blocks<kForm, kBusy>(
        carry, streams, text + skipped, std::min(room, blocks - sum.blocks), base + skipped);
    sum.blocks += end.blocks;
    sum.fault = end.fault;
    sum.busy = end.busy;
    if (carry.in_string != 0 && carry.unit.units != 0 && !sum.fault) {
      sum.blocks += unit_blocks(carry, text + sum.blocks * kBlockBytes, blocks - sum.blocks);
    }
  }
  return sum;
}
