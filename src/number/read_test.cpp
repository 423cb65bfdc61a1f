#include "number/read.h"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <random>
#include <string>
#include <string_view>

#include "kernel/guarded_text.h"
#include "number/fraction.h"
#include "number/number_test_support.h"

namespace sluice::number {
namespace {

/// The reader's answers for a text that ends at a page nobody may touch, and for the same with
/// other bytes behind it.
template <class T, class Read>
std::optional<T> read_both_ways(std::string_view text, Read read) {
  const kernel::GuardedText guarded(text);
  const char* first = reinterpret_cast<const char*>(guarded.data());
  const std::optional<T> at_the_end = read(first, first + text.size());
  for (const char* behind : {",", "]", "}", " 1", "\n", "\"12345678"}) {
    const std::string longer = std::string(text) + behind;
    const std::optional<T> inside = read(longer.data(), longer.data() + longer.size());
    EXPECT_EQ(inside, at_the_end) << longer;
  }
  return at_the_end;
}

std::optional<std::int64_t> int64_of(std::string_view text) {
  return read_both_ways<std::int64_t>(text, to_int64);
}
std::optional<std::uint64_t> uint64_of(std::string_view text) {
  return read_both_ways<std::uint64_t>(text, to_uint64);
}
std::optional<double> double_of(std::string_view text) {
  return read_both_ways<double>(text, to_double);
}

/// The bits of what to_double reads; those of infinity where it refuses. Once with nothing behind
/// the number, once with more.
std::uint64_t bits_of(std::string_view text) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::string longer = std::string(text) + "],[1234567890123456789012345";
  const auto alone = to_double(text.data(), text.data() + text.size());
  const auto followed = to_double(longer.data(), longer.data() + longer.size());
  EXPECT_EQ(alone, followed) << text;
  return std::bit_cast<std::uint64_t>(followed.value_or(infinity));
}

/// The same by the standard library.
std::uint64_t expected_bits(std::string_view text) {
  double value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end.ec != std::errc{}) {
    // Only called for texts that are too large when they are refused.
    return std::bit_cast<std::uint64_t>(std::numeric_limits<double>::infinity());
  }
  return std::bit_cast<std::uint64_t>(value);
}

