#include "document/locate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "document/good_texts.h"
#include "document/naive_tree.h"
#include "json/scan_test_support.h"
#include "kernel/guarded_text.h"

namespace sluice::json {
namespace {

/// Byte by byte.
Location naive_location(std::string_view text, std::size_t offset) {
  Location location;
  for (std::size_t at = 0; at < std::min(offset, text.size()); ++at) {
    ++location.column;
    if (text[at] == '\n') location = {location.line + 1, 1};
  }
  return location;
}

TEST(Locate, CountsLinesAndBytes) {
  EXPECT_EQ(locate("", 0), (Location{1, 1}));
  EXPECT_EQ(locate("a\nbc", 1), (Location{1, 2}));  // the newline ends its own line
  EXPECT_EQ(locate("a\nbc", 2), (Location{2, 1}));
  EXPECT_EQ(locate("a\nbc", 4), (Location{2, 3}));
  EXPECT_EQ(locate("a\nbc", 99), (Location{2, 3}));
  EXPECT_EQ(locate("\n\n", 2), (Location{3, 1}));
}

TEST(Locate, IsTheSameOnEveryKernel) {
  std::string text;
  for (std::size_t line = 0; line < 120; ++line) text += std::string(line * 7 % 150, 'x') + "\n";
  text += std::string(500, 'y');
  const kernel::GuardedText guarded(text);
  const std::string_view view(reinterpret_cast<const char*>(guarded.data()), text.size());
  with_every_kernel([&](const char* name) {
    for (std::size_t offset = 0; offset <= view.size(); ++offset) {
      ASSERT_EQ(locate(view, offset), naive_location(view, offset)) << name << offset;
    }
  });
}

TEST(PointerAt, NamesTheInnermostValue) {
  // 0         1         2         3
  // 0123456789012345678901234567890123456
  // {"a":[10,{"b~/":"x\""},[]],"\u00e9":null}
  const std::string text = R"({"a":[10,{"b~/":"x\""},[]],"\u00e9":null})";
  const std::vector<std::pair<std::size_t, std::string>> expected = {{0, ""},
                                                                     {1, ""},
                                                                     {4, ""},
                                                                     {5, "/a"},
                                                                     {6, "/a/0"},
                                                                     {7, "/a/0"},
                                                                     {8, "/a"},
                                                                     {9, "/a/1"},
                                                                     {10, "/a/1"},
                                                                     {16, "/a/1/b~0~1"},
                                                                     {20, "/a/1/b~0~1"},
                                                                     {21, "/a/1"},
                                                                     {22, "/a"},
                                                                     {23, "/a/2"},
                                                                     {24, "/a/2"},
                                                                     {25, "/a"},
                                                                     {26, ""},
                                                                     {27, ""},
                                                                     {36, "/\xC3\xA9"},
                                                                     {39, "/\xC3\xA9"},
                                                                     {40, ""},
                                                                     {41, ""}};
  for (const auto& [offset, pointer] : expected) {
    EXPECT_EQ(pointer_at(text, offset), pointer) << offset;
  }
}

TEST(PointerAt, NamesWhatIsMissingInABrokenText) {
  const std::vector<std::pair<std::string, std::string>> expected = {{"", ""},
                                                                     {"x", ""},
                                                                     {"[", "/0"},
                                                                     {"[1,", "/1"},
                                                                     {"[1, -", "/1"},
                                                                     {"[tru", "/0"},
                                                                     {"[1 ", ""},
                                                                     {"{", ""},
                                                                     {"{\"a\"", ""},
                                                                     {"{\"a\":", "/a"},
                                                                     {"{\"a\":1,", ""},
                                                                     {"[[],{},\"", "/2"},
                                                                     {"[1,\"x", "/1"},
                                                                     {"{\"a\":{\"b", "/a"},
                                                                     {"{\"a\":[[[", "/a/0/0/0"},
                                                                     {"[12e", "/0"},
                                                                     {"[null", ""},
                                                                     {"1]", ""}};
  for (const auto& [text, pointer] : expected) {
    EXPECT_EQ(pointer_at(text, text.size()), pointer) << text;
    EXPECT_EQ(pointer_at(text + "}", text.size()), pointer) << text;
  }
}

/// Every value of every text is found at each of its bytes, unless a value within it is.
TEST(PointerAt, AgreesWithANaiveTree) {
  for (const std::string& text : good_texts()) {
    if (text.size() > 3000) continue;
    const NaiveTree tree(text);
    std::vector<std::size_t> depth(tree.size(), 0);
    for (std::size_t id = 0; id < tree.size(); ++id) {
      for (const std::size_t child : tree.node(id).children) depth[child] = depth[id] + 1;
    }
    for (std::size_t id = 0; id < tree.size(); ++id) {
      const std::size_t start = static_cast<std::size_t>(tree.node(id).raw.data() - text.data());
      const std::string pointer = pointer_at(text, start);
      const auto steps = static_cast<std::size_t>(std::ranges::count(pointer, '/'));
      EXPECT_EQ(steps, depth[id]) << text.substr(0, 200) << start << pointer;
      EXPECT_EQ(pointer_at(text, start + tree.node(id).raw.size() - 1), pointer) << text;
    }
  }
}

TEST(PointerAt, FollowsAnyDepth) {
  const std::string text(100'000, '[');
  EXPECT_EQ(pointer_at(text, text.size()).size(), 2 * text.size());
}

}  // namespace
}  // namespace sluice::json
