#include "json/error_text.h"

#include <gtest/gtest.h>

#include <string_view>

namespace sluice::json {
namespace {

std::string sentence(std::string_view text, std::uint64_t offset, Expected expected,
                     ErrorCode code = ErrorCode::json_syntax, std::uint64_t base = 0) {
  const Error error{.code = code, .detail = static_cast<std::uint16_t>(expected), .offset = offset};
  return describe(error, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, base);
}

TEST(ErrorText, NamesWhatWasFoundAndWhatWasExpected) {
  EXPECT_EQ(sentence("{\"a\":}", 5, Expected::value), "found '}', expected a value");
  EXPECT_EQ(sentence("[1;", 2, Expected::comma_or_array_end), "found ';', expected ',' or ']'");
}

TEST(ErrorText, NamesTheEnd) {
  EXPECT_EQ(sentence("[1", 2, Expected::comma_or_array_end),
            "found the end of the text, expected ',' or ']'");
  EXPECT_EQ(sentence("", 0, Expected::value), "found the end of the text, expected a value");
}

TEST(ErrorText, ShowsWhatCannotBePrintedAsHexadecimal) {
  EXPECT_EQ(sentence(std::string_view("\0", 1), 0, Expected::value),
            "found byte 0x00, expected a value");
  EXPECT_EQ(sentence("a\x7F", 1, Expected::digit), "found byte 0x7F, expected a digit");
  EXPECT_EQ(sentence("\xC3\xA9", 0, Expected::colon), "found byte 0xC3, expected ':'");
}

TEST(ErrorText, QuotesAQuoteReadably) {
  EXPECT_EQ(sentence("'a'", 0, Expected::value), "found \"'\", expected a value");
}

TEST(ErrorText, ShowsAWholeEscape) {
  EXPECT_EQ(sentence("\"\\x41\"", 1, Expected::escape),
            "found '\\x', expected one of \" \\ / b f n r t u behind the backslash");
  EXPECT_EQ(
      sentence("\"\\ud800 x\"", 1, Expected::low_surrogate),
      "found '\\ud800', expected the other half of the pair, \\uDC00 to \\uDFFF, right behind");
  EXPECT_EQ(sentence("\"\\u00\n\"", 1, Expected::hex_digit),
            "found '\\u00', expected four hexadecimal digits behind \\u");
}

TEST(ErrorText, SpeaksOfBytesAndDepthWhereTheyAreTheFault) {
  EXPECT_EQ(sentence("\"\xFF\"", 1, Expected::none, ErrorCode::json_utf8),
            "found byte 0xFF, expected well-formed UTF-8");
  EXPECT_EQ(sentence("[[", 1, Expected::none, ErrorCode::json_depth),
            "found '[', expected no deeper nesting");
  EXPECT_EQ(sentence("\xEF\xBB\xBF", 0, Expected::no_bom),
            "found a byte order mark, expected the JSON text itself");
}

TEST(ErrorText, CountsFromTheBeginningOfTheDocumentNotOfThePiece) {
  EXPECT_EQ(sentence("x]", 1001, Expected::value, ErrorCode::json_syntax, 1000),
            "found ']', expected a value");
}

TEST(ErrorText, HasAWordingForEveryExpectation) {
  const auto last = static_cast<std::uint16_t>(Expected::convertible);
  for (std::uint16_t detail = 1; detail <= last; ++detail) {
    const std::string text = sentence("", 0, static_cast<Expected>(detail));
    EXPECT_FALSE(text.ends_with("expected ")) << detail;
  }
}

TEST(ErrorText, ShowsTheValueThatDoesNotFit) {
  const auto of = [](std::string_view text, ErrorCode code, Expected expected = Expected::none) {
    return sentence(text, 0, expected, code);
  };
  EXPECT_EQ(of("\"a\\\"b\", 1]", ErrorCode::json_type, Expected::integer),
            "found the string \"a\\\"b\", expected an integer");
  EXPECT_EQ(of("{\"a\":1}", ErrorCode::json_type, Expected::string),
            "found an object, expected a string");
  EXPECT_EQ(of("null}", ErrorCode::json_type, Expected::number), "found null, expected a number");
  EXPECT_EQ(of("300,", ErrorCode::json_range),
            "found the number 300, which does not fit the type it is read into");
  EXPECT_EQ(of("\"b\":1", ErrorCode::json_field), "found the member \"b\", which is unknown");
  EXPECT_EQ(of("\"b\":1", ErrorCode::json_duplicate), "found the member \"b\" a second time");
}

TEST(ErrorText, CutsLongStringsBetweenCharacters) {
  const std::string letters(38, 'x');
  EXPECT_EQ(sentence("\"" + letters + "\xC3\xA9yz\"", 0, Expected::none, ErrorCode::json_field),
            "found the member \"" + letters + "...\", which is unknown");
}

TEST(ErrorText, LeavesOtherErrorsToTheTable) {
  EXPECT_EQ(sentence("", 0, Expected::none, ErrorCode::record_limit),
            "record larger than the limit");
}

}  // namespace
}  // namespace sluice::json
