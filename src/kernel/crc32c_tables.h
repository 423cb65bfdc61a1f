#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

/// Arithmetic behind CRC-32C at compile time. The register is a polynomial over GF(2) of degree
/// below 32, reflected: bit 31 is the factor of x^0. Reading a zero byte multiplies it by x^8.
namespace sluice::kernel {

inline constexpr std::uint32_t kCastagnoli = 0x82F63B78;

constexpr std::uint32_t times_x(std::uint32_t value) {
  return value >> 1 ^ ((value & 1) != 0 ? kCastagnoli : 0);
}

constexpr std::uint32_t multiply(std::uint32_t left, std::uint32_t right) {
  std::uint32_t product = 0;
  for (std::uint32_t bit = 1u << 31; bit != 0; bit >>= 1) {
    if ((left & bit) != 0) product ^= right;
    right = times_x(right);
  }
  return product;
}

/// x^(8 * count): what the register is multiplied by when `count` zero bytes are read.
constexpr std::uint32_t zero_bytes(std::size_t count) {
  std::uint32_t result = 1u << 31;
  std::uint32_t square = 1u << 23;
  for (; count != 0; count >>= 1) {
    if ((count & 1) != 0) result = multiply(result, square);
    square = multiply(square, square);
  }
  return result;
}

using ByteTable = std::array<std::uint32_t, 256>;

/// Entry b: the contribution of byte `index` of the register, with value b, times `factor`.
constexpr ByteTable byte_table(std::uint32_t factor, unsigned index) {
  ByteTable table{};
  for (unsigned bit = 0; bit < 8; ++bit) {
    const std::uint32_t image = multiply(1u << (8 * index + bit), factor);
    for (unsigned low = 0; low < 1u << bit; ++low) {
      table[low | 1u << bit] = table[low] ^ image;
    }
  }
  return table;
}

}  // namespace sluice::kernel
