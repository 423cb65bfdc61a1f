#include "json/pointer.h"

#include <gtest/gtest.h>

namespace sluice::json {
namespace {

using Tokens = std::vector<std::string>;

Tokens tokens_of(std::string_view text) {
  const Result<Pointer> pointer = Pointer::parse(text);
  EXPECT_TRUE(pointer.has_value()) << text;
  return pointer ? pointer->tokens() : Tokens{"refused"};
}

std::uint64_t fault_of(std::string_view text) {
  const Result<Pointer> pointer = Pointer::parse(text);
  if (pointer) return ~0ull;
  EXPECT_EQ(pointer.error().code, ErrorCode::pointer_syntax) << text;
  return pointer.error().offset;
}

// The examples of RFC 6901, section 5.
TEST(Pointer, ReadsTheExamplesOfTheStandard) {
  EXPECT_EQ(tokens_of(""), Tokens{});
  EXPECT_EQ(tokens_of("/foo"), Tokens{"foo"});
  EXPECT_EQ(tokens_of("/foo/0"), (Tokens{"foo", "0"}));
  EXPECT_EQ(tokens_of("/"), Tokens{""});
  EXPECT_EQ(tokens_of("/a~1b"), Tokens{"a/b"});
  EXPECT_EQ(tokens_of("/c%d"), Tokens{"c%d"});
  EXPECT_EQ(tokens_of("/e^f"), Tokens{"e^f"});
  EXPECT_EQ(tokens_of("/g|h"), Tokens{"g|h"});
  EXPECT_EQ(tokens_of("/i\\j"), Tokens{"i\\j"});
  EXPECT_EQ(tokens_of("/k\"l"), Tokens{"k\"l"});
  EXPECT_EQ(tokens_of("/ "), Tokens{" "});
  EXPECT_EQ(tokens_of("/m~0n"), Tokens{"m~n"});
}

TEST(Pointer, KeepsEmptyTokens) {
  EXPECT_EQ(tokens_of("//"), (Tokens{"", ""}));
  EXPECT_EQ(tokens_of("/a//b/"), (Tokens{"a", "", "b", ""}));
}

// Section 4: "~01" is "~1", not "/".
TEST(Pointer, UndoesEscapesOnce) {
  EXPECT_EQ(tokens_of("/~01"), Tokens{"~1"});
  EXPECT_EQ(tokens_of("/~00~11"), Tokens{"~0/1"});
}

TEST(Pointer, RefusesWhatDoesNotBeginWithASlash) {
  EXPECT_EQ(fault_of("a"), 0u);
  EXPECT_EQ(fault_of("~0"), 0u);
  EXPECT_EQ(fault_of(" /a"), 0u);
}

TEST(Pointer, RefusesATildeWithoutItsDigit) {
  EXPECT_EQ(fault_of("/~2"), 2u);
  EXPECT_EQ(fault_of("/a~"), 3u);
  EXPECT_EQ(fault_of("/a~/b"), 3u);
  EXPECT_EQ(fault_of("/~0~~1"), 4u);
}

}  // namespace
}  // namespace sluice::json
