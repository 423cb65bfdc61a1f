// Text pass: 64 bytes of text a step, to bit masks, to tokens and scalars. Included inside a
// kernel's anonymous namespace, after its Block, Utf8Check, prefix_xor, write_tokens and
// copy_scalars.
//
// The plain loop would walk the bytes with three flags: inside a string, behind a backslash,
// inside a scalar. Each flag becomes a mask of 64 bits with a carry from the block before; the
// parity of the quotes seen so far is the flag "inside a string".

/// Bits of the characters that a backslash escapes. Runs of backslashes escape every second one:
/// a subtraction carries through each run and so tells odd from even starts.
inline u64 escaped_bits(u64 backslashes, u64& carry) {
  constexpr u64 kOdd = 0xAAAAAAAAAAAAAAAAu;
  const u64 candidates = backslashes & ~carry;
  const u64 code = (((candidates << 1) | kOdd) - candidates) ^ kOdd;
  const u64 escaped = code ^ (backslashes | carry);
  carry = (code & backslashes) >> 63;
  return escaped;
}

/// Checks the digits of \u escapes and that surrogates come in pairs; returns the faults.
/// `units` holds the escaped `u`s of this block. A high surrogate wants an escaped `u` four bytes
/// after its second digit, and the second digit of a low one two bytes further on; the first
/// check is there so that a fault never shows later than the newline behind it.
inline u64 unit_faults(const Block& block, u64 units, TextCarry& carry) {
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

/// Escapes of one block: which characters are escaped, and what is wrong with them.
inline u64 escapes(const Block& block, u64 backslashes, TextCarry& carry, u64& faults) {
  const bool pending = (carry.units >> 60 | carry.surrogates >> 63 | carry.highs >> 58) != 0;
  const u64 escaped = escaped_bits(backslashes, carry.escaped);
  faults |= escaped & ~block.legal_escapes();
  const u64 units = escaped & block.equal('u');
  if (units != 0 || pending) faults |= unit_faults(block, units, carry);
  return escaped;
}

/// Goes on inside a long string as long as nothing ends it: no tokens, so no masks for them.
/// Returns the blocks passed; the block that stopped it is for the caller to look at.
NOINLINE u32 string_blocks(TextCarry& carry, Utf8Check& utf8, const u8* text, u32 blocks) {
  for (u32 done = 0; done < blocks; ++done, text += kBlockBytes) {
    __builtin_prefetch(text + kPrefetchBytes);
    const Block block = Block::load(text);
    u64 escape_carry = carry.escaped;
    const u64 escaped = escaped_bits(block.equal('\\'), escape_carry);
    const u64 plain_escapes = block.legal_escapes() & ~block.equal('u');
    const u64 event = (block.equal('"') & ~escaped) | (escaped & ~plain_escapes) |
                      block.controls() | carry.units >> 60 | carry.surrogates >> 63 |
                      carry.highs >> 58;
    if (event != 0) return done;
    if (utf8.wants(block.non_ascii()) && !utf8.step(block)) return done;
    carry.escaped = escape_carry;
  }
  return blocks;
}

/// `kLines`: a newline is a token; else it is a blank. `kBusy`: escapes and UTF-8 are looked at in
/// every block without asking whether it has any, because a branch that is taken for every other
/// block is mispredicted about once a block.
template <bool kLines, bool kBusy>
TextEnd text_blocks(TextCarry& state, Streams& streams, const u8* text, u32 blocks, u32 base) {
  TextCarry carry = state;
  Utf8Check utf8(carry.tail);
  Streams out = streams;
  TextEnd end;
  u32 still_inside = 0;
  u32 busy_blocks = 0;
  while (end.blocks < blocks) {
    const u8* bytes = text + end.blocks * kBlockBytes;
    __builtin_prefetch(bytes + kPrefetchBytes);
    const Block block = Block::load(bytes);
    const u64 backslashes = block.equal('\\');
    const u64 non_ascii = block.non_ascii();
    u64 quotes = block.equal('"');
    u64 faults = 0;
    if (kBusy || (backslashes | static_cast<u64>(carry.inside_escape())) != 0) {
      quotes &= ~escapes(block, backslashes, carry, faults);
    }
    const u64 inside = prefix_xor(quotes) ^ carry.in_string;
    const u64 newlines = kLines ? block.equal('\n') : 0;
    const u64 blanks = block.blanks();
    const u64 structure = block.structure() | newlines;
    // Controls among the structural bits are faults of their own, so the mask may hold some.
    faults |= block.controls() & (inside | ~blanks);
    faults |= non_ascii & ~inside;
    if (kBusy || utf8.wants(non_ascii)) faults |= utf8.step(block) ? 0 : 1;
    if (faults != 0) [[unlikely]] {
      end.fault = true;
      break;
    }
    const u64 scalars = ~(inside | quotes | structure | blanks);
    const u64 behind = scalars << 1 | carry.in_scalar;
    const u64 tokens = (structure & ~inside) | (quotes & inside) | (scalars & ~behind);
    carry.in_scalar = scalars >> 63;
    carry.in_string = static_cast<u64>(static_cast<std::int64_t>(inside) >> 63);
    out.token_count += write_tokens(bytes, tokens, out.tokens + out.token_count,
                                    out.places + out.token_count, base + end.blocks * kBlockBytes);
    out.scalar_count += copy_scalars(bytes, scalars | behind, out.scalars + out.scalar_count);
    busy_blocks += (backslashes | non_ascii) != 0;
    ++end.blocks;
    still_inside = (~carry.in_string | quotes) == 0 ? still_inside + 1 : 0;
    if (still_inside >= 2) [[unlikely]] {
      end.blocks +=
          string_blocks(carry, utf8, text + end.blocks * kBlockBytes, blocks - end.blocks);
      still_inside = 0;
    }
  }
  if (end.blocks != 0) std::memcpy(carry.tail, text + end.blocks * kBlockBytes - 3, 3);
  end.busy = busy_blocks > end.blocks / 8;
  state = carry;
  streams = out;
  return end;
}

/// Runs as many blocks as the streams have room for. `base` is the place of the first byte.
template <bool kLines, bool kBusy>
TextEnd text_pass(TextCarry& carry, Streams& streams, const u8* text, u32 blocks, u32 base) {
  TextEnd sum;
  while (sum.blocks < blocks && !sum.fault) {
    const u32 room = std::min((kTokenCapacity - streams.token_count) / kBlockBytes,
                              (kScalarCapacity - streams.scalar_count) / kBlockBytes);
    if (room == 0) break;
    const u32 skipped = sum.blocks * kBlockBytes;
    const TextEnd end = text_blocks<kLines, kBusy>(
        carry, streams, text + skipped, std::min(room, blocks - sum.blocks), base + skipped);
    sum.blocks += end.blocks;
    sum.fault = end.fault;
    sum.busy = end.busy;
  }
  return sum;
}
