#include "writer/write_value.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "document/document.h"
#include "document/good_texts.h"
#include "kernel/guarded_text.h"

namespace sluice::json {
namespace {

/// The text without blanks outside of strings, byte by byte.
std::string without_blanks(std::string_view text) {
  std::string out;
  bool in_string = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char byte = text[at];
    if (!in_string && std::string_view(" \t\r\n").contains(byte)) continue;
    out += byte;
    if (in_string && byte == '\\') out += text[++at];
    if (byte == '"') in_string = !in_string;
  }
  return out;
}

/// The same with a line for each value and two blanks a level; `compact` has no blanks.
std::string on_lines(std::string_view compact) {
  std::string out;
  std::size_t depth = 0;
  bool in_string = false;
  const auto new_line = [&] { out += '\n' + std::string(2 * depth, ' '); };
  for (std::size_t at = 0; at < compact.size(); ++at) {
    const char byte = compact[at];
    const bool empty = at > 0 && (compact[at - 1] == '{' || compact[at - 1] == '[');
    if (!in_string && (byte == '}' || byte == ']')) {
      --depth;
      if (!empty) new_line();
    } else if (!in_string && empty) {
      new_line();
    }
    out += byte;
    if (in_string && byte == '\\') out += compact[++at];
    if (byte == '"') in_string = !in_string;
    if (in_string) continue;
    if (byte == '{' || byte == '[') ++depth;
    if (byte == ',') new_line();
    if (byte == ':') out += ' ';
  }
  return out;
}

std::vector<std::string> texts() {
  std::vector<std::string> all = good_texts();
  all.push_back("  [ 1 ,\n\t2.50 , \"a b\" , {\"k\" : \"\\u00e9 \\\"\"  , \"l\":[ ] } ]  ");
  all.push_back("[" + std::string(1000, ' ') + "true," + std::string(1000, '\n') + "\"x\"\t]");
  return all;
}

TEST(WriteValue, CompactIsTheTextWithoutBlanks) {
  for (const std::string& text : texts()) {
    const kernel::GuardedText guarded(text);
    const std::string_view view(reinterpret_cast<const char*>(guarded.data()), text.size());
    const Result<Document> document = Document::parse(view);
    ASSERT_TRUE(document) << text;
    const std::string expected = without_blanks(text);
    EXPECT_EQ(write(document->root()).value(), expected);
    const Result<Document> again = Document::parse(expected);
    ASSERT_TRUE(again);
    EXPECT_EQ(write(again->root()).value(), expected);
  }
}

TEST(WriteValue, IndentedHasALineForEachValue) {
  for (const std::string& text : texts()) {
    const Result<Document> document = Document::parse(text);
    ASSERT_TRUE(document) << text;
    EXPECT_EQ(write(document->root(), {.indent = 2}).value(), on_lines(without_blanks(text)));
  }
}

TEST(WriteValue, APartOfADocument) {
  const std::string text = R"({ "a" : [ 1 , { "b" : " x " } , 2.50 ] , "c" : null })";
  const Result<Document> document = Document::parse(text);
  ASSERT_TRUE(document);
  EXPECT_EQ(write(document->at("/a")).value(), R"([1,{"b":" x "},2.50])");
  EXPECT_EQ(write(document->at("/a/1")).value(), R"({"b":" x "})");
  EXPECT_EQ(write(document->at("/a/1/b")).value(), R"(" x ")");
  EXPECT_EQ(write(document->at("/a/2")).value(), "2.50");
  EXPECT_EQ(write(document->at("/c")).value(), "null");
  EXPECT_EQ(write(document->at("/d")).error().code, ErrorCode::json_missing);
}

/// Escapes as the writer makes them; decoded strings of other forms come out like that.
TEST(WriteValue, OfATextDecodedInPlace) {
  std::string text = R"({ "\u0061" : "\u0022\n\u005c\\" , "e" : [ "\u00e9", "plain", -0 ] })";
  const Result<Document> document = Document::parse_in_place(text);
  ASSERT_TRUE(document);
  EXPECT_EQ(document->at("/a").as_string().value(), "\"\n\\\\");
  const std::string expected = "{\"a\":\"\\\"\\n\\\\\\\\\",\"e\":[\"\xC3\xA9\",\"plain\",-0]}";
  EXPECT_EQ(write(document->root()).value(), expected);
  EXPECT_EQ(write(document->root()).value(), expected);
}

TEST(WriteValue, DeepNesting) {
  constexpr std::uint32_t kDepth = 200000;
  const std::string text = std::string(kDepth, '[') + std::string(kDepth, ']');
  DocumentOptions options;
  options.scan.max_depth = kDepth;
  const Result<Document> document = Document::parse(text, options);
  ASSERT_TRUE(document);
  EXPECT_EQ(write(document->root()).value(), text);
}

TEST(WriteValue, EveryRoomFromNothingToEnough) {
  const std::string text = " [ 1 , {\"key\" : \"a longer string to be copied in one piece, \" } ] ";
  const Result<Document> document = Document::parse(text);
  ASSERT_TRUE(document);
  for (const std::uint32_t indent : {0u, 3u}) {
    const std::string expected = write(document->root(), {.indent = indent}).value();
    for (std::size_t size = 0; size <= expected.size(); ++size) {
      const kernel::GuardedText room(std::string(size, '#'));
      SpanOutput out({reinterpret_cast<char*>(room.bytes().data()), size});
      write_value(out, document->root(), {.indent = indent});
      ASSERT_EQ(out.close().has_value(), size == expected.size());
      ASSERT_EQ(out.text(), expected.substr(0, size));
    }
  }
}

}  // namespace
}  // namespace sluice::json
