#include "document/explain.h"

#include <gtest/gtest.h>

#include <string>

#include "document/document.h"
#include "kernel/guarded_text.h"

namespace sluice::json {
namespace {

std::string explained(std::string_view text, std::string_view name = "") {
  const Result<Document> document = Document::parse(text);
  return document ? "no error" : explain(document.error(), text, name);
}

TEST(Explain, ShowsThePlace) {
  EXPECT_EQ(explained("{\n  \"host\": \"a\",\n  \"ports\": [1, }\n}\n", "config.json"),
            "config.json:3:16: found '}', expected a value (json_syntax, byte 32, at /ports/1)\n"
            "    \"ports\": [1, }\n"
            "                 ^");
  EXPECT_EQ(explained("[1"),
            "line 1, column 3: found the end of the text, expected ',' or ']' "
            "(json_syntax, byte 2)\n"
            "  [1\n"
            "    ^");
  EXPECT_EQ(explained(""),
            "line 1, column 1: found the end of the text, expected a value (json_syntax, byte 0)\n"
            "  \n"
            "  ^");
}

TEST(Explain, ShowsWhatAProgramWanted) {
  const std::string text = "{\"user\": {\"id\": \"seven\"}}";
  const Document document = Document::parse(text).value();
  EXPECT_EQ(explain(document["user"]["id"].as_int64().error(), text),
            "line 1, column 17: found the string \"seven\", expected an integer "
            "(json_type, byte 16, at /user/id)\n"
            "  {\"user\": {\"id\": \"seven\"}}\n"
            "                  ^");
  EXPECT_EQ(explain(document["user"]["name"].as_string().error(), text),
            "line 1, column 10: a member is missing (json_missing, byte 9, at /user)\n"
            "  {\"user\": {\"id\": \"seven\"}}\n"
            "           ^");
}

TEST(Explain, CutsLongLinesBetweenCharacters) {
  std::string line = "[\"";
  for (int i = 0; i < 100; ++i) line += "\xD0\x96";
  line += "\",?,\"";
  for (int i = 0; i < 100; ++i) line += "\xE2\x82\xAC";
  line += "\"]";
  const std::string out = explained(line);
  std::string before;
  for (int i = 0; i < 24; ++i) before += "\xD0\x96";
  std::string behind;
  for (int i = 0; i < 7; ++i) behind += "\xE2\x82\xAC";
  EXPECT_EQ(out,
            "line 1, column 205: found '?', expected a value (json_syntax, byte 204, at /1)\n"
            "  ..." +
                before + "\",?,\"" + behind + "...\n" + std::string(5 + 24 + 2, ' ') + "^");
}

TEST(Explain, ObeysNothingInTheText) {
  // Escape sequences, a tab, DEL, CSI in one code point, a right-to-left override, broken UTF-8.
  EXPECT_EQ(explained("[\"\x7F\xC2\x9B\xE2\x80\xAE\xC3\xA9\", \x1B[31m]"),
            "line 1, column 14: found byte 0x1B, expected a value (json_syntax, byte 13, at /1)\n"
            "  [\"...\xC3\xA9\", .[31m]\n"
            "           ^");
  EXPECT_EQ(explained("\t[\"\xC3\xA9\xC3\"]\r\n"),
            "line 1, column 6: found byte 0xC3, expected well-formed UTF-8 "
            "(json_utf8, byte 5, at /0)\n"
            "   [\"\xC3\xA9.\"]\n"
            "      ^");
  EXPECT_EQ(explained("{\"a\\u001b[31m\":x}"),
            "line 1, column 16: found 'x', expected a value (json_syntax, byte 15, at /a.[31m)\n"
            "  {\"a\\u001b[31m\":x}\n"
            "                 ^");
}

TEST(Explain, ObeysNothingInAValueItQuotes) {
  const std::string text = "[\"\xE2\x80\xAE\x7F\"]";
  const Document document = Document::parse(text).value();
  EXPECT_EQ(explain(document[0].as_bool().error(), text),
            "line 1, column 2: found the string \"..\", expected true or false "
            "(json_type, byte 1, at /0)\n"
            "  [\"..\"]\n"
            "   ^");
}

TEST(Explain, IsOneLineWithoutAPlace) {
  EXPECT_EQ(explain({.code = ErrorCode::out_of_memory}, "[1]"),
            "memory cannot be had (out_of_memory)");
  EXPECT_EQ(explain({.code = ErrorCode::document_limit, .offset = 7}, "", "big.json"),
            "big.json: document larger than the limit (document_limit)");
}

TEST(Explain, TakesAnyOffsetInAnyText) {
  for (const std::string_view text : {"\xFF\xC3", "\"\\", "[\n\n", "\r\n\r", "]]}", "\xE2\x82"}) {
    const kernel::GuardedText guarded(text);
    const std::string_view view(reinterpret_cast<const char*>(guarded.data()), text.size());
    for (std::size_t offset = 0; offset < text.size() + 3; ++offset) {
      const std::string out = explain({.code = ErrorCode::json_syntax, .offset = offset}, view);
      EXPECT_TRUE(out.ends_with("^")) << out;
    }
  }
}

TEST(Explain, ShortensLongPointers) {
  const std::string text(1000, '[');
  const std::string out = explained(text);
  EXPECT_NE(out.find(", at .../0/0/0"), std::string::npos) << out;
  EXPECT_LT(out.size(), 500u);
}

TEST(Explain, TheNameOfTheTextIsSafeToShow) {
  const Error error = Document::parse("[").error();
  const std::string shown = explain(error, "[", "a\x1b[31m\xff.json");
  EXPECT_TRUE(shown.starts_with("a.[31m..json:1:")) << shown;
}

}  // namespace
}  // namespace sluice::json
