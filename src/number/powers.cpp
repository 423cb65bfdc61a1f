#include "number/powers.h"

#include <array>
#include <cstddef>

namespace sluice::number {
namespace {

/// A number of 1,024 bits, the lowest word first. 5^324 takes 753; of 2^1023 / 5^342 229 remain.
struct Wide {
  std::array<std::uint32_t, 32> words{};

  constexpr void multiply_by_5() {
    std::uint64_t carry = 0;
    for (std::uint32_t& word : words) {
      carry += std::uint64_t{word} * 5;
      word = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }
  /// Rounds down; done n times that is the same as once by 5^n.
  constexpr void divide_by_5() {
    std::uint64_t rest = 0;
    for (std::size_t i = words.size(); i-- > 0;) {
      rest = rest << 32 | words[i];
      words[i] = static_cast<std::uint32_t>(rest / 5);
      rest %= 5;
    }
  }

  constexpr std::uint64_t word_or_0(std::ptrdiff_t index) const {
    return index < 0 ? 0 : words[static_cast<std::size_t>(index)];
  }
  constexpr Power top_128_bits() const {
    std::ptrdiff_t top = 31;
    while (words[static_cast<std::size_t>(top)] == 0) --top;
    std::uint64_t high = word_or_0(top) << 32 | word_or_0(top - 1);
    std::uint64_t low = word_or_0(top - 2) << 32 | word_or_0(top - 3);
    std::uint64_t next = word_or_0(top - 4) << 32;
    while (high >> 63 == 0) {
      high = high << 1 | low >> 63;
      low = low << 1 | next >> 63;
      next <<= 1;
    }
    return {high, low};
  }
};

constexpr Powers make_powers() {
  Powers powers{};
  Wide power;
  power.words[0] = 1;
  for (int exponent = 0; exponent <= kPowerMax; ++exponent) {
    powers[static_cast<std::size_t>(exponent - kPowerMin)] = power.top_128_bits();
    power.multiply_by_5();
  }
  Wide inverse;
  inverse.words[31] = std::uint32_t{1} << 31;
  for (int exponent = -1; exponent >= kPowerMin; --exponent) {
    inverse.divide_by_5();
    // No negative power of five is a whole number of bits, so rounding up is one more.
    Power rounded = inverse.top_128_bits();
    if (++rounded.low == 0) ++rounded.high;
    powers[static_cast<std::size_t>(exponent - kPowerMin)] = rounded;
  }
  return powers;
}

}  // namespace

constinit const Powers kPowers = make_powers();

}  // namespace sluice::number
