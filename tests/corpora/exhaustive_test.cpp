// Small spaces gone through as a whole: escapes, numbers, short texts.

#include <gtest/gtest.h>

#include <cstdio>
#include <regex>

#include "expectations.h"
#include "line_runs.h"

namespace sluice::json {
namespace {

/// Which of these lines are accepted, by each kernel; fails where they differ.
std::vector<bool> accepted_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text.append(line).append("\n");
  std::vector<bool> first;
  for (const kernel::Kernel* kernel : kernel::supported()) {
    std::vector<bool> accepted(lines.size(), true);
    for (const auto& fault : scan_lines(*kernel, bytes_of(text), {}, lines.size()).faults) {
      accepted[fault.line] = false;
    }
    if (!first.empty()) {
      EXPECT_EQ(accepted, first) << kernel->name;
    }
    first = accepted;
  }
  return first;
}

/// All texts over `alphabet` of up to `size_max` characters, the empty one left out.
std::vector<std::string> texts_over(std::string_view alphabet, std::size_t size_max) {
  std::vector<std::string> texts = {""};
  for (std::size_t first = 0, size = 0; size < size_max; ++size) {
    const std::size_t last = texts.size();
    for (; first < last; ++first) {
      for (const char character : alphabet) texts.push_back(texts[first] + character);
    }
  }
  texts.erase(texts.begin());
  return texts;
}

std::string escape_of(unsigned unit, bool upper) {
  char text[8];
  std::snprintf(text, sizeof text, upper ? "\\u%04X" : "\\u%04x", unit);
  return text;
}

bool is_surrogate(unsigned unit) { return unit >= 0xD800 && unit <= 0xDFFF; }

TEST(Exhaustive, EveryByteBehindABackslash) {
  for (int byte = 0; byte < 256; ++byte) {
    Bytes text = bytes_of("\"\\?\"");
    text[2] = static_cast<std::uint8_t>(byte);
    const bool known =
        byte != 0 && std::string_view("\"\\/bfnrt").contains(static_cast<char>(byte));
    Error expected = {.code = ErrorCode::json_syntax,
                      .detail = static_cast<std::uint16_t>(Expected::escape),
                      .offset = 1};
    if (byte == 'u') expected.detail = static_cast<std::uint16_t>(Expected::hex_digit);
    if (byte == '"') continue;  // the text goes on behind it: see the next test
    expect_everywhere(text, {}, known ? Error{} : expected, "an escape");
  }
}

TEST(Exhaustive, AnEscapedQuoteDoesNotEndTheString) {
  const Error cut = {.code = ErrorCode::json_syntax,
                     .detail = static_cast<std::uint16_t>(Expected::string_byte),
                     .offset = 4};
  expect_everywhere(bytes_of("\"\\\"\""), {}, {}, "an escaped quote");
  expect_everywhere(bytes_of("\"\\\\\\\""), {},
                    {.code = cut.code, .detail = cut.detail, .offset = 5},
                    "an escaped backslash and quote");
}

TEST(Exhaustive, EveryByteInEveryDigitOfAnEscape) {
  for (std::size_t digit = 0; digit < 4; ++digit) {
    for (int byte = 0; byte < 256; ++byte) {
      Bytes text = bytes_of("\"\\u0041 and more\"");
      text[3 + digit] = static_cast<std::uint8_t>(byte);
      // With the first digit D the second is 0: no surrogate.
      const bool is_hex = byte < 128 && std::isxdigit(byte) != 0;
      const Error expected = {.code = ErrorCode::json_syntax,
                              .detail = static_cast<std::uint16_t>(Expected::hex_digit),
                              .offset = 1};
      expect_everywhere(text, {}, is_hex ? Error{} : expected, "a digit of an escape");
    }
  }
}

TEST(Exhaustive, EveryCodeUnitAlone) {
  std::vector<std::string> lines;
  for (unsigned unit = 0; unit < 0x10000; ++unit) {
    lines.push_back('"' + escape_of(unit, unit % 2 != 0) + '"');
  }
  const std::vector<bool> accepted = accepted_lines(lines);
  for (unsigned unit = 0; unit < 0x10000; ++unit) {
    ASSERT_EQ(accepted[unit], !is_surrogate(unit)) << lines[unit];
  }
}

// Both sides of every border of the surrogates, with each other.
TEST(Exhaustive, PairsOfCodeUnits) {
  const std::vector<unsigned> units = {0x0000, 0x0041, 0xD7FF, 0xD800, 0xD801, 0xDA34, 0xDBFF,
                                       0xDC00, 0xDC01, 0xDD1E, 0xDFFF, 0xE000, 0xFFFF};
  for (const unsigned first : units) {
    for (const unsigned second : units) {
      const bool high = first >= 0xD800 && first < 0xDC00;
      const bool low = second >= 0xDC00 && second < 0xE000;
      const bool paired = high && low;
      const Bytes text = bytes_of('"' + escape_of(first, true) + escape_of(second, false) + '"');
      const Error error = plain_verdict(text, {});
      const bool good = paired || (!is_surrogate(first) && !is_surrogate(second));
      EXPECT_EQ(error.code == ErrorCode::none, good) << shown(text);
      if (!good) {
        EXPECT_EQ(error.offset, is_surrogate(first) ? 1u : 7u) << shown(text);
      }
      expect_everywhere(text, {}, error, "a pair");
      expect_everywhere(text, {.pass_surrogates = true}, {}, "a pair that is let through");
    }
  }
}

// Against the grammar of RFC 8259, section 6, as a regular expression.
TEST(Exhaustive, EveryShortNumber) {
  const std::regex number("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?");
  const std::vector<std::string> texts = texts_over("019-+.eE", 5);
  const std::vector<bool> accepted = accepted_lines(texts);
  std::vector<std::string> inside;
  for (const std::string& text : texts) inside.push_back("{\"a\":[" + text + "]}");
  const std::vector<bool> accepted_inside = accepted_lines(inside);
  for (std::size_t index = 0; index < texts.size(); ++index) {
    const bool valid = std::regex_match(texts[index], number);
    ASSERT_EQ(accepted[index], valid) << texts[index];
    ASSERT_EQ(accepted_inside[index], valid) << inside[index];
  }
}

TEST(Exhaustive, EveryMisspelledLiteral) {
  for (const std::string good : {"true", "false", "null"}) {
    expect_everywhere(bytes_of(good), {}, {}, "a literal");
    for (std::size_t place = 0; place < good.size(); ++place) {
      for (int byte = 0; byte < 128; ++byte) {
        Bytes text = bytes_of(good);
        if (text[place] == byte) continue;
        text[place] = static_cast<std::uint8_t>(byte);
        const Error error = plain_verdict(text, {});
        ASSERT_NE(error.code, ErrorCode::none) << shown(text);
        expect_everywhere(text, {}, error, "a misspelled literal");
      }
    }
  }
}

TEST(Exhaustive, EveryShortText) {
  for (const std::string& text : texts_over("[]{},:\"1", 5)) {
    expect_everywhere(bytes_of(text), {}, plain_verdict(bytes_of(text), {}), "a short text");
  }
}

}  // namespace
}  // namespace sluice::json
