// The elements of an array as records, however the array arrives.

#include <gtest/gtest.h>

#include "array_runs.h"
#include "expectations.h"
#include "kernel/kernel.h"
#include "random_json.h"
#include "splits.h"

namespace sluice::json {
namespace {

void expect_elements_everywhere(Text text, const ScanOptions& options, const Selection& selection,
                                const std::string& about) {
  const ElementRows expected = plain_elements(text, options, selection);
  for (const kernel::Kernel* kernel : kernel::supported()) {
    ASSERT_TRUE(kernel::select(kernel->name).has_value());
    for (const auto& cuts : splits_of(text.size())) {
      for (const std::size_t rows : {std::size_t{1}, std::size_t{3}, text.size() + 1}) {
        const ElementRows elements = scan_elements(text, options, selection, cuts, rows);
        ASSERT_EQ(shown(elements.error), shown(expected.error))
            << kernel->name << ", " << about << ": " << shown(text);
        ASSERT_EQ(elements.rows, expected.rows)
            << kernel->name << ", " << about << ": " << shown(text);
      }
    }
  }
}

TEST(Arrays, ElementsAreFoundByHand) {
  const Bytes text = bytes_of(" [ 1, \"a]\" ,{\"a\":[2]}\n,[] ] ");
  const ElementRows elements = plain_elements(text, {}, selection_of({"/a"}));
  const std::vector<std::vector<std::uint64_t>> expected = {
      {pack_range(3, 1), 0, 0},
      {pack_range(6, 4), 0, 0},
      {pack_range(12, 9), 1, pack_range(5, 3)},
      {pack_range(23, 2), 0, 0}};
  EXPECT_EQ(elements.rows, expected);
  expect_elements_everywhere(text, {}, selection_of({"/a"}), "by hand");
}

TEST(Arrays, SmallOnesInEverySplit) {
  const Selection selection = selection_of({"/a", "", "/0"});
  for (const char* text : {"[]",
                           "[ ]",
                           "[]  ",
                           "[[]]",
                           "[1]",
                           "[1,2]",
                           "[\"\"]",
                           "[\"\\\"\",\"\\\\\"]",
                           "[true ,null]",
                           "[{\"a\":1},{\"a\":[2,3]}]",
                           "[1,]",
                           "[,1]",
                           "[1 2]",
                           "[1",
                           "[tru]",
                           "[\"a",
                           "[1]x",
                           "[1],",
                           "[{\"a\":1},{\"a\":x}]",
                           "[\"\xC3\xA9\",\"\xC3\"]",
                           "[1,2}",
                           "[01]",
                           "[-]",
                           "[1.5e3,2e]",
                           "[[1,2],[3,[4]],5",
                           "[\"\\uD834\\uDD1E\",\"\\uD834\"]",
                           "\n[\n1\n,\n2\n]\n"}) {
    expect_elements_everywhere(bytes_of(text), {}, selection, "small");
    expect_elements_everywhere(bytes_of(text), {.max_depth = 1}, selection, "one level");
  }
}

TEST(Arrays, RandomOnesGoodAndSpoiled) {
  RandomJson random(31);
  const Selection selection = selection_of({"/a", "/a/b", "/b/0", "/0"});
  for (int round = 0, count = rounds(400); round < count; ++round) {
    std::string text = "[";
    for (std::size_t elements = random.below(9); elements > 0; --elements) {
      text += random.document(1 + static_cast<int>(random.below(25)), round % 2 != 0) + ",";
    }
    text += "0]";
    const std::string about = "round " + std::to_string(round);
    expect_elements_everywhere(bytes_of(text), {}, selection, about);
    Bytes spoiled = random.mutated(text.substr(1));
    spoiled.insert(spoiled.begin(), '[');
    expect_elements_everywhere(spoiled, {.max_depth = 8}, selection, about);
  }
}

TEST(Arrays, LongOnesInPieces) {
  RandomJson random(32);
  const Selection selection = selection_of({"/a", "/b/0"});
  for (int round = 0, count = rounds(6); round < count; ++round) {
    std::string text = "[";
    while (text.size() < 60'000) text += random.document(60, round % 2 != 0) + ",";
    const std::string about = "round " + std::to_string(round);
    expect_elements_everywhere(bytes_of(text + "{\"a\":1}]"), {}, selection, about);
    Bytes spoiled = random.mutated(text);
    spoiled.insert(spoiled.begin(), '[');
    expect_elements_everywhere(spoiled, {}, selection, about);
  }
}

TEST(Arrays, AnythingElseIsRefusedAtItsFirstByte) {
  for (const char* text : {"{}", " 1", "\n\"[\"", "null"}) {
    const ElementRows elements = scan_elements(bytes_of(text), {}, {}, {}, 9);
    EXPECT_EQ(elements.error.code, ErrorCode::json_syntax) << text;
    EXPECT_EQ(elements.error.offset, std::string_view(text).find_first_not_of(" \n")) << text;
    EXPECT_TRUE(elements.rows.empty());
  }
}

}  // namespace
}  // namespace sluice::json
