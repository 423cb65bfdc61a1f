// Decode pass of AVX-512: 64 bytes a window, every byte at its own place, and one compression that
// leaves what counts. Included by avx512.cpp.
//
//     window     a b \ n c \ u 0 4 3 6 d
//     lanes      a b . n c . . A M L . d     n: a newline; A, M, L: up to three bytes of UTF-8
//
// Windows without \u are 64 bytes apart. One with \u gives its first 58 bytes: escapes that begin
// there are complete in it. Of escapes that go on in the next window only masks are carried; where
// it begins does not depend on the text, so windows overlap in the processor. (A run of escapes at
// a time, ten in a register, was slower by four: how long runs are cannot be guessed.)

/// What a window knows of the one before.
struct DecodeCarry {
  u64 escaped = 0;  ///< 1: the first byte is a letter behind a backslash
  u64 covered = 0;  ///< first bytes that belong to an escape already decoded
};

struct Window {
  __m512i bytes;
  u64 there;
  u64 starts;   ///< backslashes that escape
  u64 escaped;  ///< bytes behind them
  u64 units;    ///< those that are a u

  Window(__m512i text, u64 bytes_there, u64 carry) : bytes(text), there(bytes_there) {
    const Block block = {bytes};
    const u64 backslashes = block.equal('\\');
    escaped = escaped_bits(backslashes, carry);
    starts = backslashes & ~escaped;
    units = block.equal('u') & escaped;
  }
};

/// Letters behind backslashes decoded, all else as it is.
inline __m512i with_letters(const Window& window) {
  static constexpr AsciiTable kLetters = AsciiTable::of(escaped_letter);
  const u64 letters = window.escaped & ~_mm512_movepi8_mask(window.bytes);
  return _mm512_mask_mov_epi8(window.bytes, letters, kLetters.look_up(window.bytes));
}

/// Writes the marked bytes, and none behind them: the text may be decoded where it stands.
inline std::size_t keep_bytes(__m512i bytes, u64 keep, u8* out) {
  const u64 count = static_cast<u64>(_mm_popcnt_u64(keep));
  _mm512_mask_storeu_epi8(out, _bzhi_u64(~u64{0}, static_cast<u32>(count)),
                          _mm512_maskz_compress_epi8(keep, bytes));
  return count;
}

/// A window with \u, whose `u`s follow on the backslashes of `starts`.
struct Units {
  __m512i bytes;  ///< the window decoded, each byte at its own place
  u64 keep;       ///< the bytes of `bytes` that count, of the escapes
  u64 wrong;      ///< digits that are none, and the first two of surrogates
};

/// Digits at p+2 to p+5 of an escape at p make two bytes: a at p+2 and b at p+4 (pairs of digits
/// are put together at every place). With a and b as the code unit's halves,
///
///     at p+2   E0 | a >> 4                   if the unit has three bytes: a >= 08
///     at p+3   80 or C0 | (a << 2 | b >> 6)  if it has two or more: a or the top bit of b
///     at p+4   b or 80 | (b & 3F)
inline Units decode_units(const Window& window, u64 starts) {
  static constexpr AsciiTable kHex = AsciiTable::of(hex_value);
  const __m512i places = _mm512_loadu_si512(kIndices.data());
  const __m512i next = _mm512_add_epi8(places, every(1));
  const __m512i last = _mm512_sub_epi8(places, every(1));
  const __m512i digits = kHex.look_up(window.bytes);
  const u64 not_hex = _mm512_movepi8_mask(digits | window.bytes);
  const __m512i pairs =
      (_mm512_slli_epi16(digits, 4) & every(0xF0)) | _mm512_permutexvar_epi8(next, digits);
  const u64 second = starts << 2;
  const u64 third = starts << 3;
  const u64 fourth = starts << 4;
  const u64 surrogates = _mm512_mask_cmpeq_epi8_mask(second, pairs & every(0xF8), every(0xD8));
  const u64 threes = second & _mm512_cmpge_epu8_mask(pairs, every(0x08));
  const u64 twos = ((second & _mm512_test_epi8_mask(pairs, pairs)) << 1) |
                   ((fourth & _mm512_movepi8_mask(pairs)) >> 1);
  const __m512i six = every(0x3F);
  const __m512i high = (_mm512_srli_epi16(pairs, 4) & every(0x0F)) | every(0xE0);
  const __m512i a = _mm512_permutexvar_epi8(last, pairs);
  const __m512i b = _mm512_permutexvar_epi8(next, pairs);
  const __m512i joined =
      (_mm512_slli_epi16(a, 2) & every(0xFC)) | (_mm512_srli_epi16(b, 6) & every(0x03));
  const __m512i lead = _mm512_mask_mov_epi8(every(0xC0), threes << 1, every(0x80));
  const __m512i low = _mm512_mask_mov_epi8(pairs, twos << 1, (pairs & six) | every(0x80));
  Units units;
  units.bytes = _mm512_mask_mov_epi8(with_letters(window), second, high);
  units.bytes = _mm512_mask_mov_epi8(units.bytes, third, (joined & six) | lead);
  units.bytes = _mm512_mask_mov_epi8(units.bytes, fourth, low);
  units.keep = threes | twos | fourth;
  units.wrong = ((second | third | fourth | starts << 5) & not_hex) | surrogates;
  return units;
}

