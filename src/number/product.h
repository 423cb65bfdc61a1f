#pragma once

#include <cstdint>

namespace sluice::number {

__extension__ using Uint128 = unsigned __int128;

/// The two halves of a product of 64 x 64 bits.
struct Product {
  std::uint64_t high;
  std::uint64_t low;
};

inline Product multiply(std::uint64_t a, std::uint64_t b) {
  const Uint128 product = static_cast<Uint128>(a) * b;
  return {static_cast<std::uint64_t>(product >> 64), static_cast<std::uint64_t>(product)};
}

}  // namespace sluice::number
