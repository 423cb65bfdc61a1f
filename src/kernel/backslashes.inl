// Which characters are escaped. Included as text_pass.inl is, before whatever asks.

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
