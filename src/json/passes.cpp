#include "json/passes.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/check.h"
#include "json/bytes.h"

namespace sluice::json {
namespace {

using kernel::kBlockBytes;
using kernel::u8;

/// True of a token that begins a number or literal, be it a wrong one. Without branches, so that
/// many are asked at once.
bool is_scalar(u8 token) {
  const bool bracket = (token == '{') | (token == '}') | (token == '[') | (token == ']');
  return !(bracket | (token == ':') | (token == ',') | (token == '"') | (token == '\n'));
}

/// The place of the scalar that `count` others precede from token `at` on, or `end`.
std::uint32_t skip_scalars(const u8* tokens, std::uint32_t at, std::uint32_t end,
                           std::uint32_t count) {
  constexpr std::uint32_t kStep = 32;
  while (count >= kStep && end - at >= kStep) {
    u8 seen = 0;
    for (std::uint32_t i = 0; i < kStep; ++i)
      seen = static_cast<u8>(seen + is_scalar(tokens[at + i]));
    at += kStep;
    count -= seen;
  }
  for (; at < end; ++at) {
    if (is_scalar(tokens[at]) && count-- == 0) break;
  }
  return at;
}

/// Shortens runs of digits to two. Neither the verdict on a number nor on what may follow it
/// changes, and a number of any size fits: at most -12.34e+56 is left.
std::uint32_t shorten(u8* text, std::uint32_t size) {
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < size; ++i) {
    const bool run = kept >= 2 && is_digit(text[kept - 1]) && is_digit(text[kept - 2]);
    if (!run || !is_digit(text[i])) text[kept++] = text[i];
  }
  return kept;
}

}  // namespace

Passes::Passes(const kernel::Kernel& kernel, const ScanOptions& options, kernel::TokenForm form,
               std::span<std::byte> memory)
    : kernel_(kernel),
      pass_surrogates_(options.pass_surrogates ? ~std::uint64_t{0} : 0),
      form_(form),
      streams_(kernel::Streams::in(memory.data())) {
  SLUICE_CHECK(memory.size() >= kernel::kStreamsBytes);
  restart();
}

void Passes::restart() {
  streams_.token_count = streams_.scalar_count = 0;
  carry_ = {};
  carry_.unit.pass_surrogates = pass_surrogates_;
}

void Passes::resume(const kernel::TextCarry& carry, std::span<const u8> scalar) {
  SLUICE_CHECK(scalar.size() <= kernel::kScalarCapacity);
  streams_.token_count = 0;
  streams_.scalar_count = static_cast<std::uint32_t>(scalar.size());
  std::ranges::copy(scalar, streams_.scalars);
  carry_ = carry;
  carry_.unit.pass_surrogates = pass_surrogates_;
}

void Passes::read_blocks(const u8* text, std::uint32_t blocks, std::uint32_t base, Chunk& chunk) {
  const kernel::TextEnd end =
      kernel_.text[static_cast<std::size_t>(form_)][busy_](carry_, streams_, text, blocks, base);
  chunk.size += end.blocks * kBlockBytes;
  chunk.fault = end.fault;
  busy_ = end.busy;
}

Passes::Chunk Passes::read(std::span<const u8> text, std::uint32_t size_max, bool last,
                           std::uint32_t base) {
  Chunk chunk;
  const std::uint32_t tokens_before = streams_.token_count;
  const bool goes_on = streams_.scalar_count != 0;
  const std::size_t size =
      text.size() <= size_max ? text.size() : size_max / kBlockBytes * kBlockBytes;
  const std::size_t readable = text.size() - std::min<std::size_t>(text.size(), kernel::kOverread);
  const std::size_t direct = std::min(size, readable) / kBlockBytes;
  if (direct != 0) read_blocks(text.data(), static_cast<std::uint32_t>(direct), base, chunk);
  while (chunk.size < size && size - chunk.size < 2 * kBlockBytes && !chunk.fault) {
    if (!read_copy(text.subspan(chunk.size), last, base + chunk.size, chunk)) break;
  }
  // Half a pair before the end of its string shows in the next block only. Whoever goes on from
  // here later would not know of it. (Lines do not end here.)
  const bool half_pair = carry_.in_string == 0 && carry_.unit.pending() != 0;
  if (half_pair && form_ != kernel::TokenForm::lines) chunk.fault = true;
  chunk.scalar_fault = !check_scalars();
  if (chunk.scalar_fault) find_suspects(tokens_before, goes_on);
  return chunk;
}

