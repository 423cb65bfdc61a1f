#include "sinks/encoder.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <string>

#include "record/selected_copy.h"

namespace sluice {
namespace {

/// One record by hand: its text, and where its two fields stand in it (size 0: missing).
struct Row {
  std::string text;
  std::uint32_t first_start, first_size, second_start, second_size;
  const char* end = "\n";
};

class EncoderTest : public testing::Test {
 protected:
  BlockRef make_block(const std::vector<Row>& rows, bool multiline = false) {
    std::string text;
    std::vector<std::uint64_t> words;
    for (const Row& row : rows) {
      words.push_back(json::pack_range(static_cast<std::uint32_t>(text.size()),
                                       static_cast<std::uint32_t>(row.text.size())));
      words.push_back((row.first_size > 0 ? 1u : 0u) | (row.second_size > 0 ? 2u : 0u));
      words.push_back(row.first_size > 0 ? json::pack_range(row.first_start, row.first_size) : 0);
      words.push_back(row.second_size > 0 ? json::pack_range(row.second_start, row.second_size)
                                          : 0);
      text += row.text + row.end;
    }
    const std::size_t side = words.size() * sizeof(std::uint64_t);
    OpenBlock open = std::move(*OpenBlock::take(pool, Region::input, text.size() + 64, side));
    std::memcpy(open.data.data(), text.data(), text.size());
    std::memcpy(open.side.data(), words.data(), side);
    return Block::freeze(std::move(open), static_cast<std::uint32_t>(rows.size()), 4,
                         {.multiline = multiline});
  }

  /// Encodes in batches of `limit` bytes, written in steps of `step`; counts what is complete
  /// after each step.
  void encode(const EncoderOptions& options, const Block& block, std::size_t limit,
              std::size_t step) {
    Encoder encoder(options);
    Batch batch;
    ASSERT_TRUE(batch.open(pool, Batch::kSmallestScratch));
    written.clear();
    complete_at.clear();
    encoder.begin({.block = block, .first = 0, .count = block.rows()});
    do {
      batch.set_limit(limit);
      encoder.run(batch);
      complete_at.insert(complete_at.end(), batch.records_without_bytes(), written.size());
      while (!batch.written()) {
        std::array<iovec, 64> pieces;
        const std::size_t count = batch.unwritten(pieces);
        ASSERT_GT(count, 0u);
        const std::size_t size = std::min(step, pieces[0].iov_len);
        written.append(static_cast<const char*>(pieces[0].iov_base), size);
        complete_at.insert(complete_at.end(), batch.advance(size), written.size());
      }
      batch.clear();
      encoder.batch_cleared();
    } while (encoder.active());
  }

  /// The same bytes whatever the batches and writes, and each record complete with the write that
  /// brings its last byte.
  void expect_lines(const EncoderOptions& options, const Block& original,
                    const std::vector<std::string>& lines) {
    expect_lines_of(options, original, lines);
    SCOPED_TRACE("from a copy");
    const BlockRef copy = *SelectedCopy(original, options.projection, options.fields).make(pool);
    expect_lines_of(options, *copy, lines);
  }

