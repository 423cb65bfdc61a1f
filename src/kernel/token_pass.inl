// Token pass: grammar on dense tokens, 64 a step. Included as text_pass.inl is.
//
// Three questions. May this token follow the last one? That needs only neighbours. Does a closing
// bracket fit its opener? That needs the stack. Does a comma stand in an object or in an array?
// In an object a string and a colon follow, in an array they do not; so a colon wants an object
// around it, and a token that shows that no key follows the comma wants an array. Both are asked
// with the brackets open just before the token, and never later than at the token that is wrong.

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

/// Brackets and what wants one kind of bracket around it.
struct BracketMasks {
  u64 brackets, opens, objects;  // objects: the brackets { and }
  u64 wants_object, wants_array, wants_any, wants_none;
};

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

/// Takes out every innermost pair of brackets with what stands in it: most brackets of ordinary
/// text are such leaves, and all of a step's leaves go at once. An opener is a leaf's when the
/// next bracket closes. The subtraction fills the space between the two.
inline u64 take_leaves(BracketMasks& b) {
  u64 faults = 0;
  for (u32 round = 0; round < kLeafRounds; ++round) {
    const u64 opens = gather_bits(b.opens, b.brackets);
    const u64 kinds = gather_bits(b.objects, b.brackets);
    const u64 count = gather_bits(b.brackets, b.brackets);
    const u64 leaves = opens & ~(opens >> 1) & (count >> 1);
    if (leaves == 0) break;
    faults |= leaves & (kinds ^ kinds >> 1);
    const u64 low = scatter_bits(leaves, b.brackets);
    const u64 high = scatter_bits(leaves << 1, b.brackets);
    const u64 range = ((high - low) | high) & ~low;
    const u64 objects = (((high & b.objects) - (low & b.objects)) | (high & b.objects)) & ~low;
    faults |= (b.wants_array & objects) | (b.wants_object & range & ~objects);
    faults |= b.wants_none & range;
    b.wants_array &= ~range;
    b.wants_object &= ~range;
    b.wants_any &= ~range;
    b.brackets &= ~(low | high);
  }
  return faults;
}

/// What is wrong in `part` of the masks under the brackets that are open.
inline u64 level_faults(const BracketMasks& b, const TokenCarry& carry, u64 part) {
  if (carry.depth == 0) return (b.wants_object | b.wants_array | b.wants_any) & part;
  return (((carry.levels & 1) != 0 ? b.wants_array : b.wants_object) | b.wants_none) & part;
}

inline bool open_level(TokenCarry& carry, bool object) {
  if (carry.depth >= carry.depth_max) return false;
  if ((carry.depth & 63) == 63) carry.spill[carry.depth >> 6] = carry.levels;
  carry.levels = carry.levels << 1 | u64{object};
  ++carry.depth;
  return true;
}

inline bool close_level(TokenCarry& carry, bool object) {
  if (carry.depth == 0 || ((carry.levels & 1) != 0) != object) return false;
  --carry.depth;
  carry.levels >>= 1;
  if ((carry.depth & 63) == 63) carry.levels = carry.spill[carry.depth >> 6];
  return true;
}

/// The brackets of one step, in order. Returns false at a fault.
inline bool walk_brackets(BracketMasks& b, TokenCarry& carry) {
  u64 unseen = ~u64{0};
  for (u64 rest = b.brackets; rest != 0; rest &= rest - 1) {
    const u64 bracket = rest & -rest;
    const u64 upto = bracket | (bracket - 1);
    if (level_faults(b, carry, upto & unseen) != 0) return false;
    unseen = ~upto;
    const bool object = (b.objects & bracket) != 0;
    const bool good =
        (b.opens & bracket) != 0 ? open_level(carry, object) : close_level(carry, object);
    if (!good) return false;
  }
  return level_faults(b, carry, unseen) == 0;
}

/// Checks `count` more tokens; false at a fault, after which the state means nothing. 64 bytes
/// behind the tokens must be readable.
bool token_pass(TokenCarry& state, const u8* tokens, u32 count) {
  TokenCarry carry = state;
  for (u32 done = 0; done < count; done += 64) {
    const u32 size = std::min(count - done, u32{64});
    const u64 there = ~u64{0} >> (64 - size);
    const TokenMasks masks = token_masks(Block::load(tokens + done), there);
    const TokenNeighbours before(carry);
    if (neighbour_faults(masks, before, there) != 0) return false;
    BracketMasks brackets = bracket_masks(masks, before, there);
    // Leaves are taken out without counting their depth, so not where the limit is near.
    if (carry.depth + 64 <= carry.depth_max && take_leaves(brackets) != 0) return false;
    if (!walk_brackets(brackets, carry)) return false;
    carry.before_last = size > 1 ? tokens[done + size - 2] : carry.last;
    carry.last = tokens[done + size - 1];
  }
  state = carry;
  return true;
}
