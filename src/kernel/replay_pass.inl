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

/// Whether the record at token `first` has the shape. Requires: its line is complete.
inline bool is_like(const Replay& replay, u32 first, const Shape& shape) {
  return first + shape.token_count <= replay.token_count &&
         has_shape(replay.tokens + first, shape) &&
         has_keys(replay.text + replay.base, replay.places + first, shape);
}

/// Begins a row, and goes on to the next line; returns where the row's second word goes.
inline u64* begin_row(Replay& replay, u32 newline) {
  const u32 size = newline - replay.line - (replay.text[newline - 1] == '\r');
  u64* const row = replay.row;
  *row = replay.line | static_cast<u64>(size) << 32;
  replay.row += 1 + replay.presence_words + replay.field_count;
  --replay.rows_left;
  replay.line = newline + 1;
  return row + 1;
}

/// The range of the value from token `first` to before `behind`, without blanks behind it.
inline u64 range_between(const Replay& replay, const u16* places, u32 first, u32 behind) {
  const u8* const window = replay.text + replay.base;
  const u32 start = places[first];
  u32 end = places[behind];
  while (window[static_cast<std::int64_t>(end) - 1] <= ' ') --end;
  return (start + replay.base - replay.line) | static_cast<u64>(end - start) << 32;
}

inline void write_row(Replay& replay, const u16* places, const Shape& shape) {
  u64* row = replay.row + 1;
  for (u32 i = 0; i < replay.presence_words; ++i) *row++ = shape.presence[i];
  const FieldPlace* field = shape.fields;
  for (u64* const end = row + replay.field_count; row != end; ++row, ++field) {
    *row = range_between(replay, places, field->first, field->behind) & field->mask;
  }
  begin_row(replay, replay.base + places[shape.token_count - 1]);
}

/// Which of the names a key is; `field_count` when it is none. Without a branch: it cannot be
/// foreseen.
inline u32 name_of(const Replay& replay, const u8* key) {
  u32 found = replay.field_count;
  for (u32 name = 0; name < replay.field_count; ++name) {
    KeyDifference differs;
    differs.see(key, replay.names[name]);
    found = differs.any() ? found : name;
  }
  return found;
}

/// Writes the row of a record with the shape's tokens, but other keys: the last member of a name
/// counts. False when a key is long or has escapes, which may hide a name.
inline bool write_row_by_names(Replay& replay, const u16* places, const Shape& shape) {
  u64 ranges[kNamesMax + 1] = {};
  u64 escapes = 0;
  for (u32 i = 0; i < shape.key_count; ++i) {
    const bool last = i + 1 == shape.key_count;
    const u32 token = shape.keys[i].token;
    const u32 next = last ? shape.token_count - 1 : shape.keys[i + 1].token;
    const u32 size = places[token + 1] - places[token];
    if (size > kBlockBytes) return false;
    const u8* const key = replay.text + replay.base + places[token];
    escapes |= Block::load(key).rare('\\') & ~u64{0} >> (64 - size);
    ranges[name_of(replay, key)] = range_between(replay, places, token + 2, next - 1);
  }
  if (escapes != 0) return false;
  u64* const row = replay.row + 1;
  *row = 0;
  for (u32 name = 0; name < replay.field_count; ++name) {
    *row |= static_cast<u64>(ranges[name] != 0) << name;
    row[1 + name] = ranges[name];
  }
  begin_row(replay, replay.base + places[shape.token_count - 1]);
  return true;
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

/// A line by its tokens.
struct TokenLine {
  u32 count;  ///< of its tokens, the newline included; above kShapeTokens when it has too many
  u64 opens;  ///< brackets that open among its first 64
};

inline TokenLine line_at(const u8* tokens) {
  const Block first = Block::load(tokens);
  u64 newlines = first.equal('\n');
  u64 opens = first.folded().equal('{');  // [ becomes {
  if (newlines != 0) [[likely]] {
    opens &= newlines ^ (newlines - 1);
    return {static_cast<u32>(std::countr_zero(newlines)) + 1, opens};
  }
  for (u32 count = 64; count < kShapeTokens; count += 64) {
    newlines = Block::load(tokens + count).equal('\n');
    if (newlines != 0) return {count + static_cast<u32>(std::countr_zero(newlines)) + 1, opens};
  }
  return {kShapeTokens + 1, opens};
}

/// Records whose shapes are looked up before they are compared.
constexpr u32 kAhead = 32;

/// The first shapes in the slots of the next lines; null where there is none, or at the end. Where
/// shapes take turns at random, a record's cannot be foreseen, and what waits for it is the whole
/// comparison; so it is looked up well before.
inline void look_ahead(const Replay& replay, u32 first, const Shape* (&shapes)[kAhead]) {
  u32 i = 0;
  for (; i < kAhead && first < replay.token_count; ++i) {
    const TokenLine line = line_at(replay.tokens + first);
    if (line.count > kShapeTokens) break;
    shapes[i] = replay.shapes[shape_slot(line.count, line.opens)];
    first += line.count;
  }
  if (i < kAhead) shapes[i] = nullptr;
}

/// Writes the row of the record at token `first`, if it has the shape.
inline bool replay_one(Replay& replay, u32 first, const Shape& shape) {
  const u16* const places = replay.places + first;
  if (first + shape.token_count > replay.token_count) return false;
  if (!has_shape(replay.tokens + first, shape)) return false;
  if (has_keys(replay.text + replay.base, places, shape)) {
    write_row(replay, places, shape);
    return true;
  }
  return replay.names != nullptr && write_row_by_names(replay, places, shape);
}

/// Takes a few records of any known shapes; returns the token behind them. The likely shape is
/// that of the last one then, or null where one is not known.
inline u32 replay_ahead(Replay& replay, u32 first) {
  const Shape* shapes[kAhead];
  look_ahead(replay, first, shapes);
  for (u32 i = 0; i < kAhead && first < replay.token_count && replay.rows_left != 0; ++i) {
    const Shape* shape = shapes[i];
    while (shape != nullptr && !replay_one(replay, first, *shape)) shape = shape->next;
    replay.likely = shape;
    if (shape == nullptr) break;
    first += shape->token_count;
  }
  return first;
}

/// Takes records as long as their shapes are known; returns the tokens taken.
/// (Prefetching the text behind the chunk meanwhile was tried: no gain, with other programs at the
/// memory or without. Chunks of 8 and 12 KiB: 1 to 4 % slower than 16.)
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
