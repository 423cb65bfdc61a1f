// Replay pass: fills rows from records whose shape is known. Included as text_pass.inl is, after
// Block::unlike and KeyDifference.

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
  KeyDifference differs;
  const KeyPiece* key = shape.keys;
  for (const KeyPiece* const end = key + shape.head_count; key != end; key += kHeadsAtOnce) {
    for (u32 i = 0; i < kHeadsAtOnce; ++i) differs.see(text + places[key[i].token], key[i]);
  }
  if (differs.any()) return false;
  for (const KeyPiece* const end = key + shape.tail_count; key != end; ++key) {
    differs.see(text + places[key->token] + key->offset, *key);
    if (differs.any()) return false;
  }
  return true;
}

/// How many tokens the line has, its newline included; more than kShapeTokens when it has too many.
inline u32 line_tokens(const u8* tokens) {
  for (u32 count = 0; count < kShapeTokens; count += 64) {
    const u64 newlines = Block::load(tokens + count).equal('\n');
    if (newlines != 0) return count + static_cast<u32>(std::countr_zero(newlines)) + 1;
  }
  return kShapeTokens + 1;
}

/// Whether the record at token `first` has the shape. Requires: its line is complete.
inline bool is_like(const Replay& replay, u32 first, const Shape& shape) {
  return first + shape.token_count <= replay.token_count &&
         has_shape(replay.tokens + first, shape) &&
         has_keys(replay.text + replay.base, replay.places + first, shape);
}

inline void write_row(Replay& replay, const u16* places, const Shape& shape) {
  const u8* const window = replay.text + replay.base;
  const u32 newline = replay.base + places[shape.token_count - 1];
  const u32 size = newline - replay.line - (replay.text[newline - 1] == '\r');
  u64* row = replay.row;
  *row++ = replay.line | static_cast<u64>(size) << 32;
  for (u32 i = 0; i < replay.presence_words; ++i) *row++ = shape.presence[i];
  const u32 shift = replay.base - replay.line;
  const FieldPlace* field = shape.fields;
  for (u64* const end = row + replay.field_count; row != end; ++row, ++field) {
    const u32 start = places[field->first];
    u32 behind = places[field->behind];
    while (window[static_cast<std::int64_t>(behind) - 1] <= ' ') --behind;
    *row = ((start + shift) | static_cast<u64>(behind - start) << 32) & field->mask;
  }
  replay.row = row;
  --replay.rows_left;
  replay.line = newline + 1;
}

/// Takes records as long as they have the likely shape; returns the token behind them.
inline u32 replay_alike(Replay& replay, u32 first) {
  const Shape* const shape = replay.likely;
  if (shape == nullptr) return first;
  while (first < replay.token_count && replay.rows_left != 0 && is_like(replay, first, *shape)) {
    write_row(replay, replay.places + first, *shape);
    first += shape->token_count;
  }
  return first;
}

/// Records whose shapes are looked up before they are compared.
constexpr u32 kAhead = 32;

/// The first shapes of as many tokens as the next lines have; null where there is none, or at the
/// end. Where shapes take turns at random, a record's cannot be foreseen, and what waits for it is
/// the whole comparison; so it is looked up well before.
inline void look_ahead(const Replay& replay, u32 first, const Shape* (&shapes)[kAhead]) {
  u32 i = 0;
  for (; i < kAhead && first < replay.token_count; ++i) {
    const u32 count = line_tokens(replay.tokens + first);
    if (count > kShapeTokens) break;
    shapes[i] = replay.shapes[count];
    first += count;
  }
  if (i < kAhead) shapes[i] = nullptr;
}

/// Takes a few records of any known shapes; returns the token behind them. The likely shape is
/// that of the last one then, or null where one is not known.
inline u32 replay_ahead(Replay& replay, u32 first) {
  const Shape* shapes[kAhead];
  look_ahead(replay, first, shapes);
  for (u32 i = 0; i < kAhead && first < replay.token_count && replay.rows_left != 0; ++i) {
    const Shape* shape = shapes[i];
    while (shape != nullptr && !is_like(replay, first, *shape)) shape = shape->next;
    replay.likely = shape;
    if (shape == nullptr) break;
    write_row(replay, replay.places + first, *shape);
    first += shape->token_count;
  }
  return first;
}

/// Takes records as long as their shapes are known; returns the tokens taken.
u32 replay_pass(Replay& state) {
  Replay replay = state;
  u32 first = replay_alike(replay, 0);
  while (replay.shapes != nullptr && first < replay.token_count && replay.rows_left != 0) {
    first = replay_ahead(replay, first);
    if (replay.likely == nullptr) break;
    first = replay_alike(replay, first);
  }
  state = replay;
  return first;
}
