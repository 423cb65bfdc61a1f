// Token pass: grammar on dense tokens, 64 a step. Included as text_pass.inl is.
//
// Three questions. May this token follow the last one? That needs only neighbours. Does a closing
// bracket fit its opener? That needs the stack. Does a comma stand in an object or in an array?
// In an object a string and a colon follow, in an array they do not; so a colon wants an object
// around it, and a token that shows that no key follows the comma wants an array. Both are asked
// with the brackets open just before the token, and never later than at the token that is wrong.

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

/// The brackets of one step, in order. Returns false at a fault. (All at once, without branches,
/// was tried with AVX-512: a step of 71 cycles then took 61, but two files' of 44 took 49.)
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
    BracketMasks brackets;
    if (token_faults(carry, tokens + done, there, brackets) != 0) return false;
    // Leaves are taken out without counting their depth, so not where the limit is near.
    if (carry.depth + 64 <= carry.depth_max && take_leaves(brackets) != 0) return false;
    if (!walk_brackets(brackets, carry)) return false;
    carry.before_last = size > 1 ? tokens[done + size - 2] : carry.last;
    carry.last = tokens[done + size - 1];
  }
  state = carry;
  return true;
}