/// Reads the next block, one of the last, from a copy with blanks behind it.
bool Passes::read_copy(std::span<const u8> rest, bool last, std::uint32_t base, Chunk& chunk) {
  const std::size_t size = std::min<std::size_t>(rest.size(), kBlockBytes);
  if (size < kBlockBytes && !last) return false;
  std::array<u8, kBlockBytes + kernel::kOverread> block;
  block.fill(' ');
  std::memcpy(block.data(), rest.data(), size);
  const std::uint32_t before = chunk.size;
  read_blocks(block.data(), 1, base, chunk);
  if (chunk.size == before) return false;
  chunk.size = before + static_cast<std::uint32_t>(size);
  return true;
}

/// Checks the scalars that are complete and keeps the beginning of one that is not.
bool Passes::check_scalars() {
  const kernel::ScalarEnd end = kernel_.scalars(streams_.scalars, streams_.scalar_count);
  suspects_.count = 0;
  if (end.fault) kernel_.suspects(streams_.scalars, end.used, suspects_);
  std::uint32_t rest = streams_.scalar_count - end.used;
  std::memmove(streams_.scalars, streams_.scalars + end.used, rest);
  if (rest > kBlockBytes) rest = shorten(streams_.scalars, rest);
  streams_.scalar_count = rest;
  return !end.fault && rest <= kBlockBytes;
}

/// Turns the numbers of suspects among the scalars just checked into numbers of tokens. The first
/// of those scalars began in an earlier chunk when it `goes_on`. A suspect that is not among the
/// whole ones is the one without an end, which is too long for a number.
void Passes::find_suspects(std::uint32_t tokens_before, bool goes_on) {
  const u8* const tokens = streams_.tokens;
  std::uint32_t first = tokens_before;
  while (goes_on && first > 0 && !is_scalar(tokens[--first])) {
  }
  std::uint32_t token = first;
  std::uint32_t number = 0;
  std::uint32_t found = 0;
  for (std::uint32_t& suspect : std::span(suspects_.numbers, suspects_.count)) {
    token = skip_scalars(tokens, token, streams_.token_count, suspect - number);
    number = suspect;
    suspect = token;
    if (token != streams_.token_count) ++found;
  }
  suspects_.count = found;
  if (found != 0) return;
  std::uint32_t last = streams_.token_count;
  while (last > first && !is_scalar(tokens[last - 1])) --last;
  suspects_.numbers[suspects_.count++] = last > first ? last - 1 : first;
}

bool Passes::finish(std::uint32_t place) {
  if (carry_.in_string != 0 || carry_.inside_escape()) return false;
  if (carry_.in_scalar != 0) streams_.scalars[streams_.scalar_count++] = ' ';
  streams_.tokens[streams_.token_count] = '\n';
  streams_.places[streams_.token_count] = static_cast<std::uint16_t>(place);
  ++streams_.token_count;
  return check_scalars();
}

void Passes::drop_tokens(std::uint32_t count, std::uint32_t shift) {
  const std::uint32_t rest = streams_.token_count - count;
  std::memmove(streams_.tokens, streams_.tokens + count, rest);
  for (std::uint32_t i = 0; i < rest; ++i) {
    streams_.places[i] = static_cast<std::uint16_t>(streams_.places[count + i] - shift);
  }
  streams_.token_count = rest;
}

}  // namespace sluice::json
