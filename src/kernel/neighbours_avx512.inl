// What the bytes of scalars and the tokens of a block are, and which may stand side by side, each by a
// look-up in a table. Included by avx512.cpp; class_masks.inl and token_masks.inl are the same for
// kernels without such tables.

enum ScalarKind : u8 {
  kEnd = 0x80,
  kDigit = 2,
  kZero = 4,
  kDot = 8,
  kMinus = 16,
  kPlus = 32,
  kExponent = 64,
};

constexpr u8 scalar_kind(u8 byte) {
  if (is_structure(byte) || is_blank(byte) || byte == '"') return kEnd;
  if (is_digit(byte)) return byte == '0' ? kZero | kDigit : kDigit;
  if (byte == '.') return kDot;
  if (byte == '-') return kMinus;
  if (byte == '+') return kPlus;
  return (byte | 0x20) == 'e' ? kExponent : 0;
}

/// The kinds of bytes that may stand behind a byte of a number, or behind the end of one.
constexpr u8 scalar_kinds_behind(u8 byte) {
  switch (scalar_kind(byte)) {
    case kEnd:
      return kDigit | kMinus;
    case kDigit:
    case kZero | kDigit:
      return kDigit | kDot | kExponent | kEnd;
    case kDot:
    case kMinus:
    case kPlus:
      return kDigit;
    case kExponent:
      return kDigit | kMinus | kPlus;
    default:
      return 0;
  }
}

inline __m512i scalar_kinds(const Block& block) {
  static constexpr AsciiTable kKinds = AsciiTable::of(scalar_kind);
  return kKinds.look_up(block.bytes);
}

inline ScalarClasses scalar_classes(const Block& block) {
  const __m512i kinds = scalar_kinds(block);
  ScalarClasses is;
  is.ends = _mm512_movepi8_mask(kinds);
  is.digits = _mm512_test_epi8_mask(kinds, every(kDigit));
  is.zeros = _mm512_test_epi8_mask(kinds, every(kZero));
  is.dots = _mm512_test_epi8_mask(kinds, every(kDot));
  is.minus = _mm512_test_epi8_mask(kinds, every(kMinus));
  is.signs = _mm512_test_epi8_mask(kinds, every(kMinus | kPlus));
  is.exponents = _mm512_test_epi8_mask(kinds, every(kExponent));
  return is;
}

/// As class_masks.inl has it, with a table for what may follow what. The byte before the first one
/// is not read: it is an end.
inline u64 pair_faults(const u8* text, const Block& block, const ScalarClasses&, u64) {
  static constexpr AsciiTable kBehind = AsciiTable::of(scalar_kinds_behind);
  const __m512i before = _mm512_mask_loadu_epi8(every(','), ~u64{1}, text - 1);
  return _mm512_testn_epi8_mask(scalar_kinds(block), kBehind.look_up(before));
}

enum TokenKind : u8 {
  kScalarToken = 1,  // and every opener
  kStringToken = 2,
  kObjectEnd = 4,
  kArrayEnd = 8,
  kColon = 16,
  kComma = 32,
  kLineToken = 64,
};

constexpr u8 token_kind(u8 token) {
  switch (token) {
    case '"':
      return kStringToken;
    case '}':
      return kObjectEnd;
    case ']':
      return kArrayEnd;
    case ':':
      return kColon;
    case ',':
      return kComma;
    case '\n':
      return kLineToken;
    default:
      return kScalarToken;
  }
}

/// The kinds of tokens that may stand behind a token, as far as the two alone can tell.
constexpr u8 kinds_behind(u8 token) {
  switch (token) {
    case '{':
      return kStringToken | kObjectEnd;
    case '[':
      return kScalarToken | kStringToken | kArrayEnd;
    case ':':
    case ',':
    case '\n':
      return kScalarToken | kStringToken;
    case '"':
      return kColon | kComma | kObjectEnd | kArrayEnd | kLineToken;
    default:
      return kComma | kObjectEnd | kArrayEnd | kLineToken;
  }
}

/// As token_masks.inl has it, with two tables for what may follow what. The tokens one and two
/// places before are loaded, the very first ones taken from the carry; nothing else is read there.
inline u64 token_faults(const TokenCarry& carry, const u8* tokens, u64 there,
                        BracketMasks& brackets) {
  static constexpr AsciiTable kKinds = AsciiTable::of(token_kind);
  static constexpr AsciiTable kBehind = AsciiTable::of(kinds_behind);
  const u16 carried = static_cast<u16>(carry.before_last | carry.last << 8);
  const Block now = Block::load(tokens);
  const Block one = {_mm512_mask_loadu_epi8(every(carry.last), ~u64{1}, tokens - 1)};
  const Block two = {
      _mm512_mask_loadu_epi8(_mm512_set1_epi16(static_cast<short>(carried)), ~u64{3}, tokens - 2)};
  const u64 colons = now.equal(':');
  const u64 commas_two = two.equal(',');
  const u64 objects_two = two.equal('{');
  const u64 strings_one = one.equal('"');
  u64 faults = _mm512_testn_epi8_mask(kKinds.look_up(now.bytes), kBehind.look_up(one.bytes));
  faults |= colons & ~(commas_two | objects_two);
  faults |= objects_two & strings_one & ~colons;
  const Block folded = now.folded();  // [ and ] become { and }
  brackets.opens = folded.equal('{') & there;
  brackets.brackets = brackets.opens | (folded.equal('}') & there);
  brackets.objects = brackets.brackets & _mm512_test_epi8_mask(now.bytes, every(0x20));
  brackets.wants_object = colons & there;
  brackets.wants_array =
      there & ((one.equal(',') & ~now.equal('"')) | (commas_two & strings_one & ~colons));
  brackets.wants_any = now.equal(',') & there;
  brackets.wants_none = now.equal('\n') & there;
  return faults & there;
}
