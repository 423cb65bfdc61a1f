#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "kernel/guarded_text.h"
#include "kernel/kernel.h"

namespace sluice::kernel {
namespace {

constexpr NumberBits kUntouched = 0x0123456789ABCDEF;

/// What a number is kept as, by the standard library.
NumberBits expected_bits(const std::string& number) {
  const bool integer = number.find_first_of(".eE") == std::string::npos;
  std::int64_t whole = 0;
  const char* const end = number.data() + number.size();
  const bool fits = std::from_chars(number.data(), end, whole).ec == std::errc();
  if (integer && fits && std::abs(whole) < (std::int64_t{1} << 50) && number != "-0") {
    return 0xFFF8000000000000 | (static_cast<u64>(whole) & 0x0007FFFFFFFFFFFF);
  }
  double value = 0;
  std::from_chars(number.data(), end, value);
  return std::bit_cast<u64>(value);
}

/// An array of numbers with its tokens and their places, `indent` blanks in front of each.
class NumberArray {
 public:
  NumberArray(const std::vector<std::string>& numbers, std::size_t indent) : numbers_(numbers) {
    add("[");
    for (const std::string& number : numbers) {
      text_ += std::string(indent, ' ');
      add(number);
      add(&number == &numbers.back() ? "]" : ",");
    }
    tokens_.resize(tokens_.size() + 64, '9');  // readable, and not to be looked at
    places_.resize(places_.size() + 64, ~u32{0});
  }

  /// How many numbers were left to the exact way; those that were not must be right.
  std::size_t convert(const Kernel& kernel) const {
    const GuardedText guarded(text_);
    std::vector<NumberBits> values(numbers_.size() + 2, kUntouched);
    std::vector<u32> rest(numbers_.size() + 1);
    Numbers numbers = {guarded.data(), static_cast<u32>(text_.size()),
                       tokens_.data(), places_.data(),
                       values.data(),  rest.data()};
    // In pieces of all sizes; token 2 i + 1 is number i.
    u32 done = 0;
    for (u32 size = 1; done < token_count(); ++size) {
      const u32 end = std::min(done + size, token_count());
      kernel.numbers(numbers, done, end);
      done = end;
    }
    for (u32 i = 0; i < numbers.rest_count; ++i) {
      EXPECT_EQ(rest[i] % 2, 1u);
      values[rest[i] / 2] = expected_bits(numbers_[rest[i] / 2]);
    }
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      EXPECT_EQ(values[i], expected_bits(numbers_[i])) << kernel.name << " " << numbers_[i];
    }
    EXPECT_EQ(values[numbers_.size()], kUntouched);
    return numbers.rest_count;
  }

 private:
  u32 token_count() const { return static_cast<u32>(tokens_.size() - 64); }
  void add(std::string_view token) {
    tokens_.push_back(static_cast<u8>(token[0]));
    places_.push_back(static_cast<u32>(text_.size()));
    text_ += token;
  }

  std::vector<std::string> numbers_;
  std::string text_;
  std::vector<u8> tokens_;
  std::vector<u32> places_;
};

void expect_right(const std::vector<std::string>& numbers, std::size_t indent = 0) {
  const NumberArray array(numbers, indent);
  for (const Kernel* kernel : supported()) array.convert(*kernel);
}

TEST(NumberPass, KeepsNumbersOfAllShapes) {
  std::vector<std::string> numbers;
  const std::string digits = "98765432109876543210987654321";
  for (std::size_t whole = 1; whole <= 24; ++whole) {
    for (std::size_t fraction = 0; fraction <= 24; ++fraction) {
      for (const char* exponent : {"", "e1", "E-5", "e+300"}) {
        std::string number = digits.substr(0, whole);
        if (fraction != 0) number += "." + digits.substr(0, fraction);
        numbers.push_back(number + exponent);
        numbers.push_back("-" + number + exponent);
        numbers.push_back((fraction != 0 ? "0." + digits.substr(0, fraction) : "0") + exponent);
        numbers.push_back("-0." + std::string(fraction, '0') + "1" + exponent);
      }
    }
  }
  for (std::size_t indent : {0, 1, 7, 20}) expect_right(numbers, indent);
}

TEST(NumberPass, KeepsTheLimits) {
  expect_right({"0",
                "-0",
                "0.0",
                "-0.0",
                "1",
                "-1",
                "9",
                "10",
                "99999999",
                "100000000",
                "1125899906842623",
                "1125899906842624",
                "-1125899906842623",
                "-1125899906842624",
                "9007199254740993",
                "-9007199254740993",
                "9223372036854775807",
                "18446744073709551615",
                "18446744073709551616",
                "0.1",
                "0.2",
                "0.3",
                "9999999.999999999999",
                "9999999.9999999999999",
                "0.000000000000000001",
                "0.0000000000000000001",
                "1.7976931348623157",
                "4503599627370496.5",
                "4503599627370497.5",
                "0.5",
                "0.25",
                "123456.7",
                "0.99999999999999995",
                "0.999999999999999944",
                "1.00000000000000011102230246251565"});
}

TEST(NumberPass, IsRightAtAnyDistanceFromTheEnd) {
  for (std::size_t count = 1; count <= 20; ++count) {
    for (const char* number : {"1", "-65.613616999999977", "123456789", "0.5"}) {
      expect_right(std::vector<std::string>(count, number));
    }
  }
}

TEST(NumberPass, KeepsRandomNumbers) {
  std::mt19937_64 draw(5);
  for (int round = 0; round < 40; ++round) {
    std::vector<std::string> numbers;
    for (int i = 0; i < 1000; ++i) {
      std::string number = draw() % 2 == 0 ? "-" : "";
      number += std::to_string(draw() >> draw() % 64);
      if (draw() % 4 != 0) {
        std::string fraction = std::to_string(draw());
        number = number.substr(0, 1 + draw() % 8);
        if (number == "-") number = "-0";
        number += "." + fraction.substr(0, 1 + draw() % fraction.size());
      }
      numbers.push_back(number);
    }
    expect_right(numbers);
  }
}

/// Fractions that the nearest double makes: sixteen and seventeen digits.
TEST(NumberPass, KeepsShortestDoubles) {
  std::mt19937_64 draw(6);
  std::vector<std::string> numbers;
  for (int i = 0; i < 50'000; ++i) {
    const double value = std::ldexp(static_cast<double>(draw() >> 11), -53) * 200 - 100;
    char text[64];
    const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed);
    numbers.emplace_back(text, end.ptr);
  }
  expect_right(numbers);
}

/// The fast way is no use when it leaves what numbers mostly are.
TEST(NumberPass, LeavesFewOfTheUsualOnes) {
  std::vector<std::string> numbers;
  for (int i = 0; i < 1000; ++i) {
    numbers.push_back(std::to_string(i * 123457));
    numbers.push_back(std::to_string(505874924095815681 + i));
    numbers.push_back("-" + std::to_string(i % 180) + ".6136169999999" + std::to_string(i));
  }
  const NumberArray array(numbers, 1);
  for (const Kernel* kernel : supported()) {
    if (std::string_view(kernel->name) == "avx512") {
      EXPECT_LT(array.convert(*kernel), 50u);
    }
  }
}

}  // namespace
}  // namespace sluice::kernel
