#include "kernel/crc32c.h"

#include <bit>
#include <cstring>

#include "kernel/crc32c_tables.h"

namespace sluice::kernel {
namespace {

/// Table n takes a byte that n more bytes follow.
constexpr std::array<ByteTable, 8> make_slices() {
  std::array<ByteTable, 8> slices{};
  for (unsigned index = 0; index < 8; ++index) slices[index] = byte_table(zero_bytes(index + 1), 0);
  return slices;
}

constexpr std::array<ByteTable, 8> kSlices = make_slices();

std::uint64_t load_little_endian(const std::uint8_t* bytes) {
  std::uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  return std::endian::native == std::endian::big ? __builtin_bswap64(word) : word;
}

std::uint32_t take_word(std::uint64_t word) {
  std::uint32_t state = 0;
  for (unsigned index = 0; index < 8; ++index) {
    state ^= kSlices[7 - index][word >> 8 * index & 0xFF];
  }
  return state;
}

Crc32cStep best_step() {
  const Crc32cStep instruction = crc32c_instruction();
  return instruction != nullptr ? instruction : crc32c_portable;
}

}  // namespace

std::uint32_t crc32c_portable(std::uint32_t state, std::span<const std::uint8_t> bytes) {
  const std::uint8_t* at = bytes.data();
  const std::uint8_t* const end = at + bytes.size();
  for (; end - at >= 8; at += 8) state = take_word(load_little_endian(at) ^ state);
  for (; at != end; ++at) state = state >> 8 ^ kSlices[0][(state ^ *at) & 0xFF];
  return state;
}

void Crc32c::update(std::span<const std::uint8_t> bytes) {
  static const Crc32cStep step = best_step();
  state_ = step(state_, bytes);
}

}  // namespace sluice::kernel
