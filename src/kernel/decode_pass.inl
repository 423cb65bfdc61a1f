// Decode pass, portable: plain text a step at a time, escapes one by one. Included as text_pass.inl
// is, after Step: kBytes, load, store, and backslashes, whose lowest set bit / kBits is where the
// first one stands (decode.h has one of eight bytes, in which what the others leave is read).

/// Entry [i][byte]: digit i of a code unit in its place; the top bit where it is no digit.
constexpr auto kUnitDigits = [] {
  std::array<std::array<u32, 256>, 4> digits{};
  for (u32 place = 0; place < 4; ++place) {
    for (u32 byte = 0; byte < 256; ++byte) {
      const u32 value = hex_value(static_cast<u8>(byte));
      digits[place][byte] = value > 0xF ? 0x80000000u : value << (12 - 4 * place);
    }
  }
  return digits;
}();

/// Writes a code unit as one to three bytes of UTF-8, and up to four: which size it has is not
/// foreseen, so all are computed. Returns the size.
inline std::size_t write_unit(u32 unit, u8* out) {
  const u32 last = unit & 0x3F;
  const u32 two = 0x80C0 | unit >> 6 | last << 8;
  const u32 three = 0x8080E0 | unit >> 12 | (unit >> 6 & 0x3F) << 8 | last << 16;
  const u32 bytes = unit < 0x80 ? unit : unit < 0x800 ? two : three;
  std::memcpy(out, &bytes, sizeof bytes);
  return std::size_t{1} + (unit >= 0x80) + (unit >= 0x800);
}

/// Where the pass is, and where text and room end.
struct DecodeState {
  const u8* from;
  const u8* end;
  u8* to;
  u8* to_end;
};

/// Takes the escape that begins at state.from. False at one that is not for this pass.
/// What is written lies before what is read, so that the text may be decoded where it stands.
inline bool take_escape(DecodeState& state) {
  const std::size_t rest = static_cast<std::size_t>(state.end - state.from);
  const std::size_t room = static_cast<std::size_t>(state.to_end - state.to);
  if (rest >= 2 && state.from[1] != 'u') {
    if (room == 0) return false;
    *state.to++ = escaped_letter(state.from[1]);
    state.from += 2;
    return true;
  }
  if (rest < 6 || room < 4) return false;
  const u32 unit = kUnitDigits[0][state.from[2]] | kUnitDigits[1][state.from[3]] |
                   kUnitDigits[2][state.from[4]] | kUnitDigits[3][state.from[5]];
  if (unit > 0xFFFF || (unit & 0xF800) == 0xD800) return false;
  state.to += write_unit(unit, state.to);
  state.from += 6;
  return true;
}

/// Takes escapes and single characters between them, until a run of others begins.
inline bool take_escapes(DecodeState& state) {
  u32 plain = 0;
  while (state.from != state.end && plain < 4) {
    if (*state.from == '\\') {
      if (!take_escape(state)) return false;
      plain = 0;
    } else {
      if (state.to_end - state.to <= kCharacterRest) return false;
      *state.to++ = *state.from++;
      ++plain;
    }
  }
  return true;
}

/// Copies the plain bytes in front of a backslash, or a whole step where that spoils nothing which
/// is still to be read: a copy of known size is several times as fast.
template <class Step>
inline void copy_plain(const Step& text, std::size_t plain, DecodeState& state) {
  if (state.to + Step::kBytes <= state.from || state.to >= state.end) {
    text.store(state.to);
  } else {
    std::memmove(state.to, state.from, plain);
  }
  state.from += plain;
  state.to += plain;
}

/// Steps as long as text and room last. False at an escape that is not for this pass.
template <class Step>
inline bool take_steps(DecodeState& state) {
  const std::ptrdiff_t size = Step::kBytes;
  while (state.end - state.from >= size && state.to_end - state.to >= size + kCharacterRest) {
    const Step text = Step::load(state.from);
    const u64 backslashes = text.backslashes();
    if (backslashes == 0) {
      text.store(state.to);
      state.from += size;
      state.to += size;
      continue;
    }
    copy_plain(text, static_cast<std::size_t>(std::countr_zero(backslashes)) / Step::kBits, state);
    if (!take_escapes(state)) return false;
  }
  return true;
}

Decoded decode_pass(const u8* raw, std::size_t size, u8* out, std::size_t room) {
  DecodeState state = {raw, raw + size, out, out + room};
  if (take_steps<Step>(state)) take_steps<WordStep>(state);
  finish_character(state.from, state.end, state.to);
  return {static_cast<std::size_t>(state.from - raw), static_cast<std::size_t>(state.to - out)};
}
