#include "flow/port.h"

#include <gtest/gtest.h>

#include <deque>
#include <vector>

#include "memory/pool.h"

namespace sluice {
namespace {

class PortTest : public testing::Test {
 protected:
  BlockRef make_block(std::uint32_t rows, std::uint64_t received_ns = 1) {
    return Block::freeze(std::move(*OpenBlock::take(pool, Region::input, 1'000, 8)), rows, 1,
                         {.received_ns = received_ns});
  }
  /// Numbered in the order in which blocks first come.
  Arrival arrival(const BlockRef& block) {
    if (!(block == last_block)) ++number;
    last_block = block;
    return {.block = block, .number = number, .received_ns = block->origin().received_ns};
  }
  Port& make_port(PortOptions options) {
    return ports.emplace_back(std::move(options), 0, shares, pool);
  }
  /// What make_block keeps alive: data 1,024, row 64, control block 96.
  static constexpr std::uint64_t kBlock = 1'024 + 64 + 96;

  Budget budget{1 << 20};
  Pool pool{budget, {}};
  Shares shares{8 * kBlock, 1};  // the one sink may hold 4 + 4 blocks
  std::deque<Port> ports;
  BlockRef last_block;
  std::uint32_t number = 0;
};

TEST_F(PortTest, CountsWhatGoesThrough) {
  Port& port = make_port({});
  ASSERT_EQ(make_block(1)->capacity(), kBlock);
  EXPECT_EQ(port.enter(arrival(make_block(10)), 0, 10, 5), 10u);
  EXPECT_EQ(port.outstanding(), 10u);
  EXPECT_EQ(port.held_bytes(), kBlock);
  const auto taken = port.take(5);
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->first, 0u);
  EXPECT_EQ(taken->count, 10u);
  EXPECT_FALSE(port.take(5));
  port.acknowledge(4, 101);
  EXPECT_EQ(port.outstanding(), 6u);
  EXPECT_EQ(port.held_bytes(), kBlock);
  port.acknowledge(6, 201);
  EXPECT_EQ(port.held_bytes(), 0u);
  EXPECT_EQ(port.stats().records, 10u);
  EXPECT_EQ(port.stats().queue_max, 10u);
  EXPECT_EQ(port.stats().latency.max_ns(), 200u);
}

TEST_F(PortTest, ABlockingPortTakesAsManyRecordsAsItsQueueHas) {
  Port& port = make_port({.queue_records = 64});
  const BlockRef block = make_block(100);
  EXPECT_EQ(port.enter(arrival(block), 0, 100, 1), 64u);
  EXPECT_FALSE(port.has_room(kBlock));
  EXPECT_EQ(port.enter(arrival(block), 64, 36, 1), 0u);
  port.take(1);
  port.acknowledge(1, 1);
  EXPECT_EQ(port.enter(arrival(block), 64, 36, 2), 1u);
  EXPECT_EQ(port.held_bytes(), kBlock) << "two entries of one block are charged once";
  port.acknowledge(63, 3);
  EXPECT_EQ(port.held_bytes(), kBlock) << "the younger entry still holds it";
  port.take(3);
  port.acknowledge(1, 3);
  EXPECT_EQ(port.held_bytes(), 0u);
}

TEST_F(PortTest, ABlockingPortStopsAtItsShareAndOneThatHoldsNothingTakesOne) {
  Port& port = make_port({});
  for (int block = 0; block < 8; ++block) {
    ASSERT_TRUE(port.has_room(kBlock)) << block;
    ASSERT_EQ(port.enter(arrival(make_block(2)), 0, 2, 1), 2u);
  }
  EXPECT_FALSE(port.has_room(kBlock));
  EXPECT_EQ(port.enter(arrival(make_block(2)), 0, 2, 1), 0u);
  while (port.take(1)) {
  }
  port.acknowledge(16, 1);
  EXPECT_TRUE(port.has_room(100 * kBlock));
}

TEST_F(PortTest, ABoundInBytesCountsWhatIsKeptAlive) {
  Port& port = make_port({.queue_bytes = 2 * kBlock});
  EXPECT_EQ(port.enter(arrival(make_block(5)), 0, 5, 1), 5u);
  EXPECT_EQ(port.enter(arrival(make_block(5)), 0, 5, 1), 5u);
  EXPECT_EQ(port.enter(arrival(make_block(5)), 0, 5, 1), 0u);
  EXPECT_EQ(port.held_bytes_bound(), 2 * kBlock);
}

TEST_F(PortTest, DropNewestKeepsWhatIsThere) {
  Port& port = make_port({.queue_records = 10, .when_full = WhenFull::drop_newest});
  const BlockRef block = make_block(16);
  EXPECT_EQ(port.enter(arrival(block), 0, 16, 1), 16u);
  EXPECT_EQ(port.stats().dropped, 6u);
  const auto taken = port.take(1);
  EXPECT_EQ(taken->first, 0u);
  EXPECT_EQ(taken->count, 10u);
  EXPECT_EQ(port.enter(arrival(block), 0, 16, 1), 16u);
  EXPECT_EQ(port.stats().dropped, 22u);
  EXPECT_TRUE(port.has_room(1'000'000)) << "a sink that drops never holds the source back";
}

TEST_F(PortTest, DropOldestKeepsTheNewestAndNeverTouchesWhatIsInFlight) {
  Port& port = make_port({.queue_records = 10, .when_full = WhenFull::drop_oldest});
  EXPECT_EQ(port.enter(arrival(make_block(6)), 0, 6, 1), 6u);
  ASSERT_TRUE(port.take(1));  // six in flight
  EXPECT_EQ(port.enter(arrival(make_block(3)), 0, 3, 2), 3u);
  const BlockRef newest = make_block(100);
  EXPECT_EQ(port.enter(arrival(newest), 0, 100, 3), 100u);
  EXPECT_EQ(port.stats().dropped, 3u + 96);
  const auto taken = port.take(3);
  ASSERT_TRUE(taken);
  EXPECT_EQ(&taken->block, newest.get());
  EXPECT_EQ(taken->first, 96u);
  EXPECT_EQ(taken->count, 4u);
  port.acknowledge(10, 4);
  EXPECT_EQ(port.stats().records, 10u);
  EXPECT_EQ(port.held_bytes(), 0u);
}

TEST_F(PortTest, ARecordLeavesItsDelayAfterItEntered) {
  Port& port = make_port({.delay_ns = 5'000});
  port.enter(arrival(make_block(1)), 0, 1, 100);
  EXPECT_EQ(port.next_due_ns(), 5'100u);
  EXPECT_FALSE(port.take(5'099));
  EXPECT_TRUE(port.take(5'100));
  EXPECT_FALSE(port.next_due_ns());
}

TEST_F(PortTest, WaitingEntriesCanBePointedAtACopyAndTakenOnesStay) {
  Port& port = make_port({});
  const BlockRef block = make_block(4);
  port.enter(arrival(block), 0, 2, 1);
  ASSERT_TRUE(port.take(1));
  port.enter(arrival(block), 2, 2, 2);
  const BlockRef copy =
      Block::freeze_copy(std::move(*OpenBlock::take_copy(pool, 100, 4)), 4, 1, false);
  EXPECT_TRUE(port.is_taking(number));
  EXPECT_EQ(port.waiting_of(number).block, block.get());
  EXPECT_EQ(port.waiting_of(number).entered_ns, 2u);
  port.repoint(number, copy);
  EXPECT_EQ(port.waiting_of(number).block, nullptr) << "a copy";
  const auto taken = port.take(2);
  ASSERT_TRUE(taken);
  EXPECT_EQ(&taken->block, copy.get());
  EXPECT_TRUE(taken->block.is_copy());
  EXPECT_EQ(taken->first, 2u);
  EXPECT_EQ(port.held_bytes(), kBlock + copy->capacity())
      << "the entry in flight still keeps the original";
  port.acknowledge(2, 3);
  EXPECT_EQ(port.held_bytes(), copy->capacity());
}

TEST_F(PortTest, HowLongAnEntryWillStayIsJudgedByTheOthers) {
  Port& port = make_port({});
  port.enter(arrival(make_block(1)), 0, 1, 1'000);
  EXPECT_EQ(port.remaining_ns(1'000, 1'000), 5'000'000u) << "nothing is known yet";
  port.take(1'000);
  port.acknowledge(1, 9'000);  // stayed 8,000
  port.enter(arrival(make_block(1)), 0, 1, 10'000);
  EXPECT_EQ(port.remaining_ns(10'000, 13'000), 5'000u);
  EXPECT_EQ(port.remaining_ns(10'000, 18'000), 2'000u) << "a quarter of its age, once that is past";
  port.take(18'000);
  port.acknowledge(1, 22'000);  // 12,000: 8,000 - 2,000 + 3,000
  port.enter(arrival(make_block(1)), 0, 1, 30'000);
  EXPECT_EQ(port.remaining_ns(30'000, 30'000), 9'000u);
  port.enter(arrival(make_block(1)), 0, 1, 50'000);
  EXPECT_EQ(port.remaining_ns(50'000, 50'000), 20'000u) << "the oldest is there for so long";
}

TEST_F(PortTest, FindsBlocksAcrossTheWrapOfNumbersAndOfTheRing) {
  Port& port = make_port({});
  number = 0xFFFFFFFC;
  for (int block = 0; block < 7; ++block) {
    port.enter(arrival(make_block(1)), 0, 1, 1);
    if (block < 3) port.take(1);
  }
  port.acknowledge(3, 1);
  port.enter(arrival(make_block(1)), 0, 1, 1);
  port.enter(arrival(make_block(1)), 0, 1, 1);
  ASSERT_EQ(number, 5u);
  for (const std::uint32_t there : {0u, 1u, 2u, 3u, 4u, 5u}) {
    EXPECT_NE(port.waiting_of(there).block, nullptr) << there;
  }
  EXPECT_EQ(port.waiting_of(0xFFFFFFFF).block, nullptr);
  EXPECT_EQ(port.waiting_of(6).block, nullptr);
}

TEST_F(PortTest, AfterAFailureNothingIsHeldAndEverythingIsPending) {
  Port& port = make_port({});
  port.enter(arrival(make_block(5)), 0, 5, 1);
  port.take(1);
  port.acknowledge(2, 1);
  port.fail({.code = ErrorCode::sink_write, .system_errno = 28});
  EXPECT_EQ(port.held_bytes(), 0u);
  EXPECT_EQ(port.enter(arrival(make_block(7)), 0, 7, 1), 7u);
  EXPECT_EQ(port.stats().records, 2u);
  EXPECT_EQ(port.pending(), 3u + 7);
  EXPECT_TRUE(port.has_room(1'000'000));
}

TEST_F(PortTest, AFullQueueTakesNoCrumbsThatWouldMakeItGrow) {
  Port& port = make_port({.queue_records = 320, .bound_by_share = false});
  std::vector<BlockRef> blocks;
  for (int entry = 0; entry < 8; ++entry) blocks.push_back(make_block(40));
  for (const BlockRef& block : blocks) ASSERT_EQ(port.enter(arrival(block), 0, 40, 1), 40u);
  ASSERT_TRUE(port.take(1));
  const BlockRef next = make_block(40);
  port.acknowledge(19, 1);
  EXPECT_EQ(port.enter(arrival(next), 0, 40, 2), 0u) << "eight slots, and below a 16th of 320";
  port.acknowledge(1, 1);
  EXPECT_EQ(port.enter(arrival(next), 0, 40, 2), 20u);
  port.acknowledge(1, 1);
  EXPECT_EQ(port.enter(arrival(next), 20, 20, 3), 1u) << "there are slots now";
}

TEST_F(PortTest, AQueueThatMayNotGrowWaits) {
  Port& port = make_port({});
  ASSERT_EQ(port.enter(arrival(make_block(1)), 0, 1, 1), 1u);
  std::vector<BlockRef> blocks;
  for (int entry = 0; entry < 8; ++entry) blocks.push_back(make_block(1));
  const std::uint64_t rest = budget.free();
  ASSERT_TRUE(budget.try_take(Region::fixed, rest));
  std::uint32_t entered = 0;
  for (const BlockRef& block : blocks) entered += port.enter(arrival(block), 0, 1, 1);
  EXPECT_EQ(entered, 7u) << "eight slots were taken at first";
  budget.give_back(Region::fixed, rest);
}

TEST(Latency, QuantilesAreUpperEndsWithinAnEighth) {
  LatencyHistogram histogram;
  EXPECT_EQ(histogram.quantile_ns(0.5), 0u);
  for (std::uint64_t ms = 1; ms <= 100; ++ms) histogram.add(ms * 1'000'000, 1);
  for (const double share : {0.5, 0.99}) {
    const double exact = share * 100e6;
    EXPECT_GE(static_cast<double>(histogram.quantile_ns(share)), exact);
    EXPECT_LE(static_cast<double>(histogram.quantile_ns(share)), exact * 1.125);
  }
  EXPECT_EQ(histogram.quantile_ns(1.0), 100'000'000u);
  EXPECT_EQ(histogram.max_ns(), 100'000'000u);
}

TEST(Latency, BucketsCoverZeroAndVeryLong) {
  LatencyHistogram histogram;
  histogram.add(0, 3);
  EXPECT_EQ(histogram.quantile_ns(0.5), 0u);
  histogram.add(std::uint64_t{1} << 60, 10);
  EXPECT_EQ(histogram.max_ns(), std::uint64_t{1} << 60);
  EXPECT_GT(histogram.quantile_ns(0.9), std::uint64_t{1} << 42);
}

}  // namespace
}  // namespace sluice
