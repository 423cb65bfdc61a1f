// Skip pass: over a value that nobody selected. Included as text_pass.inl is.
//
// The plain loop counts brackets. As long as 64 tokens close fewer than are open, the end is not
// among them, and the difference of the two counts is all that matters.

u32 skip_pass(const u8* tokens, u32 count, u32& depth) {
  u32 done = 0;
  while (done < count && depth != 0) {
    const Block block = Block::load(tokens + done);
    const u64 there = count - done >= 64 ? ~u64{0} : (u64{1} << (count - done)) - 1;
    const Block folded = block.folded();  // [ and ] become { and }
    u64 opens = folded.equal('{') & there;
    u64 closes = folded.equal('}') & there;
    if (static_cast<u32>(std::popcount(closes)) < depth) {
      depth += static_cast<u32>(std::popcount(opens)) - static_cast<u32>(std::popcount(closes));
      done += static_cast<u32>(std::popcount(there));
      continue;
    }
    for (; closes != 0; closes &= closes - 1) {
      const u64 close = closes & -closes;
      depth += static_cast<u32>(std::popcount(opens & (close - 1)));
      opens &= ~(close - 1);
      if (--depth == 0) return done + static_cast<u32>(std::countr_zero(close)) + 1;
    }
    depth += static_cast<u32>(std::popcount(opens));
    done += static_cast<u32>(std::popcount(there));
  }
  return done;
}
