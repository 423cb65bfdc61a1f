// Index pass: appends the tokens of a chunk to the index of the whole text. Included as
// text_pass.inl is.
//
// The plain loop copies tokens, widens places and keeps a stack of open brackets. All of it is
// done 64 tokens at a time, and only the brackets are walked. (To link the innermost pairs of a
// step at once, without a stack, was tried: a tenth slower, their number is too hard to guess.)

/// Moves 64 tokens behind those that are there.
inline void append_tokens(const IndexCarry& index, const u8* tokens, const u16* places, u32 base) {
  std::memcpy(index.tokens + index.count, tokens, 64);
  u32* const out = index.places + index.count;
  for (u32 i = 0; i < 64; ++i) out[i] = base + places[i];
}

/// Links a closer with its opener, and leaves the number of values between them.
/// Seen from outside, a container is one token, and its others are hidden. An array of n values
/// then has n + (n - 1) tokens in it, an object 3n + (n - 1).
inline void link_closer(IndexCarry& index, u32 closer, bool object) {
  const OpenBracket open = index.inner;
  const u32 hidden = closer - open.seen;
  const u32 inside = hidden - index.hidden - 1;
  index.hidden = hidden;
  // The count first: where it has no slot of its own, the link takes its place.
  index.links[count_slot(index.tokens, index.links, open.token)] = (inside + 1) >> (1 + object);
  index.links[open.token] = closer;
  index.links[closer] = open.token;
  index.inner = index.open[--index.depth];
}

/// Requires: the token pass accepted the tokens; room for them and 64 more; 64 readable tokens
/// and places behind them. `base` is added to the places.
void index_pass(IndexCarry& state, const u8* tokens, const u16* places, u32 count, u32 base) {
  IndexCarry index = state;
  for (u32 done = 0; done < count; done += 64) {
    append_tokens(index, tokens + done, places + done, base);
    const u32 size = std::min(count - done, u32{64});
    const u64 there = ~u64{0} >> (64 - size);
    const Block folded = Block::load(tokens + done).folded();  // [ and ] become { and }
    const u64 opens = folded.equal('{');
    for (u64 rest = (opens | folded.equal('}')) & there; rest != 0; rest &= rest - 1) {
      const u32 at = static_cast<u32>(std::countr_zero(rest));
      const u32 token = index.count + at;
      if ((opens >> at & 1) != 0) {
        index.inner = {token, token - index.hidden};
        index.open[++index.depth] = index.inner;
      } else {
        link_closer(index, token, tokens[done + at] == '}');
      }
    }
    index.count += size;
  }
  state = index;
}