/// Bytes of text from a place on, and room for what they become.
struct DecodeState {
  const u8* from;
  const u8* end;
  u8* to;
  DecodeCarry carry;
};

/// A window with \u; false where one of them is not for this pass: then it stops in front of it.
template <bool kWhole>
inline bool decode_window_of_units(DecodeState& state, const Window& window) {
  constexpr u64 kBegins = (u64{1} << 58) - 1;  // where escapes begin that end in the window
  const u64 starts = window.units >> 1 & window.starts & kBegins;
  const Units units = decode_units(window, starts);
  const u64 covered = starts << 1 | starts << 2 | starts << 3 | starts << 4 | starts << 5;
  const u64 plain = window.there & ~window.starts & ~covered & ~state.carry.covered & kBegins;
  if (units.wrong != 0) [[unlikely]] {
    const u64 wrong = units.wrong;
    const u64 refused = starts & (wrong >> 2 | wrong >> 3 | wrong >> 4 | wrong >> 5);
    const u64 before = (refused & -refused) - 1;
    state.to += keep_bytes(units.bytes, (plain | units.keep) & before, state.to);
    state.from += std::countr_zero(refused);
    state.carry = {};
    return false;
  }
  state.to += keep_bytes(units.bytes, plain | units.keep, state.to);
  const std::size_t rest = static_cast<std::size_t>(state.end - state.from);
  const std::size_t size = kWhole ? 58 : std::min<std::size_t>(58, rest);
  state.from += size;
  state.carry.escaped = (window.starts & ~starts) >> (size - 1) & 1;
  state.carry.covered = size == 58 ? covered >> 58 : 0;
  return true;
}

/// The next window: whole, or the rest of the text. False where the pass must stop.
template <bool kWhole>
inline bool decode_window(DecodeState& state) {
  const std::size_t rest = kWhole ? 64 : static_cast<std::size_t>(state.end - state.from);
  const u64 there = _bzhi_u64(~u64{0}, static_cast<u32>(std::min<std::size_t>(rest, 64)));
  const __m512i text =
      kWhole ? _mm512_loadu_si512(state.from) : _mm512_maskz_loadu_epi8(there, state.from);
  const Window window(text, there, state.carry.escaped);
  if (window.units != 0) {
    if ((window.units & 1) == 0) return decode_window_of_units<kWhole>(state, window);
    --state.from;  // its backslash ended the window before
    state.carry = {};
    return true;
  }
  const u64 keep = there & ~window.starts & ~state.carry.covered;
  state.to += keep_bytes(with_letters(window), keep, state.to);
  const std::size_t taken = std::min<std::size_t>(rest, 64);
  state.from += taken;
  state.carry = {window.starts >> (taken - 1) & 1, 0};
  return true;
}

/// Text without escapes; stops at the first window with one.
inline void copy_plain(DecodeState& state, const u8* to_end) {
  while (state.end - state.from >= 64 && to_end - state.to >= 64 + kCharacterRest) {
    const __m512i bytes = _mm512_loadu_si512(state.from);
    if (_mm512_cmpeq_epi8_mask(bytes, every('\\')) != 0) break;
    _mm512_storeu_si512(state.to, bytes);
    state.from += 64;
    state.to += 64;
  }
}

NOINLINE Decoded decode_windows(const u8* raw, std::size_t size, u8* out, std::size_t room) {
  DecodeState state = {raw, raw + size, out, {}};
  const u8* const to_end = out + room;
  copy_plain(state, to_end);
  bool going = true;
  while (going && state.end - state.from >= 64 && to_end - state.to >= 64 + kCharacterRest) {
    going = decode_window<true>(state);
  }
  while (going && state.from != state.end && to_end - state.to >= state.end - state.from) {
    going = decode_window<false>(state);
  }
  if (state.carry.escaped != 0) {
    --state.from;
  } else if (state.carry.covered != 0) {
    state.from += std::countr_one(state.carry.covered);
  } else {
    finish_character(state.from, state.end, state.to);
  }
  return {static_cast<std::size_t>(state.from - raw), static_cast<std::size_t>(state.to - out)};
}

/// Most strings with escapes are short and have no \u: a straight line for them, without what the
/// loops prepare.
Decoded decode_pass(const u8* raw, std::size_t size, u8* out, std::size_t room) {
  if (size > 64 || room < size) [[unlikely]]
    return decode_windows(raw, size, out, room);
  const u64 there = _bzhi_u64(~u64{0}, static_cast<u32>(size));
  const Window window(_mm512_maskz_loadu_epi8(there, raw), there, 0);
  // A backslash at the very end waits for its letter.
  const u64 last = there & ~(there >> 1);
  if ((window.units | (window.starts & last)) != 0) [[unlikely]]
    return decode_windows(raw, size, out, room);
  return {size, keep_bytes(with_letters(window), there & ~window.starts, out)};
}
