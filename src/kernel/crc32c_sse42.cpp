#include "kernel/crc32c.h"

#if defined(__x86_64__)

#include <nmmintrin.h>

#include <cstring>

#include "kernel/crc32c_tables.h"

namespace sluice::kernel {
namespace {

/// Multiplies the register by x^(8 * size), a byte of it at a time.
template <std::size_t size>
struct Shift {
  static constexpr std::uint32_t kFactor = zero_bytes(size);
  static constexpr std::array<ByteTable, 4> kTables = {
      byte_table(kFactor, 0), byte_table(kFactor, 1), byte_table(kFactor, 2),
      byte_table(kFactor, 3)};

  static std::uint32_t apply(std::uint32_t state) {
    return kTables[0][state & 0xFF] ^ kTables[1][state >> 8 & 0xFF] ^
           kTables[2][state >> 16 & 0xFF] ^ kTables[3][state >> 24];
  }
};

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("sse4.2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("sse4.2")
#endif

std::uint64_t take_word(std::uint64_t state, const std::uint8_t* at) {
  std::uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return _mm_crc32_u64(state, word);
}

std::uint64_t take_words(std::uint64_t state, const std::uint8_t* at, std::size_t size) {
  for (std::size_t done = 0; done + 8 <= size; done += 8) state = take_word(state, at + done);
  return state;
}

/// The instruction gives its result after three cycles but could begin anew every cycle. So three
/// neighbouring lanes are read side by side, the later two as if they began a text, and joined:
/// reading A then B is the register after A moved over as many zeros as B has bytes, plus B alone.
template <std::size_t lane>
std::uint32_t take_lanes(std::uint32_t state, const std::uint8_t*& at, const std::uint8_t* end) {
  while (static_cast<std::size_t>(end - at) >= 3 * lane) {
    std::uint64_t first = state;
    std::uint64_t second = 0;
    std::uint64_t third = 0;
    for (std::size_t done = 0; done < lane; done += 8) {
      first = take_word(first, at + done);
      second = take_word(second, at + lane + done);
      third = take_word(third, at + 2 * lane + done);
    }
    state =
        Shift<lane>::apply(static_cast<std::uint32_t>(first)) ^ static_cast<std::uint32_t>(second);
    state = Shift<lane>::apply(state) ^ static_cast<std::uint32_t>(third);
    at += 3 * lane;
  }
  return state;
}

std::uint32_t step(std::uint32_t state, std::span<const std::uint8_t> bytes) {
  constexpr std::size_t kLongLane = 2048;
  constexpr std::size_t kShortLane = 128;
  const std::uint8_t* at = bytes.data();
  const std::uint8_t* const end = at + bytes.size();
  state = take_lanes<kLongLane>(state, at, end);
  state = take_lanes<kShortLane>(state, at, end);
  const std::size_t words = static_cast<std::size_t>(end - at) / 8 * 8;
  state = static_cast<std::uint32_t>(take_words(state, at, words));
  for (at += words; at != end; ++at) state = _mm_crc32_u8(state, *at);
  return state;
}

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

}  // namespace

Crc32cStep crc32c_instruction() { return __builtin_cpu_supports("sse4.2") ? step : nullptr; }

}  // namespace sluice::kernel

#else

namespace sluice::kernel {

Crc32cStep crc32c_instruction() { return nullptr; }

}  // namespace sluice::kernel

#endif