TEST(ToInt64, IsExactUpToItsLimits) {
  EXPECT_EQ(int64_of("0"), 0);
  EXPECT_EQ(int64_of("-0"), 0);
  EXPECT_EQ(int64_of("7"), 7);
  EXPECT_EQ(int64_of("-7"), -7);
  EXPECT_EQ(int64_of("1234567"), 1234567);
  EXPECT_EQ(int64_of("12345678"), 12345678);
  EXPECT_EQ(int64_of("123456789"), 123456789);
  EXPECT_EQ(int64_of("1234567890123456"), 1234567890123456);
  EXPECT_EQ(int64_of("9223372036854775807"), 9223372036854775807);
  EXPECT_EQ(int64_of("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(int64_of("9223372036854775808"), std::nullopt);
  EXPECT_EQ(int64_of("-9223372036854775809"), std::nullopt);
  EXPECT_EQ(int64_of("18446744073709551617"), std::nullopt);  // 1 when it wraps
  EXPECT_EQ(int64_of("1000000000000000000000"), std::nullopt);
}

TEST(ToInt64, RefusesFractionsAndExponents) {
  for (const char* text : {"1.0", "0.0", "-0.0", "1E2", "1e2", "0e0", "1.5e1", "1234567.0",
                           "12345678.0", "12345678e1", "1234567E1", "123456789012345678.5"}) {
    EXPECT_EQ(int64_of(text), std::nullopt) << text;
    EXPECT_EQ(uint64_of(text), std::nullopt) << text;
  }
}

TEST(ToUint64, IsExactUpToItsLimits) {
  EXPECT_EQ(uint64_of("0"), 0);
  EXPECT_EQ(uint64_of("-0"), 0);
  EXPECT_EQ(uint64_of("-1"), std::nullopt);
  EXPECT_EQ(uint64_of("42"), 42);
  EXPECT_EQ(uint64_of("9999999999999999999"), 9999999999999999999u);
  EXPECT_EQ(uint64_of("10000000000000000000"), 10000000000000000000u);
  EXPECT_EQ(uint64_of("18446744073709551615"), 18446744073709551615u);
  EXPECT_EQ(uint64_of("18446744073709551616"), std::nullopt);
  EXPECT_EQ(uint64_of("19999999999999999999"), std::nullopt);
  EXPECT_EQ(uint64_of("20000000000000000000"), std::nullopt);
  EXPECT_EQ(uint64_of("99999999999999999999"), std::nullopt);
  EXPECT_EQ(uint64_of("100000000000000000000"), std::nullopt);
}

TEST(ToInt64, ReadsEveryCountOfDigits) {
  std::mt19937_64 random(1);
  for (int round = rounds(200000); round > 0; --round) {
    const auto value = static_cast<std::int64_t>(random()) >> (random() % 64);
    const std::string text = std::to_string(value);
    ASSERT_EQ(to_int64(text.data(), text.data() + text.size()), value);
    if (value >= 0) {
      ASSERT_EQ(to_uint64(text.data(), text.data() + text.size()),
                static_cast<std::uint64_t>(value));
    }
  }
}

TEST(ToDouble, KnowsZeroesAndLimits) {
  EXPECT_FALSE(std::signbit(*double_of("0")));
  EXPECT_TRUE(std::signbit(*double_of("-0")));
  EXPECT_TRUE(std::signbit(*double_of("-0.0e99")));
  EXPECT_EQ(double_of("0e999999999999999999999999"), 0.0);
  EXPECT_EQ(double_of("1e-400"), 0.0);
  EXPECT_TRUE(std::signbit(*double_of("-1e-400")));
  EXPECT_EQ(double_of("1e400"), std::nullopt);
  EXPECT_EQ(double_of("-1e400"), std::nullopt);
  EXPECT_EQ(double_of("1e99999999999999999999999"), std::nullopt);
  EXPECT_EQ(double_of("1e-99999999999999999999999"), 0.0);
  EXPECT_EQ(double_of("1.7976931348623157e308"), 0x1.fffffffffffffp1023);
  EXPECT_EQ(double_of("1.7976931348623159e308"), std::nullopt);
  EXPECT_EQ(double_of("4.9406564584124654e-324"), 0x1p-1074);
  EXPECT_EQ(double_of("2.4703282292062327e-324"), 0.0);        // below the half of the smallest
  EXPECT_EQ(double_of("2.4703282292062328e-324"), 0x1p-1074);  // above it
  EXPECT_EQ(double_of("2.2250738585072014e-308"), 0x1p-1022);
  EXPECT_EQ(double_of("2.2250738585072011e-308"), 0x0.fffffffffffffp-1022);
}

TEST(ToDouble, TiesGoToTheEvenNeighbour) {
  EXPECT_EQ(double_of("9007199254740993"), 9007199254740992.0);
  EXPECT_EQ(double_of("9007199254740995"), 9007199254740996.0);
  EXPECT_EQ(double_of("9007199254740993.0000000000000000000000000000000001"), 9007199254740994.0);
  EXPECT_EQ(double_of("9007199254740992.9999999999999999999999999999999999"), 9007199254740992.0);
  EXPECT_EQ(double_of("1.00000000000000011102230246251565404236316680908203125"), 1.0);
  EXPECT_EQ(double_of("1.00000000000000011102230246251565404236316680908203124"), 1.0);
  EXPECT_EQ(double_of("1.00000000000000011102230246251565404236316680908203126"),
            0x1.0000000000001p0);
}

TEST(ToDouble, ZerosDoNotCountAsDigits) {
  EXPECT_EQ(double_of("0.00000000000000000000000000000125"), 1.25e-30);
  EXPECT_EQ(double_of("1" + std::string(300, '0')), 1e300);
  EXPECT_EQ(double_of("1" + std::string(400, '0')), std::nullopt);
  EXPECT_EQ(double_of("1" + std::string(400, '0') + "e-400"), 1.0);
  EXPECT_EQ(double_of("0." + std::string(400, '0') + "1e401"), 1.0);
  EXPECT_EQ(double_of("0." + std::string(400, '0') + "1"), 0.0);
  EXPECT_EQ(double_of("-0." + std::string(400, '0')), -0.0);
}

/// Whether RFC 8259 allows the text as a number.
bool is_json_number(std::string_view text) {
  std::size_t at = 0;
  const auto digits = [&] {
    const std::size_t start = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
    return at - start;
  };
  const auto take = [&](char byte) {
    const bool taken = at < text.size() && text[at] == byte;
    at += taken ? 1 : 0;
    return taken;
  };
  take('-');
  if (!take('0') && digits() == 0) return false;
  if (take('.') && digits() == 0) return false;
  if (take('e') || take('E')) {
    if (!take('-')) take('+');
    if (digits() == 0) return false;
  }
  return at == text.size();
}

class NumberCorpus : public testing::TestWithParam<const char*> {};

TEST_P(NumberCorpus, EveryDoubleIsTheNearest) {
  std::ifstream file(std::string(SLUICE_SOURCE_DIR "/tests/data/numbers-fxx/") + GetParam());
  ASSERT_TRUE(file.is_open());
  int compared = 0;
  for (std::string line; std::getline(file, line);) {
    ASSERT_GT(line.size(), 31u);
    const std::string text = line.substr(31);
    if (!is_json_number(text)) continue;
    const std::uint64_t expected = std::stoull(line.substr(14, 16), nullptr, 16);
    const bool infinite = (expected & ~(std::uint64_t{1} << 63)) == std::uint64_t{0x7FF} << 52;
    const std::optional<double> value = double_of(text);
    ASSERT_EQ(value.has_value(), !infinite) << line;
    if (value) {
      ASSERT_EQ(std::bit_cast<std::uint64_t>(*value), expected) << line;
    }
    ++compared;
  }
  EXPECT_GE(compared, 10);
}

INSTANTIATE_TEST_SUITE_P(Files, NumberCorpus,
                         testing::Values("lemire-fast-float.txt", "tencent-rapidjson.txt",
                                         "more-test-cases.txt", "freetype-2-7.txt"));

double random_double(std::mt19937_64& random) {
  while (true) {
    const double value = std::bit_cast<double>(random());
    if (std::isfinite(value)) return value;
  }
}

TEST(ToDouble, RandomPatternsInEveryLengthAreWhatTheStandardLibraryReads) {
  std::mt19937_64 random(2);
  for (int round = rounds(60000); round > 0; --round) {
    const double value = random_double(random);
    for (const int digits : {3, 9, 16, 17, 18, 19, 25}) {
      char text[64];
      const int size = std::snprintf(text, sizeof text, "%.*e", digits - 1, value);
      const std::string_view view(text, static_cast<std::size_t>(size));
      ASSERT_EQ(bits_of(view), expected_bits(view)) << view;
    }
  }
}

TEST(ToDouble, HalfwayBetweenNeighboursIsExact) {
  std::mt19937_64 random(3);
  for (int round = rounds(3000); round > 0; --round) {
    // Not too small, so that the exact text of the halfway point has not thousands of digits.
    const double low = std::ldexp(1 + std::ldexp(static_cast<double>(random() >> 12), -52),
                                  static_cast<int>(random() % 160) - 60);
    const double high = std::nextafter(low, 1e300);
    const long double half = (static_cast<long double>(low) + high) / 2;
    char text[512];
    const int size = std::snprintf(text, sizeof text, "%.200Lf", half);
    const std::string exact(text, static_cast<std::size_t>(size));
    const bool low_is_even = (std::bit_cast<std::uint64_t>(low) & 1) == 0;
    ASSERT_EQ(*to_double(exact.data(), exact.data() + exact.size()), low_is_even ? low : high);
    const std::string above = exact + "1";
    ASSERT_EQ(*to_double(above.data(), above.data() + above.size()), high) << above;
  }
}

TEST(ToDouble, RandomDecimalsOfAnyShape) {
  std::mt19937_64 random(4);
  for (int round = rounds(200000); round > 0; --round) {
    std::string text = std::to_string(random() >> (random() % 64));
    if (random() % 2 == 0) text += "." + std::to_string(random() >> (random() % 64));
    if (random() % 4 == 0) text += "E-" + std::to_string(random() % 300);
    if (random() % 8 == 0) text.insert(0, "-");
    ASSERT_EQ(bits_of(text), expected_bits(text)) << text;
  }
}

TEST(Fraction, IsTheSameByWordsAndByVectors) {
  std::mt19937_64 random(5);
  for (int round = rounds(20000); round > 0; --round) {
    std::string text;
    const std::size_t count = random() % 17;
    for (std::size_t i = 0; i < count; ++i) text += static_cast<char>('0' + random() % 10);
    while (text.size() < 16) text += static_cast<char>(random());
    std::string zeros = text.substr(0, count);
    if (count < 16 && is_digit(text[count])) continue;
    zeros.resize(16, '0');
    for (const Fraction& fraction :
         {read_fraction(text.data()), read_fraction_by_words(text.data())}) {
      ASSERT_EQ(fraction.count, count);
      ASSERT_EQ(fraction.value(), std::stoull(zeros)) << zeros;
    }
  }
}

TEST(ToDouble, CommonShapesOfPricesAndPlaces) {
  std::mt19937_64 random(6);
  for (int round = rounds(200000); round > 0; --round) {
    std::string text = std::to_string(random() % 100000000 >> (random() % 27));
    if (random() % 8 != 0) {
      text += '.';
      for (std::size_t count = 1 + random() % 17; count > 0; --count) {
        text += static_cast<char>('0' + random() % 10);
      }
    }
    ASSERT_EQ(bits_of(text), expected_bits(text)) << text;
  }
}

TEST(ToDouble, EveryShortRealWithAndWithoutAnExponent) {
  for (std::size_t digits = 2; digits <= 7; ++digits) {
    std::mt19937_64 random(digits);
    for (std::size_t dot = 1; dot < digits; ++dot) {
      for (int round = rounds(300); round > 0; --round) {
        std::string text = std::to_string(10'000'000 + random() % 10'000'000).substr(8 - digits);
        if (text[0] == '0' && dot > 1) text[0] = '1';
        text.insert(dot, ".");
        ASSERT_EQ(bits_of(text), expected_bits(text)) << text;
        for (const char* exponent : {"e5", "E-7"}) {
          ASSERT_EQ(bits_of(text + exponent), expected_bits(text + exponent)) << text << exponent;
        }
      }
    }
  }
}

TEST(ToNumber, TakesTheNarrowestKind) {
  const auto number_of = [](std::string_view text) {
    return to_number(text.data(), text.data() + text.size());
  };
  EXPECT_EQ(number_of("-5")->kind, Kind::int64);
  EXPECT_EQ(number_of("-5")->int64, -5);
  EXPECT_EQ(number_of("9223372036854775807")->kind, Kind::int64);
  EXPECT_EQ(number_of("9223372036854775808")->kind, Kind::uint64);
  EXPECT_EQ(number_of("9223372036854775808")->uint64, 9223372036854775808u);
  EXPECT_EQ(number_of("18446744073709551616")->kind, Kind::real);
  EXPECT_EQ(number_of("18446744073709551616")->real, 18446744073709551616.0);
  EXPECT_EQ(number_of("-9223372036854775809")->kind, Kind::real);
  EXPECT_EQ(number_of("1.0")->kind, Kind::real);
  EXPECT_EQ(number_of("1E2")->real, 100.0);
  EXPECT_FALSE(number_of("1e400").has_value());
}

}  // namespace
}  // namespace sluice::number