  void expect_lines_of(const EncoderOptions& options, const Block& block,
                       const std::vector<std::string>& lines) {
    for (const std::size_t limit : {1, 2, 3, 7, 64, 1'000, 1'024, 1'025, 4'096, 100'000}) {
      for (const std::size_t step : {std::size_t{1}, std::size_t{5}, std::size_t{100'000}}) {
        SCOPED_TRACE("limit " + std::to_string(limit) + ", step " + std::to_string(step));
        if (options.format == Format::text && limit < Encoder::kLeastRoom) continue;
        encode(options, block, limit, step);
        std::string expected;
        std::vector<std::size_t> ends;
        for (const std::string& line : lines) {
          expected += line;
          ends.push_back(expected.size());
        }
        ASSERT_EQ(written, expected);
        ASSERT_EQ(complete_at.size(), lines.size());
        for (std::size_t at = 0; at < lines.size(); ++at) {
          ASSERT_GE(complete_at[at], ends[at]);
          ASSERT_LT(complete_at[at], ends[at] + std::max<std::size_t>(step, 1)) << "record " << at;
        }
      }
    }
  }

  static EncoderOptions options(bool whole) {
    return {.projection = {.whole = whole,
                           .fields = whole ? std::vector<std::uint32_t>{}
                                           : std::vector<std::uint32_t>{0, 1}},
            .fields = 2,
            .names = whole ? std::vector<std::string>{} : std::vector<std::string>{"k", "\"q"}};
  }

  Budget budget{1 << 24};
  Pool pool{budget, {}};
  std::string written;
  std::vector<std::size_t> complete_at;  ///< bytes written when each record was complete
};

const std::string kLong(3'000, 'x');

std::vector<Row> sample_rows() {
  return {{R"({"k":1,"o":[2]})", 5, 1, 11, 3},
          {R"({"k":")" + kLong + R"("})", 5, 3'002, 0, 0},
          {R"({})", 0, 0, 0, 0, "\r\n"},
          {R"({"o":"a"})", 0, 0, 5, 3, "\n\n"},
          {R"(7)", 0, 0, 0, 0}};
}

TEST_F(EncoderTest, WholeRecordsAreTheirBytesWithOneNewline) {
  std::vector<std::string> lines;
  for (const Row& row : sample_rows()) lines.push_back(row.text + "\n");
  expect_lines(options(true), *make_block(sample_rows()), lines);
}

TEST_F(EncoderTest, ObjectsLeaveOutWhatIsMissing) {
  expect_lines(options(false), *make_block(sample_rows()),
               {"{\"k\":1,\"\\\"q\":[2]}\n", "{\"k\":\"" + kLong + "\"}\n", "{}\n",
                "{\"\\\"q\":\"a\"}\n", "{}\n"});
}

TEST_F(EncoderTest, BareValuesAndNothingForAMissingOne) {
  EncoderOptions bare = options(false);
  bare.projection.fields = {0};
  bare.names = {"k"};
  bare.bare = true;
  expect_lines(bare, *make_block(sample_rows()), {"1\n", "\"" + kLong + "\"\n", "", "", ""});
}

TEST_F(EncoderTest, TextIsDecodedHoweverLong) {
  EncoderOptions text = options(false);
  text.projection.fields = {0};
  text.names = {"k"};
  text.format = Format::text;
  std::string raw = R"({"k":")";
  std::string decoded;
  for (int piece = 0; piece < 500; ++piece) {
    raw += R"(a\u00e9\ud83d\ude00\n)";
    decoded += "a\xC3\xA9\xF0\x9F\x98\x80\n";
  }
  const auto size = static_cast<std::uint32_t>(raw.size() + 1 - 5);
  raw += R"("})";
  expect_lines(text, *make_block({{raw, 5, size, 0, 0}, {R"({"k":[1, 2]})", 5, 6, 0, 0}}),
               {decoded + "\n", "[1, 2]\n"});
}

TEST_F(EncoderTest, NewlinesBetweenTokensBecomeSpaces) {
  const std::string record = "{\"k\":\n[1,\n2],\r\n\"o\":\"\\n\"}";
  const std::vector<Row> rows{{record, 6, 6, 19, 4, ","}};
  expect_lines(options(true), *make_block(rows, true), {"{\"k\": [1, 2],\r \"o\":\"\\n\"}\n"});
  expect_lines(options(false), *make_block(rows, true), {"{\"k\":[1, 2],\"\\\"q\":\"\\n\"}\n"});
}

TEST(Batch, AScratchThatWasTooSmallGrowsToItsLimitAndNoFurther) {
  Budget budget(1 << 20);
  Pool pool(budget, {});
  Batch batch;
  ASSERT_TRUE(batch.open(pool, 4 * Batch::kSmallestScratch));
  EXPECT_EQ(budget.used(), Batch::reserve_bytes(pool));
  const std::vector<std::uint8_t> bytes(100, 'x');
  std::vector<std::size_t> sizes;
  for (int round = 0; round < 7; ++round) {
    batch.set_limit(1 << 20);
    while (batch.copy(bytes) == bytes.size()) {
    }
    sizes.push_back(batch.size());
    batch.advance(batch.size());
    batch.clear();
  }
  EXPECT_EQ(sizes, (std::vector<std::size_t>{512, 512, 512, 1'024, 2'048, 2'048, 2'048}));
}

TEST(Batch, PiecesThatAreReferredToNeedNoWiderScratch) {
  Budget budget(1 << 20);
  Pool pool(budget, {});
  Batch batch;
  ASSERT_TRUE(batch.open(pool, 1 << 20));
  const std::vector<std::uint8_t> large(20'000, 'x');
  const std::vector<std::uint8_t> small(10, 'y');
  for (int round = 0; round < 10; ++round) {
    batch.set_limit(1 << 20);
    while (!batch.full()) {
      batch.copy(small);
      batch.refer(large);
    }
    batch.advance(batch.size());
    batch.clear();
  }
  EXPECT_EQ(budget.used(), Batch::reserve_bytes(pool));
}

TEST(Batch, StaysAsItIsWhenTheBudgetIsFull) {
  Budget budget(8 * 1024);
  Pool pool(budget, {});
  Batch batch;
  ASSERT_TRUE(batch.open(pool, 1 << 20));
  ASSERT_TRUE(budget.try_take(Region::fixed, budget.free()));
  const std::vector<std::uint8_t> bytes(5'000, 'x');
  batch.set_limit(1 << 20);
  EXPECT_EQ(batch.copy(bytes), 512u);
  batch.advance(512);
  batch.clear();
  EXPECT_EQ(batch.copy(bytes), 512u);
  batch.discard();
  budget.give_back(Region::fixed, budget.used(Region::fixed));
}

}  // namespace
}  // namespace sluice
