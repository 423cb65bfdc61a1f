#include "number/write.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <string_view>

#include "kernel/guarded_text.h"
#include "number/number_test_support.h"
#include "number/powers.h"
#include "number/read.h"

namespace sluice::number {
namespace {

/// What `write` makes of the value in exactly the room it may ask for, a guard page behind it.
template <class T>
std::string written(T value) {
  static const kernel::GuardedText room(std::string(kNumberBytes, '\0'));
  char* const out = reinterpret_cast<char*>(room.bytes().data());
  return {out, write(out, value)};
}

TEST(WriteInteger, Limits) {
  EXPECT_EQ(written(std::uint64_t{0}), "0");
  EXPECT_EQ(written(std::uint64_t{9}), "9");
  EXPECT_EQ(written(std::uint64_t{10}), "10");
  EXPECT_EQ(written(std::uint64_t{99999999}), "99999999");
  EXPECT_EQ(written(std::uint64_t{100000000}), "100000000");
  EXPECT_EQ(written(std::uint64_t{9999999999999999}), "9999999999999999");
  EXPECT_EQ(written(std::uint64_t{10000000000000000}), "10000000000000000");
  EXPECT_EQ(written(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(written(std::numeric_limits<std::int64_t>::max()), "9223372036854775807");
  EXPECT_EQ(written(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(written(std::int64_t{-1}), "-1");
}

TEST(WriteInteger, EveryCountOfDigitsIsThatOfTheStandardLibrary) {
  std::mt19937_64 random(1);
  for (int round = rounds(300000); round > 0; --round) {
    const auto value = static_cast<std::int64_t>(random()) >> (random() % 64);
    ASSERT_EQ(written(value), std::to_string(value));
    const std::uint64_t bits = random() >> (random() % 64);
    ASSERT_EQ(written(bits), std::to_string(bits));
  }
}

TEST(Digits, SixteenAtOnceAreThoseOfEightTwice) {
  std::mt19937_64 random(5);
  const auto expect_same = [](std::uint32_t high, std::uint32_t low) {
    const Digits16 both = digits_of_16(high, low);
    ASSERT_EQ(both.high, digits_of_8(high)) << high;
    ASSERT_EQ(both.low, digits_of_8(low)) << low;
  };
  // Every half of eight digits that there is, in every place.
  for (std::uint32_t half = 0; half < 10000; ++half) {
    const auto other = static_cast<std::uint32_t>(random() % 10000);
    expect_same(half * 10000 + other, other * 10000 + half);
    expect_same(other * 10000 + half, half * 10000 + other);
  }
  char text[9];
  for (const std::uint32_t value : {0u, 1u, 9999u, 10000u, 12345678u, 99999999u}) {
    std::snprintf(text, sizeof text, "%08u", value);
    char digits[8];
    store_word(digits, digits_of_8(value) | kZeroDigits);
    EXPECT_EQ(std::string_view(digits, 8), text);
  }
}

// The expected texts are those that ECMAScript asks for, with `.0` behind what looks like an
// integer.
TEST(WriteDouble, Notation) {
  EXPECT_EQ(written(0.0), "0.0");
  EXPECT_EQ(written(-0.0), "-0.0");
  EXPECT_EQ(written(1.0), "1.0");
  EXPECT_EQ(written(-2.5), "-2.5");
  EXPECT_EQ(written(0.1), "0.1");
  EXPECT_EQ(written(0.3 - 0.1), "0.19999999999999998");
  EXPECT_EQ(written(1234567.25), "1234567.25");
  EXPECT_EQ(written(12345678.5), "12345678.5");
  EXPECT_EQ(written(123456789.5), "123456789.5");
  EXPECT_EQ(written(1234567890.5), "1234567890.5");
  EXPECT_EQ(written(123456789012345.67), "123456789012345.67");
  EXPECT_EQ(written(4503599627370495.5), "4503599627370495.5");
  EXPECT_EQ(written(9007199254740992.0), "9007199254740992.0");
  EXPECT_EQ(written(123456789012345680000.0), "123456789012345680000.0");
  EXPECT_EQ(written(1e20), "100000000000000000000.0");
  EXPECT_EQ(written(1e21), "1e+21");
  EXPECT_EQ(written(1.5e300), "1.5e+300");
  EXPECT_EQ(written(0.000001), "0.000001");
  EXPECT_EQ(written(0.0000015), "0.0000015");
  EXPECT_EQ(written(0.0000001), "1e-7");
  EXPECT_EQ(written(-1.2345678901234568e-7), "-1.2345678901234568e-7");
  EXPECT_EQ(written(-0.0000012345678901234567), "-0.0000012345678901234567");
  EXPECT_EQ(written(5e-324), "5e-324");
  EXPECT_EQ(written(2.2250738585072014e-308), "2.2250738585072014e-308");
  EXPECT_EQ(written(1.7976931348623157e308), "1.7976931348623157e+308");
  EXPECT_EQ(written(9.5367431640625e-7), "9.5367431640625e-7");
}

/// Digits without sign, point, exponent and zeros at either end.
std::string digits_only(std::string_view text) {
  std::string digits;
  for (const char byte : text.substr(0, text.find('e'))) {
    if (byte >= '0' && byte <= '9') digits += byte;
  }
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
  digits.erase(digits.find_last_not_of('0') + 1);
  return digits;
}

/// Reads back bit for bit, as a double and not an integer; the digits are as few as those of the
/// standard library, and the same where they are as near.
void expect_shortest(double value) {
  const std::string text = written(value);
  ASSERT_LE(text.size(), kNumberBytes);
  double back = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), back);
  ASSERT_EQ(end.ptr, text.data() + text.size()) << text;
  ASSERT_EQ(std::bit_cast<std::uint64_t>(back), std::bit_cast<std::uint64_t>(value)) << text;
  ASSERT_FALSE(to_int64(text.data(), text.data() + text.size()).has_value()) << text;
  char scientific[64];
  const auto expected = std::to_chars(scientific, scientific + sizeof scientific, value,
                                      std::chars_format::scientific);
  ASSERT_EQ(digits_only(text), digits_only({scientific, expected.ptr})) << text;
}

TEST(WriteDouble, RandomPatterns) {
  std::mt19937_64 random(2);
  for (int round = rounds(200000); round > 0; --round) {
    const double value = std::bit_cast<double>(random());
    if (std::isfinite(value)) expect_shortest(value);
  }
}

TEST(WriteDouble, PowersOfTwoAndTheirNeighbours) {
  for (int exponent = -1074; exponent <= 1023; ++exponent) {
    const double power = std::ldexp(1.0, exponent);
    expect_shortest(power);
    expect_shortest(std::nextafter(power, 0));
    expect_shortest(std::nextafter(power, 1e300));
  }
}

TEST(WriteDouble, FewDigitsOfEveryMagnitude) {
  std::mt19937_64 random(3);
  for (int round = rounds(200000); round > 0; --round) {
    const std::string text = std::to_string(random() >> (random() % 64)) + "e" +
                             std::to_string(static_cast<int>(random() % 60) - 40);
    double value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    expect_shortest(value);
  }
}

TEST(WriteDouble, RoundedUpPowersHaveNoCarry) {
  for (int exponent = kExactPowerMax + 1; exponent <= kPowerMax; ++exponent) {
    EXPECT_NE(power_of_ten(exponent).low, ~std::uint64_t{0}) << exponent;
  }
}

/// In exponent notation, digits only as many as the float needs; then the exponent.
std::string scientific(float value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value, std::chars_format::scientific).ptr};
}

void expect_shortest_float(float value) {
  const std::string text = written(value);
  float back = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), back);
  ASSERT_EQ(fault, std::errc()) << text;
  EXPECT_EQ(end, text.data() + text.size()) << text;
  EXPECT_EQ(std::bit_cast<std::uint32_t>(back), std::bit_cast<std::uint32_t>(value)) << text;
  EXPECT_NE(text.find_first_of(".e"), std::string::npos) << text;
  // The same decimal as the library of C++ writes, whatever the notation.
  EXPECT_EQ(std::strtod(text.c_str(), nullptr), std::strtod(scientific(value).c_str(), nullptr));
}

