#include "json/checker.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/check.h"
#include "json/fault_search.h"

namespace sluice::json {

/// The passes go ahead in whole blocks, the exact machine stands at the end of what was fed: it
/// reads the bytes that do not fill a block, and answers for the end and for faults. It is brought
/// there from the last boundary, not byte by byte.
struct Checker::State {
  State(const ScanOptions& options, std::span<std::byte> memory)
      : passes(kernel::active(), options, kernel::TokenForm::bare, memory),
        exact(options),
        boundary(options.max_depth),
        next_boundary(options.max_depth),
        spill(kernel::TokenCarry::spill_words(options.max_depth)) {
    tokens.spill = spill.data();
    tokens.depth_max = options.max_depth;
  }

  Result<void> feed(std::span<const std::uint8_t> piece);
  void restart();
  Result<void> read_blocks(std::span<const std::uint8_t> blocks);
  Result<void> ask(std::span<const std::uint8_t> piece);
  bool read_chunk(std::span<const std::uint8_t> blocks, std::uint32_t& size);
  Result<void> answer(Result<void> verdict);

  /// Small pieces are gathered here, so that the machine need not be moved for every one.
  static constexpr std::size_t kStageBytes = 1024;

  Passes passes;
  PlainMachine exact;
  Boundary boundary;
  Boundary next_boundary;
  std::vector<std::uint64_t> spill;
  kernel::TokenCarry tokens;
  std::uint64_t exact_shift = 0;                ///< to add to the machine's offsets
  std::array<std::uint8_t, kStageBytes> stage;  ///< what was fed behind the boundary
  std::size_t staged = 0;
  bool doubtful = false;           ///< the passes saw a fault; the exact machine goes on alone
  std::size_t doubtful_bytes = 0;  ///< read since
  Error error;
};

void Checker::State::restart() {
  passes.restart();
  exact.restart();
  boundary.restart();
  tokens.restart();
  exact_shift = staged = doubtful_bytes = 0;
  doubtful = false;
  error = {};
}

Result<void> Checker::State::feed(std::span<const std::uint8_t> piece) {
  if (error.code != ErrorCode::none) return error;
  if (doubtful) return ask(piece);
  if (piece.size() < kStageBytes - staged) {
    std::ranges::copy(piece, stage.begin() + static_cast<std::ptrdiff_t>(staged));
    staged += piece.size();
    return answer(exact.feed(piece));
  }
  if (staged != 0) {
    const std::size_t missing = kStageBytes - staged;
    std::ranges::copy(piece.first(missing), stage.begin() + static_cast<std::ptrdiff_t>(staged));
    piece = piece.subspan(missing);
    staged = 0;
    SLUICE_TRY(read_blocks(stage));
    if (doubtful) return ask(piece);
  }
  const std::size_t whole = piece.size() / kernel::kBlockBytes * kernel::kBlockBytes;
  SLUICE_TRY(read_blocks(piece.first(whole)));
  piece = piece.subspan(whole);
  if (doubtful) return ask(piece);
  std::ranges::copy(piece, stage.begin());
  staged = piece.size();
  exact_shift = boundary.resume(exact);
  return answer(exact.feed(piece));
}

/// Reads whole blocks. Every fault shows in the chunk it stands in, so what is before the boundary
/// is never asked for again.
Result<void> Checker::State::read_blocks(std::span<const std::uint8_t> blocks) {
  while (!blocks.empty()) {
    std::uint32_t size = 0;
    if (!read_chunk(blocks, size)) {
      doubtful = true;
      blocks = blocks.subspan(FaultSearch{passes, tokens, exact}.approach(boundary, blocks, size));
      exact_shift = boundary.resume(exact);
      return answer(exact.feed(blocks));
    }
    std::swap(boundary, next_boundary);
    blocks = blocks.subspan(size);
  }
  return {};
}

/// The passes saw a fault that the exact machine will only see when a UTF-8 sequence is over.
Result<void> Checker::State::ask(std::span<const std::uint8_t> piece) {
  SLUICE_TRY(answer(exact.feed(piece)));
  doubtful_bytes += piece.size();
  SLUICE_CHECK(doubtful_bytes < 4);
  return {};
}

bool Checker::State::read_chunk(std::span<const std::uint8_t> blocks, std::uint32_t& size) {
  const Passes::Chunk chunk = passes.read(blocks, Passes::kChunkBytes, /*last=*/false, 0);
  size = chunk.size;
  if (chunk.fault || chunk.scalar_fault) return false;
  const kernel::Streams& streams = passes.streams();
  if (!passes.kernel().tokens(tokens, streams.tokens, streams.token_count)) return false;
  passes.drop_tokens(streams.token_count, 0);
  next_boundary.move_to(boundary.offset() + size, passes, tokens, blocks.first(size));
  if (!next_boundary.inside_scalar()) return true;
  // The scalar pass sees whole scalars only; the beginning of one must be right as well.
  next_boundary.resume(exact);
  return exact.feed({}).has_value();
}

Result<void> Checker::State::answer(Result<void> verdict) {
  if (verdict) return verdict;
  error = verdict.error();
  error.offset += exact_shift;
  return error;
}

Checker::Checker(const ScanOptions& options, std::span<std::byte> streams)
    : state_(std::make_unique<State>(options, streams)) {}

Checker::~Checker() = default;

Result<void> Checker::feed(std::span<const std::uint8_t> piece) { return state_->feed(piece); }

Result<void> Checker::finish() {
  if (state_->error.code != ErrorCode::none) return state_->error;
  return state_->answer(state_->exact.finish());
}

Checker::Place Checker::place() const { return state_->exact.place(); }

void Checker::restart() { state_->restart(); }

}  // namespace sluice::json
