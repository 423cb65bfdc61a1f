// Replay pass: fills rows from records whose shape is known. Included as text_pass.inl is, after
// Block::unlike and key_differs.

/// Compares tokens with a shape, 64 at a time.
inline bool has_shape(const u8* tokens, const Shape& shape) {
  u64 unlike = 0;
  for (u32 i = 0; i < shape.token_count; i += 64) {
    const u32 rest = std::min(shape.token_count - i, u32{64});
    unlike |=
        Block::load(tokens + i).unlike(Block::load(shape.tokens + i)) & ~u64{0} >> (64 - rest);
  }
  return unlike == 0;
}

/// Compares the keys; `places` are the record's. A tail is looked at only when what comes before
/// it was right, which is also what makes sure that the text reaches so far.
inline bool has_keys(const u8* text, const u16* places, const Shape& shape) {
  u32 differs = 0;
  const KeyPiece* key = shape.keys;
  const KeyPiece* const tails = key + shape.head_count;
  for (; key != tails; ++key) differs |= key_differs(text + places[key->token], *key);
  for (; differs == 0 && key != tails + shape.tail_count; ++key) {
    differs = key_differs(text + places[key->token] + key->offset, *key);
  }
  return differs == 0;
}

inline const Shape* find_shape(const Replay& replay, u32 first) {
  if (replay.shape_count == 0) return nullptr;
  u32 count = 0;
  u64 newlines = 0;
  while (newlines == 0) {
    newlines = Block::load(replay.tokens + first + count).equal('\n');
    count += newlines == 0 ? 64 : static_cast<u32>(std::countr_zero(newlines)) + 1;
    if (count > kShapeTokens) return nullptr;
  }
  for (u32 i = 0; i < replay.shape_count; ++i) {
    const Shape& shape = replay.shapes[i];
    if (shape.token_count == count && has_shape(replay.tokens + first, shape) &&
        has_keys(replay.text + replay.base, replay.places + first, shape)) {
      return &shape;
    }
  }
  return nullptr;
}

inline void write_row(Replay& replay, const u16* places, const Shape& shape) {
  const u8* const window = replay.text + replay.base;
  const u32 newline = replay.base + places[shape.token_count - 1];
  const u32 size = newline - replay.line - (replay.text[newline - 1] == '\r');
  u64* row = replay.row;
  *row++ = replay.line | static_cast<u64>(size) << 32;
  for (u32 i = 0; i < replay.presence_words; ++i) *row++ = shape.presence[i];
  if (shape.field_count != replay.field_count) std::fill_n(row, replay.field_count, u64{0});
  const u32 shift = replay.base - replay.line;
  for (u32 i = 0; i < shape.field_count; ++i) {
    const FieldPlace& field = shape.fields[i];
    const u32 start = places[field.first];
    u32 end = places[field.behind];
    while (window[static_cast<std::int64_t>(end) - 1] <= ' ') --end;
    row[field.field] = (start + shift) | static_cast<u64>(end - start) << 32;
  }
  replay.row = row + replay.field_count;
  --replay.rows_left;
  replay.line = newline + 1;
}

/// Takes records as long as their shapes are known; returns the tokens taken.
u32 replay_pass(Replay& state) {
  Replay replay = state;
  u32 first = 0;
  while (first < replay.token_count && replay.rows_left != 0) {
    const u16* places = replay.places + first;
    const Shape* shape = replay.likely;
    const bool good = shape != nullptr && first + shape->token_count <= replay.token_count &&
                      has_shape(replay.tokens + first, *shape) &&
                      has_keys(replay.text + replay.base, places, *shape);
    if (!good) [[unlikely]] {
      shape = find_shape(replay, first);
      if (shape == nullptr) break;
      replay.likely = shape;
    }
    write_row(replay, places, *shape);
    first += shape->token_count;
  }
  state = replay;
  return first;
}