TEST(WriteFloat, ByHand) {
  EXPECT_EQ(written(0.1F), "0.1");
  EXPECT_EQ(written(1.0F), "1.0");
  EXPECT_EQ(written(-0.0F), "-0.0");
  EXPECT_EQ(written(16777216.0F), "16777216.0");
  EXPECT_EQ(written(3.4028235e38F), "3.4028235e+38");
  EXPECT_EQ(written(-std::numeric_limits<float>::denorm_min()), "-1e-45");
}

TEST(WriteFloat, AnyBitsAndPowersOfTwoWithTheirNeighbours) {
  std::mt19937 random(4);
  for (int round = rounds(200000); round > 0; --round) {
    const float value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (std::isfinite(value)) expect_shortest_float(value);
  }
  for (int exponent = -149; exponent <= 127; ++exponent) {
    const float power = std::ldexp(1.0F, exponent);
    expect_shortest_float(power);
    expect_shortest_float(std::nextafter(power, 0.0F));
    expect_shortest_float(std::nextafter(power, 3e38F));
  }
}

TEST(WriteDoubleDeathTest, InfinityHasNoText) {
  char out[kNumberBytes];
  EXPECT_DEATH(write(out, std::numeric_limits<double>::infinity()), "0x7FF");
}

}  // namespace
}  // namespace sluice::number
