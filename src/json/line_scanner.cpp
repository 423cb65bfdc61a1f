#include "json/line_scanner.h"

#include <algorithm>
#include <cstring>

#include "json/bytes.h"
#include "json/exact_fault.h"
#include "json/passes.h"
#include "json/record_reader.h"
#include "json/shape_cache.h"
#include "json/walker.h"

namespace sluice::json {
namespace {

using kernel::u16;
using kernel::u32;
using kernel::u64;
using kernel::u8;

}  // namespace

/// Lines go through a window: the tokens of the lines that are not complete yet. Lines that do not
/// fit, and those near a fault of the text, are read alone.
struct LineScanner::State {
  State(const Selection& chosen, const ScanOptions& options, std::span<std::byte> memory)
      : kernel(kernel::active()),
        fields(chosen.size()),
        tree(chosen),
        passes(kernel, options, kernel::TokenForm::lines, memory),
        walker(kernel, tree, fields),
        shapes(tree, fields),
        alone(kernel, chosen, tree, options, memory),
        exact(options),
        spill(kernel::TokenCarry::spill_words(options.max_depth)) {
    levels.spill = spill.data();
    levels.depth_max = options.max_depth;
  }

  Progress scan(std::span<const u8> lines, std::span<u64> rows, LineFaults& sink);

  bool done() const { return line >= text.size() || rows_left == 0; }
  void read_window();
  void read_records();
  bool read_around_suspects();
  u32 read_records(u32 first, u32 end);
  void drop_tokens(u32 count);
  bool is_wrong_scalar(u32 token);
  u32 line_start(u32 first, u32 inside) const;
  u32 last_line_end() const;
  u32 line_tokens(u32 first, u32 end) const;
  u32 refuse_record(u32 first, u32 end);
  u32 replay_records(u32 first, u32 end);
  u32 read_record(u32 first, u32 end);
  void learn_record(u32 first, u32 count, std::span<const u8> body);
  void read_lines_alone(u32 end);
  void read_line_alone();
  void refuse(std::span<const u8> body);
  void accept(u32 size);
  std::span<const u8> body_until(u32 newline) const;
  void go_to(u32 next_line) {
    line = next_line;
    ++progress.lines;
  }

  const kernel::Kernel& kernel;
  const std::size_t fields;
  const PathTree tree;
  Passes passes;
  Walker walker;
  ShapeCache shapes;
  const kernel::Shape* likely = nullptr;
  RecordReader alone;
  PlainMachine exact;
  std::vector<u64> spill;
  kernel::TokenCarry levels;

  // One scan.
  std::span<const u8> text;
  LineFaults* faults = nullptr;
  Progress progress;
  u32 line = 0;  ///< start of the first line that is not consumed
  u64* row = nullptr;
  std::size_t rows_left = 0;

