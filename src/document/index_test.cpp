#include "document/index.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "document/failing_resource.h"
#include "document/good_texts.h"
#include "document/naive_tree.h"
#include "json/error_text.h"
#include "json/scan_test_support.h"
#include "kernel/guarded_text.h"

namespace sluice::json {
namespace {

Error error_of(Index& index, std::string_view text, const ScanOptions& options = {}) {
  const Result<void> built = index.build(text, options);
  return built ? Error{} : built.error();
}

/// Whether two views are the same place of one text; equal text elsewhere would not do.
bool is_same(std::string_view a, std::string_view b) {
  return a.data() == b.data() && a.size() == b.size();
}

/// Walks an index and a tree together. Returns what differs first, or nothing.
std::string difference(const IndexView& index, const NaiveTree& tree) {
  if (index.token_count != tree.token_count()) return "other number of tokens";
  if (index.tokens[index.token_count] != '\n') return "no end";
  if (index.places[index.token_count] != index.text_size) return "end at another place";
  std::vector<std::pair<std::size_t, std::uint32_t>> rest = {{0, 0}};
  while (!rest.empty()) {
    const auto [id, token] = rest.back();
    rest.pop_back();
    const NaiveNode& node = tree.node(id);
    const std::string about = " of " + std::string(node.raw.substr(0, 40));
    if (index.tokens[token] != static_cast<std::uint8_t>(node.raw[0])) return "other token" + about;
    if (!is_same(index.raw(token), node.raw)) return "other text" + about;
    if (!index.is_opener(token)) continue;
    if (index.count_of(token) != node.children.size()) return "other count" + about;
    const std::uint32_t closer = index.links[token];
    if (index.links[closer] != token) return "closer without its opener" + about;
    std::uint32_t at = token + 1;
    for (std::size_t child = 0; child < node.children.size(); ++child) {
      if (node.raw[0] == '{') {
        if (!is_same(index.string_body(at), node.keys[child])) return "other key" + about;
        at += 2;
      }
      rest.emplace_back(node.children[child], at);
      at = index.behind(at) + 1;
    }
    if (index.behind(token) != closer + 1) return "other end" + about;
    if ((node.children.empty() ? at : at - 1) != closer) return "children end elsewhere" + about;
  }
  return "";
}

void expect_like_the_tree(std::string_view text) {
  Index index;
  ASSERT_EQ(error_of(index, text), Error{}) << text.substr(0, 200);
  EXPECT_EQ(difference(index.view(), NaiveTree(text)), "") << text.substr(0, 200);
}

TEST(Index, NumbersTokensAsDrawn) {
  Index index;
  ASSERT_EQ(error_of(index, R"({"a":[7,8],"b":[[]]})"), Error{});
  const IndexView view = index.view();
  EXPECT_EQ(std::string(view.tokens, view.tokens + view.token_count + 1), "{\":[7,8],\":[[]]}\n");
  const std::vector<std::uint32_t> places(view.places, view.places + view.token_count + 1);
  EXPECT_EQ(places, (std::vector<std::uint32_t>{0, 1, 4, 5, 6, 7, 8, 9, 10, 11, 14, 15, 16, 17, 18,
                                                19, 20}));
  EXPECT_EQ(view.links[0], 15u);
  EXPECT_EQ(view.links[3], 7u);
  EXPECT_EQ(view.links[7], 3u);
  EXPECT_EQ(view.links[11], 14u);
  EXPECT_EQ(view.links[15], 0u);
}

TEST(Index, IsLikeANaiveTree) {
  const std::vector<std::string> texts = good_texts();
  ASSERT_GT(texts.size(), 100u);
  with_every_kernel([&](const char*) {
    for (const std::string& text : texts) expect_like_the_tree(text);
  });
}

/// Many texts in one, so that all meet the borders of blocks and chunks.
TEST(Index, IsLikeANaiveTreeAcrossChunks) {
  std::string joined = "[";
  for (int round = 0; joined.size() < 200'000; ++round) {
    for (const std::string& text : good_texts()) {
      if (text.size() > 20'000) continue;
      joined += text + std::string(static_cast<std::size_t>(round) % 7, ' ') + ",";
    }
  }
  joined += "{\"last\":[]}]";
  with_every_kernel([&](const char*) {
    for (std::size_t shift = 0; shift < 64; shift += 9) {
      expect_like_the_tree(std::string(shift, ' ') + joined);
    }
  });
}

TEST(Index, HoldsATokenInEveryByte) {
  std::string dense = "[";
  for (int i = 0; i < 30'000; ++i) dense += i % 3 == 0 ? "{}," : "[],";
  dense += "1]";
  with_every_kernel([&](const char*) {
    expect_like_the_tree(dense);
    // First hardly any tokens, then nothing else: the guess is wrong by far.
    expect_like_the_tree("[\"" + std::string(100'000, 'x') + "\"," + dense + "]");
  });
}

TEST(Index, FollowsNestingToAnyDepthThatIsAllowed) {
  with_every_kernel([](const char* name) {
    for (const std::uint32_t depth : {1u, 63u, 64u, 65u, 1024u, 1'000'000u}) {
      std::string text(depth, '[');
      text += std::string(depth, ']');
      Index index;
      ASSERT_EQ(error_of(index, text, {.max_depth = depth}), Error{}) << name << depth;
      EXPECT_EQ(difference(index.view(), NaiveTree(text)), "") << name << depth;
      const Error deep = error_of(index, text, {.max_depth = depth - 1});
      EXPECT_EQ(deep, (Error{.code = ErrorCode::json_depth, .offset = depth - 1})) << name;
    }
    // A limit beyond all memory costs nothing.
    Index index;
    EXPECT_EQ(error_of(index, "[[1]]", {.max_depth = 0xFFFFFFFF}), Error{});
    EXPECT_EQ(error_of(index, "[[1]", {.max_depth = 0xFFFFFFFF}).offset, 4u);
  });
}

TEST(Index, ReadsNothingBehindTheText) {
  with_every_kernel([](const char* name) {
    for (std::size_t size = 1; size < 300; ++size) {
      const std::string text = "\"" + std::string(size, 'x') + "\"";
      const kernel::GuardedText guarded(text);
      Index index;
      const std::string_view view(reinterpret_cast<const char*>(guarded.data()), text.size());
      ASSERT_EQ(error_of(index, view), Error{}) << name << size;
      ASSERT_EQ(index.view().string_body(0).size(), size) << name;
      ASSERT_EQ(error_of(index, view.substr(1)).code, ErrorCode::json_syntax) << name;
    }
  });
}

TEST(Index, TellsTheFirstFaultAndIsEmptyThen) {
  with_every_kernel([](const char*) {
    Index index;
    const std::string before = "[" + std::string(40'000, ' ') + "1,";
    for (const auto& [text, expected] : std::vector<std::pair<std::string, Expected>>{
             {"]", Expected::value}, {"{]", Expected::key_or_object_end}, {"", Expected::value}}) {
      const Error error = error_of(index, before + text);
      EXPECT_EQ(error.code, ErrorCode::json_syntax);
      EXPECT_EQ(error.detail, static_cast<std::uint16_t>(expected));
      EXPECT_EQ(error.offset, before.size() + (text == "{]" ? 1 : 0));
      EXPECT_EQ(index.view().token_count, 0u);
    }
    EXPECT_EQ(error_of(index, "[1]"), Error{});
    EXPECT_EQ(index.view().count_of(0), 1u);
  });
}

TEST(Index, KeepsItsMemory) {
  FailingResource memory;
  {
    Index index(&memory);
    ASSERT_EQ(error_of(index, "[" + std::string(10'000, ' ') + "1,2,3]"), Error{});
    const std::size_t requests = memory.requests();
    ASSERT_EQ(error_of(index, "{\"a\":[1,2,3]}"), Error{});
    EXPECT_EQ(memory.requests(), requests);
    Index moved = std::move(index);
    EXPECT_EQ(moved.view().token_count, 11u);
    ASSERT_EQ(error_of(moved, "[]"), Error{});
    EXPECT_EQ(memory.requests(), requests);
  }
  EXPECT_EQ(memory.outstanding_bytes(), 0u);
}

TEST(Index, SaysWhenMemoryCannotBeHad) {
  std::string text = "[\"" + std::string(40'000, 'x') + "\"";
  for (int i = 0; i < 20'000; ++i) text += ",[[{}]]";
  text += "]";
  std::size_t failures = 0;
  for (bool built = false; !built; ++failures) {
    FailingResource memory(failures + 1);
    {
      Index index(&memory);
      const Error error = error_of(index, text);
      built = error == Error{};
      if (!built) {
        EXPECT_EQ(error.code, ErrorCode::out_of_memory);
        EXPECT_EQ(index.view().token_count, 0u);
        memory.fail_after(FailingResource::kNever);
        EXPECT_EQ(error_of(index, text), Error{});
      }
      EXPECT_EQ(difference(index.view(), NaiveTree(text)), "");
    }
    EXPECT_EQ(memory.outstanding_bytes(), 0u);
  }
  EXPECT_GE(failures, 4u);
}

TEST(Index, RefusesATextAboveTheLimitUnread) {
  // Nothing is there to be read: the size alone must do.
  const char* nowhere = nullptr;
  Index index;
  const Error error = error_of(index, std::string_view(nowhere, Index::kTextMax + 1));
  EXPECT_EQ(error.code, ErrorCode::document_limit);
}

}  // namespace
}  // namespace sluice::json
