#include "record/selected_copy.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace sluice {
namespace {

std::string text_of(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Two records with three fields, the second without the field 1; rows written by hand.
class SelectedCopyTest : public testing::Test {
 protected:
  SelectedCopyTest() {
    const std::string text = R"({"a":1,"b":"x","c":[2]})"
                             "\n"
                             R"({"a":33,"c":null})"
                             "\n";
    OpenBlock open = std::move(*OpenBlock::take(pool, Region::input, text.size() + 64, 256));
    std::memcpy(open.data.data(), text.data(), text.size());
    const std::uint64_t rows[] = {json::pack_range(0, 23),
                                  0b111,
                                  json::pack_range(5, 1),
                                  json::pack_range(11, 3),
                                  json::pack_range(19, 3),
                                  json::pack_range(24, 17),
                                  0b101,
                                  json::pack_range(5, 2),
                                  0,
                                  json::pack_range(12, 4)};
    std::memcpy(open.side.data(), rows, sizeof rows);
    original = Block::freeze(std::move(open), 2, 5, {.offset = 1'000});
  }

  Budget budget{1 << 20};
  Pool pool{budget, {}};
  BlockRef original;
};

TEST_F(SelectedCopyTest, HoldsTheSelectedRangesUnderTheSameIndexes) {
  const Projection projection{.whole = false, .fields = {2, 1}};
  const SelectedCopy copy(*original, projection, 3);
  EXPECT_EQ(copy.selected_bytes(), 3u + 3 + 4);
  EXPECT_EQ(copy.data_capacity(pool), 64u);
  EXPECT_EQ(copy.capacity(pool), 80u) << "40 bytes, four ends of 4, and the 10 selected ones";
  const BlockRef block = *copy.make(pool);
  ASSERT_EQ(block->rows(), 2u);
  const RecordView first(*block, 0);
  EXPECT_EQ(text_of(first.field(0, 2)), "[2]");
  EXPECT_EQ(text_of(first.field(1, 2)), R"("x")");
  const RecordView second(*block, 1);
  EXPECT_EQ(text_of(second.field(0, 2)), "null");
  EXPECT_TRUE(second.field(1, 2).empty());
  EXPECT_TRUE(block->is_copy());
  EXPECT_EQ(block->capacity(), copy.capacity(pool));
}

TEST_F(SelectedCopyTest, AWholeRecordKeepsANewlineBehindIt) {
  const Projection projection{.whole = true, .fields = {}};
  const BlockRef block = *SelectedCopy(*original, projection, 3).make(pool);
  EXPECT_EQ(text_of(RecordView(*block, 0).body()), R"({"a":1,"b":"x","c":[2]})");
  const auto second = RecordView(*block, 1).body();
  EXPECT_EQ(text_of(second), R"({"a":33,"c":null})");
  EXPECT_EQ(second.data()[second.size()], '\n');
}

TEST_F(SelectedCopyTest, DataLieApartWhereThatKeepsLess) {
  const std::string text = "\"" + std::string(32'766, 'x') + "\"\n";
  OpenBlock open = std::move(*OpenBlock::take(pool, Region::input, text.size() + 64, 64));
  std::memcpy(open.data.data(), text.data(), text.size());
  const std::uint64_t row[] = {json::pack_range(0, 32'768), 1, json::pack_range(0, 32'768)};
  std::memcpy(open.side.data(), row, sizeof row);
  const BlockRef large = Block::freeze(std::move(open), 1, 3, {});
  const Projection projection{.whole = false, .fields = {0}};
  const std::uint64_t before = budget.used();
  const SelectedCopy copy(*large, projection, 1);
  EXPECT_EQ(copy.capacity(pool), 32'768 + 64u) << "together they would take 40,960";
  const BlockRef block = *copy.make(pool);
  EXPECT_EQ(budget.used() - before, 32'768 + 64u);
  EXPECT_EQ(block->capacity(), 32'768 + 64u);
  EXPECT_EQ(text_of(RecordView(*block, 0).field(0, 1)) + "\n", text);
}

TEST_F(SelectedCopyTest, IsRefusedWhenTheBudgetIsFull) {
  Budget small(budget.used());
  Pool empty(small, {});
  const Projection projection{.whole = true, .fields = {}};
  ASSERT_TRUE(small.try_take(Region::fixed, small.limit()));
  EXPECT_FALSE(SelectedCopy(*original, projection, 3).make(empty));
  small.give_back(Region::fixed, small.limit());
}

}  // namespace
}  // namespace sluice
