#include "document/index.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <optional>
#include <span>

#include "document/fault_trail.h"
#include "json/passes.h"
#include "number/kept.h"

namespace sluice::json {
namespace {

using kernel::u32;
using kernel::u64;
using kernel::u8;

/// Bytes of a token in all three arrays.
constexpr std::size_t kTokenBytes = sizeof(u8) + 2 * sizeof(u32);

/// What the index pass may write behind the last token.
constexpr std::size_t kSpareTokens = 64;

std::span<const u8> bytes_of(std::string_view text) {
  return {reinterpret_cast<const u8*>(text.data()), text.size()};
}

/// How many tokens to make room for when `tokens` are there at `read` bytes of `size`: as if the
/// rest were like the beginning, and an eighth more; at least twice as many, never more than can
/// come.
std::size_t expected_tokens(u64 tokens, u64 read, u64 size) {
  const u64 likely = tokens * size / read * 9 / 8;
  return std::min(std::max(likely, 2 * tokens), size + 1);
}

/// The first of ascending places, from `place` on, that lies behind `offset`. Places are compared
/// 64 at a time, the last of them first: where strings with escapes are next is not foreseen, and
/// bisection asks a branch at each of its steps. Requires: the last one lies behind it.
const u32* place_behind(const u32* place, const u32* end, u32 offset) {
  constexpr std::ptrdiff_t kStep = 64;
  while (end - place > kStep && place[kStep - 1] <= offset) place += kStep;
  const std::ptrdiff_t size = std::min(end - place, kStep);
  u32 before = 0;
  for (std::ptrdiff_t i = 0; i < size; ++i) before += place[i] <= offset ? 1 : 0;
  return place + before;
}

}  // namespace

Index::Index(std::pmr::memory_resource* resource)
    : arrays_(resource),
      values_(resource),
      escaped_(resource),
      levels_(resource),
      spill_(resource) {}

/// Where a chunk with a fault begins.
struct Index::Stop {
  std::optional<FaultTrail> trail;  ///< none in the first chunk
  u32 likely = 0;                   ///< bytes of the chunk in which the text pass saw no fault
};

Result<void> Index::build(std::string_view text, const ScanOptions& options, Values values) {
  view_ = {};
  when_ = values;
  if (text.size() > kTextMax) return Error{.code = ErrorCode::document_limit, .offset = kTextMax};
  // No text is nested deeper than it is long; so no option makes us take more than that.
  ScanOptions bounded = options;
  bounded.max_depth = static_cast<u32>(std::min<std::size_t>(options.max_depth, text.size()));
  try {
    Stop stop;
    if (read(text, bounded, stop)) return {};
    if (!stop.trail) stop.trail.emplace(bounded);
    return stop.trail->first_fault(text, stop.likely);
  } catch (const std::bad_alloc&) {
    return Error{.code = ErrorCode::out_of_memory};
  }
}

/// False at a fault. Each chunk goes through all passes while it is in the cache.
bool Index::read(std::string_view text, const ScanOptions& options, Stop& stop) {
  alignas(64) std::byte streams_memory[kStreamBytes];
  Passes passes(kernel::active(), options, kernel::TokenForm::placed, streams_memory);
  const std::size_t spill_bytes = kernel::TokenCarry::spill_words(options.max_depth) * sizeof(u64);
  if (spill_.size_bytes() < spill_bytes) spill_ = {spill_.resource(), spill_bytes};
  kernel::TokenCarry grammar;
  grammar.spill = reinterpret_cast<u64*>(spill_.data());
  grammar.depth_max = options.max_depth;
  carry_ = {};
  converted_ = searched_ = 0;
  escaped_.clear();
  lay_out(arrays_);
  carry_.open = reinterpret_cast<kernel::OpenBracket*>(levels_.data());

  std::size_t at = 0;
  while (at < text.size()) {
    const Passes::Chunk chunk =
        passes.read(bytes_of(text.substr(at)), Passes::kChunkBytes, /*last=*/true, 0);
    stop.likely = chunk.size;
    if (chunk.fault || chunk.scalar_fault) return false;
    const u32 tokens = carry_.count + passes.streams().token_count;
    if (tokens > capacity()) reserve(expected_tokens(tokens, at + chunk.size, text.size()));
    if (!append(passes, grammar, static_cast<u32>(at))) return false;
    convert(passes.kernel(), text, carry_.count);
    at += chunk.size;
    if (at == text.size()) break;
    if (!stop.trail) stop.trail.emplace(options);
    stop.trail->move_to(at, passes, grammar, bytes_of(text.substr(at - chunk.size, chunk.size)));
  }
  if (!passes.finish(0)) return false;
  reserve(carry_.count + 1);
  if (!append(passes, grammar, static_cast<u32>(at))) return false;
  convert(passes.kernel(), text, carry_.count);
  view_ = {bytes_of(text).data(),
           carry_.tokens,
           carry_.places,
           carry_.links,
           carry_.count - 1,
           static_cast<u32>(at),
           when_ == Values::at_once ? reinterpret_cast<u64*>(values_.data()) : nullptr};
  return true;
}

/// Checks the tokens of a chunk that began at `base`, and moves them to the arrays.
bool Index::append(Passes& passes, kernel::TokenCarry& grammar, u32 base) {
  const kernel::Streams& streams = passes.streams();
  if (!passes.kernel().tokens(grammar, streams.tokens, streams.token_count)) return false;
  reserve_levels(carry_.depth + streams.token_count);
  passes.kernel().index(carry_, streams.tokens, streams.places, streams.token_count, base);
  passes.drop_tokens(streams.token_count, 0);
  return true;
}

/// Converts the numbers of the tokens before `end` that were not yet, and finds their strings with
/// escapes; but for the last token, whose text may go on in the next chunk, unchecked. The text is
/// still in the cache.
void Index::convert(const kernel::Kernel& kernel, std::string_view text, u32 end) {
  if (when_ == Values::when_asked || end - converted_ < 2) return;
  u32 rest[kernel::kTokenCapacity / 2 + kSpareTokens];
  auto* const values = reinterpret_cast<u64*>(values_.data());
  kernel::Numbers numbers = {bytes_of(text).data(),
                             static_cast<u32>(text.size()),
                             carry_.tokens,
                             carry_.places,
                             values,
                             rest};
  kernel.numbers(numbers, converted_, end - 1);
  for (const u32 token : std::span(rest, numbers.rest_count)) {
    const char* const first = text.data() + carry_.places[token];
    values[token / 2] = number::to_kept(first, text.data() + text.size());
  }
  find_escapes(text, end - 1);
  converted_ = end - 1;
}

/// Goes from backslash to backslash, which is much faster than from string to string, up to where
/// the token `last` begins.
void Index::find_escapes(std::string_view text, u32 last) {
  const u32* const places_end = carry_.places + last + 1;
  const u32 text_end = carry_.places[last];
  const u32* place = carry_.places + converted_;
  while (searched_ < text_end) {
    const void* const found = std::memchr(text.data() + searched_, '\\', text_end - searched_);
    if (found == nullptr) break;
    const auto backslash = static_cast<u32>(static_cast<const char*>(found) - text.data());
    place = place_behind(place, places_end, backslash);  // the token behind the string
    escaped_.push_back(static_cast<u32>(place - carry_.places) - 1);
    searched_ = *place;
  }
  searched_ = text_end;
}

std::size_t Index::capacity() const {
  std::size_t slots = arrays_.size_bytes() / kTokenBytes;
  if (when_ == Values::at_once) {
    slots = std::min(slots, values_.size_bytes() / sizeof(u64) * 2);
  }
  return slots - std::min<std::size_t>(slots, kSpareTokens);
}

void Index::lay_out(const ResourceMemory& arrays) {
  const std::size_t slots = arrays.size_bytes() / kTokenBytes;
  std::byte* const memory = arrays.data();
  carry_.places = reinterpret_cast<u32*>(memory);
  carry_.links = reinterpret_cast<u32*>(memory + slots * sizeof(u32));
  carry_.tokens = reinterpret_cast<u8*>(memory + 2 * slots * sizeof(u32));
}

/// Makes room for so many tokens in all; what is there moves along.
void Index::reserve(std::size_t tokens) {
  if (tokens <= capacity()) return;
  const std::size_t slots = (tokens / kSpareTokens + 2) * kSpareTokens;
  if (when_ == Values::at_once) {
    ResourceMemory grown(values_.resource(), slots / 2 * sizeof(u64));
    if (converted_ != 0)
      std::memcpy(grown.data(), values_.data(), (converted_ + 1) / 2 * sizeof(u64));
    values_ = std::move(grown);
  }
  ResourceMemory grown(arrays_.resource(), slots * kTokenBytes);
  const kernel::IndexCarry before = carry_;
  lay_out(grown);
  if (before.count != 0) {
    std::memcpy(carry_.places, before.places, before.count * sizeof(u32));
    std::memcpy(carry_.links, before.links, before.count * sizeof(u32));
    std::memcpy(carry_.tokens, before.tokens, before.count);
  }
  arrays_ = std::move(grown);
}

void Index::reserve_levels(std::size_t levels) {
  constexpr std::size_t kLevelBytes = sizeof(kernel::OpenBracket);
  const std::size_t wanted = (levels + 1) * kLevelBytes;  // they are numbered from 1
  if (wanted <= levels_.size_bytes()) return;
  ResourceMemory grown(levels_.resource(), 2 * wanted);
  if (carry_.depth != 0) std::memcpy(grown.data(), carry_.open, (carry_.depth + 1) * kLevelBytes);
  levels_ = std::move(grown);
  carry_.open = reinterpret_cast<kernel::OpenBracket*>(levels_.data());
}

}  // namespace sluice::json