  // The window.
  u32 base = 0;  ///< where place 0 is in the text
  u32 at = 0;    ///< the text pass has come so far
};

LineScanner::Progress LineScanner::State::scan(std::span<const u8> lines, std::span<u64> rows,
                                               LineFaults& sink) {
  text = lines;
  faults = &sink;
  progress = {};
  line = 0;
  row = rows.data();
  rows_left = rows.size() / row_words(fields);
  while (!done()) read_window();
  progress.consumed = static_cast<u32>(std::min<std::size_t>(line, text.size()));
  return progress;
}

/// Reads lines until something keeps the window from going on; then they go on alone, up to where
/// the text is known to be good again.
void LineScanner::State::read_window() {
  passes.restart();
  base = at = line;
  while (!done()) {
    const u32 room = 0x10000 - (at - base);
    const Passes::Chunk chunk = passes.read(text.subspan(at), std::min(room, Passes::kChunkBytes),
                                            /*last=*/true, at - base);
    at += chunk.size;
    if (chunk.scalar_fault) {
      if (!read_around_suspects()) return read_lines_alone(at);
    } else {
      read_records();
    }
    // A fault of the text shows at the newline behind it or before.
    if (chunk.fault) return read_lines_alone(at + kernel::kBlockBytes);
    if (chunk.size == 0) return read_lines_alone(at);
  }
}

/// Reads the complete lines of the window and moves the rest to its front.
void LineScanner::State::read_records() { drop_tokens(read_records(0, last_line_end())); }

/// The same where some scalars are wrong: lines with such ones are refused. False when no complete
/// line could be blamed, and where the window must not go on.
bool LineScanner::State::read_around_suspects() {
  const u32 end = last_line_end();
  u32 first = 0;
  bool blamed = false;
  for (const u32 suspect : passes.suspects()) {
    if (suspect < first || !is_wrong_scalar(suspect)) continue;
    first = read_records(first, line_start(first, std::min(suspect, end)));
    if (suspect >= end || rows_left == 0) return false;
    first += refuse_record(first, end);
    blamed = true;
  }
  if (!blamed || passes.more_suspects()) return false;
  drop_tokens(read_records(first, end));
  return true;
}

/// Whether the number or literal at a token is none.
bool LineScanner::State::is_wrong_scalar(u32 token) {
  const std::span<const u8> from = text.subspan(base + passes.streams().places[token]);
  std::size_t size = 0;
  while (size < from.size() && !ends_scalar(from[size])) ++size;
  exact.restart();
  return !exact.feed(from.first(size)) || !exact.finish();
}

/// The first token, not before `first`, of the line that token `inside` is in.
u32 LineScanner::State::line_start(u32 first, u32 inside) const {
  while (inside > first && passes.streams().tokens[inside - 1] != '\n') --inside;
  return inside;
}

/// How many tokens belong to complete lines.
u32 LineScanner::State::last_line_end() const {
  return line_start(0, passes.streams().token_count);
}

/// One line that is known to be bad; returns its tokens.
u32 LineScanner::State::refuse_record(u32 first, u32 end) {
  const u32 count = line_tokens(first, end);
  const u32 newline = base + passes.streams().places[first + count - 1];
  refuse(body_until(newline));
  go_to(newline + 1);
  return count;
}

/// How many tokens the complete line at token `first` has, its newline included.
u32 LineScanner::State::line_tokens(u32 first, u32 end) const {
  const u8* const tokens = passes.streams().tokens + first;
  const void* const last = std::memchr(tokens, '\n', end - first);
  return static_cast<u32>(static_cast<const u8*>(last) - tokens) + 1;
}

/// Reads lines from token `first` to before token `end`, as long as there are rows; returns where
/// the next one begins.
u32 LineScanner::State::read_records(u32 first, u32 end) {
  while (first < end && rows_left != 0) {
    first += replay_records(first, end);
    if (first < end && rows_left != 0) first += read_record(first, end);
  }
  return first;
}

/// Forgets the tokens of the lines that were read, and begins the window with the next one.
void LineScanner::State::drop_tokens(u32 count) {
  passes.drop_tokens(count, line - base);
  base = line;
}

/// Records of known shapes; returns their tokens. Where shapes seldom come again, only the one that
/// was learned last is tried, and only once.
u32 LineScanner::State::replay_records(u32 first, u32 end) {
  if (likely == nullptr && !shapes.hopeful()) return 0;
  const kernel::Streams& streams = passes.streams();
  kernel::Replay replay = {
      .text = text.data(),
      .tokens = streams.tokens + first,
      .places = streams.places + first,
      .token_count = end - first,
      .base = base,
      .presence_words = static_cast<u32>(presence_words(fields)),
      .field_count = static_cast<u32>(fields),
      .shapes = shapes.hopeful() ? shapes.by_slot() : nullptr,
      .names = shapes.names(),
      .line = line,
      .row = row,
      .likely = likely,
      .rows_left = static_cast<u32>(std::min<std::size_t>(rows_left, ~u32{0})),
  };
  const u32 rows_before = replay.rows_left;
  const u32 taken = kernel.replay(replay);
  const u32 rows = rows_before - replay.rows_left;
  shapes.reward(rows);
  likely = rows != 0 || shapes.hopeful() ? replay.likely : nullptr;
  line = replay.line;
  row = replay.row;
  rows_left -= rows;
  progress.rows += rows;
  progress.lines += rows;
  return taken;
}

/// One line of which no shape is known; returns its tokens.
u32 LineScanner::State::read_record(u32 first, u32 end) {
  const kernel::Streams& streams = passes.streams();
  const u8* const tokens = streams.tokens + first;
  const u32 count = line_tokens(first, end);
  const u32 newline = base + streams.places[first + count - 1];
  const std::span<const u8> body = body_until(newline);
  levels.restart();
  if (count == 1) {
    // Blanks only.
  } else if (kernel.tokens(levels, tokens, count)) {
    std::fill(row, row + row_words(fields), 0);
    if (fields != 0) {
      walker.start(body.data(), row);
      walker.feed(tokens, streams.places + first, count, base - line);
    }
    if (count <= kernel::kShapeTokens) learn_record(first, count, body);
    accept(static_cast<u32>(body.size()));
  } else {
    refuse(body);
  }
  go_to(newline + 1);
  return count;
}

void LineScanner::State::learn_record(u32 first, u32 count, std::span<const u8> body) {
  const kernel::Streams& streams = passes.streams();
  if ((fields != 0 && !walker.has_all_keys()) || !shapes.curious()) return;
  likely = shapes.learn({.tokens = {streams.tokens + first, count},
                         .places = streams.places + first,
                         .base = base - line,
                         .body = body.data(),
                         .row = row,
                         .keys = fields != 0 ? walker.keys() : std::span<const KeyRange>{}});
}

/// Reads line by line up to the first one that begins at `end` or behind.
void LineScanner::State::read_lines_alone(u32 end) {
  while (!done() && line < end) read_line_alone();
}

void LineScanner::State::read_line_alone() {
  const void* found = std::memchr(text.data() + line, '\n', text.size() - line);
  const u32 newline = found == nullptr
                          ? static_cast<u32>(text.size())
                          : static_cast<u32>(static_cast<const u8*>(found) - text.data());
  const std::span<const u8> body = body_until(newline);
  if (!std::ranges::all_of(body, is_blank_in_line)) {
    if (alone.read(body, row)) {
      accept(static_cast<u32>(body.size()));
    } else {
      refuse(body);
    }
  }
  go_to(newline + 1);
}

std::span<const u8> LineScanner::State::body_until(u32 newline) const {
  const bool carriage_return = newline > line && text[newline - 1] == '\r';
  return text.subspan(line, newline - line - carriage_return);
}

void LineScanner::State::accept(u32 size) {
  row[0] = pack_range(line, size);
  row += row_words(fields);
  --rows_left;
  ++progress.rows;
}

void LineScanner::State::refuse(std::span<const u8> body) {
  const Error error = exact_fault(exact, body);
  ++progress.faults;
  faults->on_fault({line, static_cast<u32>(body.size()), progress.lines, error});
}

LineScanner::LineScanner(const Selection& selection, const ScanOptions& options,
                         std::span<std::byte> streams)
    : state_(std::make_unique<State>(selection, options, streams)) {}

LineScanner::~LineScanner() = default;

LineScanner::Progress LineScanner::scan(std::span<const std::uint8_t> text,
                                        std::span<std::uint64_t> rows, LineFaults& faults) {
  return state_->scan(text, rows, faults);
}

}  // namespace sluice::json
