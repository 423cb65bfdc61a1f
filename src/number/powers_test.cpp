#include "number/powers.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace sluice::number {
namespace {

/// A natural number of any size, the lowest word first, without leading zeros.
using Natural = std::vector<std::uint32_t>;

Natural multiplied(const Natural& number, std::uint64_t factor_low, std::uint64_t factor_high = 0) {
  const std::uint64_t parts[] = {factor_low & 0xFFFFFFFF, factor_low >> 32,
                                 factor_high & 0xFFFFFFFF, factor_high >> 32};
  Natural product(number.size() + 5);
  for (std::size_t i = 0; i < 4; ++i) {
    std::uint64_t carry = 0;
    for (std::size_t j = 0; j < number.size() || carry != 0; ++j) {
      carry += product[i + j] + (j < number.size() ? parts[i] * number[j] : 0);
      product[i + j] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }
  while (!product.empty() && product.back() == 0) product.pop_back();
  return product;
}

Natural power_of_5(int exponent) {
  Natural power = {1};
  for (int i = 0; i < exponent; ++i) power = multiplied(power, 5);
  return power;
}

Natural shifted(const Natural& number, int bits) {
  Natural result(static_cast<std::size_t>(bits / 32), 0);
  const Natural high = multiplied(number, std::uint64_t{1} << (bits % 32));
  result.insert(result.end(), high.begin(), high.end());
  return result;
}

bool less(const Natural& a, const Natural& b) {
  if (a.size() != b.size()) return a.size() < b.size();
  for (std::size_t i = a.size(); i-- > 0;) {
    if (a[i] != b[i]) return a[i] < b[i];
  }
  return false;
}

/// floor(log2) of a natural number above 0.
int log2_of(const Natural& number) {
  int bits = 0;
  for (std::uint32_t top = number.back(); top > 1; top >>= 1) ++bits;
  return static_cast<int>(number.size() - 1) * 32 + bits;
}

Natural mantissa(const Power& power, bool one_more) {
  const std::uint64_t low = power.low + (one_more ? 1 : 0);
  return multiplied({1}, low, power.high + (low < power.low ? 1 : 0));
}

TEST(Powers, ThoseFromOneUpAreRoundedDown) {
  for (int exponent = 0; exponent <= kPowerMax; ++exponent) {
    const Natural exact = power_of_5(exponent);
    const Power& power = power_of_ten(exponent);
    ASSERT_TRUE(power.high >> 63) << exponent;
    // Both sides times 2^127, so that no shift goes down.
    const int shift = log2_of(exact);
    ASSERT_FALSE(less(shifted(exact, 127), shifted(mantissa(power, false), shift))) << exponent;
    ASSERT_TRUE(less(shifted(exact, 127), shifted(mantissa(power, true), shift))) << exponent;
    const bool is_exact = shifted(exact, 127) == shifted(mantissa(power, false), shift);
    EXPECT_EQ(is_exact, exponent <= kExactPowerMax) << exponent;
  }
}

TEST(Powers, NegativeOnesAreRoundedUp) {
  for (int exponent = -1; exponent >= kPowerMin; --exponent) {
    const Natural divisor = power_of_5(-exponent);
    const Power& power = power_of_ten(exponent);
    ASSERT_TRUE(power.high >> 63) << exponent;
    // (m - 1) x 5^n < 2^b < m x 5^n, with the b that makes m one of 128 bits.
    const Natural whole = shifted({1}, 128 + log2_of(divisor));
    const auto times = [&](std::uint64_t low, std::uint64_t high) {
      return multiplied(divisor, low, high);
    };
    const std::uint64_t low_before = power.low - 1;
    const std::uint64_t high_before = power.high - (power.low == 0 ? 1 : 0);
    ASSERT_TRUE(less(whole, times(power.low, power.high))) << exponent;
    ASSERT_TRUE(less(times(low_before, high_before), whole)) << exponent;
  }
}

TEST(Powers, LogarithmIsThatOfThePower) {
  for (int exponent = 0; exponent <= 1233; ++exponent) {
    // 10^e = 5^e x 2^e; the negative power lies strictly between two powers of two, but for 10^0.
    const int log2 = log2_of(power_of_5(exponent)) + exponent;
    ASSERT_EQ(log2_of_power(exponent), log2);
    if (exponent > 0) {
      ASSERT_EQ(log2_of_power(-exponent), -log2 - 1);
    }
  }
}

}  // namespace
}  // namespace sluice::number
