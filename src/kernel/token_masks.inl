// What 64 tokens tell of themselves and of each other, by masks of each kind. Included as
// text_pass.inl is, before token_pass.inl, by kernels that have nothing better.

/// The classes of 64 tokens, a bit each.
struct TokenMasks {
  u64 object_open, object_close, array_open, array_close, colon, comma, string, line, scalar;
};

inline TokenMasks token_masks(const Block& block, u64 there) {
  TokenMasks m;
  m.object_open = block.equal('{') & there;
  m.object_close = block.equal('}') & there;
  m.array_open = block.equal('[') & there;
  m.array_close = block.equal(']') & there;
  m.colon = block.equal(':') & there;
  m.comma = block.equal(',') & there;
  m.string = block.equal('"') & there;
  m.line = block.equal('\n') & there;
  m.scalar = there & ~(m.object_open | m.object_close | m.array_open | m.array_close | m.colon |
                       m.comma | m.string | m.line);
  return m;
}

/// What the two tokens before the first of a step mean for it.
struct TokenNeighbours {
  u64 opens_object, opens_array, comma, string, starts_value, ends_value;  // one before: bit 0
  u64 comma_two, object_two;  // bit 1: one before, bit 0: two before

  explicit TokenNeighbours(const TokenCarry& carry) {
    const u8 last = carry.last;
    opens_object = last == '{';
    opens_array = last == '[';
    comma = last == ',';
    string = last == '"';
    starts_value = last == '[' || last == ':' || last == ',' || last == '\n';
    ends_value = last != '{' && !starts_value;
    comma_two = u64{carry.before_last == ','} | u64{last == ','} << 1;
    object_two = u64{carry.before_last == '{'} | u64{last == '{'} << 1;
  }
};

/// Tokens that may not follow their neighbours.
inline u64 neighbour_faults(const TokenMasks& m, const TokenNeighbours& before, u64 there) {
  const u64 ends = m.string | m.scalar | m.object_close | m.array_close;
  const u64 openers = m.array_open | m.colon | m.comma | m.line;
  const u64 behind_end = ends << 1 | before.ends_value;
  const u64 behind_object = m.object_open << 1 | before.opens_object;
  const u64 behind_array = m.array_open << 1 | before.opens_array;
  const u64 behind_string = m.string << 1 | before.string;
  const u64 wants_value = openers << 1 | before.starts_value;
  const u64 starts = m.string | m.scalar | m.object_open | m.array_open;
  u64 good = starts & wants_value;
  good |= m.string & behind_object;
  good |= m.object_close & (behind_object | behind_end);
  good |= m.array_close & (behind_array | behind_end);
  good |= m.colon & behind_string;
  good |= (m.comma | m.line) & behind_end;
  u64 faults = there & ~good;
  const u64 object_two = m.object_open << 2 | before.object_two;
  const u64 comma_two = m.comma << 2 | before.comma_two;
  faults |= m.colon & ~(comma_two | object_two);
  faults |= there & object_two & behind_string & ~m.colon;
  return faults;
}

inline BracketMasks bracket_masks(const TokenMasks& m, const TokenNeighbours& before, u64 there) {
  const u64 behind_comma = m.comma << 1 | before.comma;
  const u64 behind_string = m.string << 1 | before.string;
  const u64 comma_two = m.comma << 2 | before.comma_two;
  BracketMasks b;
  b.opens = m.object_open | m.array_open;
  b.objects = m.object_open | m.object_close;
  b.brackets = b.opens | m.object_close | m.array_close;
  b.wants_object = m.colon;
  b.wants_array = there & ((behind_comma & ~m.string) | (comma_two & behind_string & ~m.colon));
  b.wants_any = m.comma;
  b.wants_none = m.line;
  return b;
}

/// Fills the masks of brackets from the tokens that are `there`; returns those that may not follow
/// the ones before them.
inline u64 token_faults(const TokenCarry& carry, const u8* tokens, u64 there,
                        BracketMasks& brackets) {
  const TokenMasks masks = token_masks(Block::load(tokens), there);
  const TokenNeighbours before(carry);
  brackets = bracket_masks(masks, before, there);
  return neighbour_faults(masks, before, there);
}
