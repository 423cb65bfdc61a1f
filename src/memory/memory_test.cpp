#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "memory/block.h"
#include "memory/budget.h"
#include "memory/pool.h"
#include "memory/shares.h"
#include "memory/size_classes.h"

namespace sluice {
namespace {

constexpr std::uint64_t kPlenty = std::numeric_limits<std::uint32_t>::max();

TEST(SizeClasses, FourADoubling) {
  const auto capacity = [](std::size_t size) {
    return capacity_for(size, SizeClasses::four_a_doubling);
  };
  EXPECT_EQ(capacity(0), 64u);
  EXPECT_EQ(capacity(64), 64u);
  EXPECT_EQ(capacity(65), 80u);
  EXPECT_EQ(capacity(81), 96u);
  EXPECT_EQ(capacity(97), 112u);
  EXPECT_EQ(capacity(113), 128u);
  EXPECT_EQ(capacity(129), 160u);
  EXPECT_EQ(capacity(32 * 1024), 32u * 1024);
  EXPECT_EQ(capacity(32 * 1024 + 1), 40u * 1024);
  EXPECT_EQ(capacity(41'157), 48u * 1024);
}

TEST(SizeClasses, PowersOfTwoAsInTheStudy) {
  EXPECT_EQ(capacity_for(40 * 1024, SizeClasses::powers_of_two), 64u * 1024);
  EXPECT_EQ(capacity_for(32 * 1024, SizeClasses::powers_of_two), 32u * 1024);
  EXPECT_EQ(capacity_for(1, SizeClasses::powers_of_two), 64u);
}

TEST(SizeClasses, AtMostAFifthIsLostAndClassesNeverShrink) {
  std::size_t last = 0;
  for (std::size_t size = 65; size < 300'000; ++size) {
    const std::size_t capacity = capacity_for(size, SizeClasses::four_a_doubling);
    ASSERT_GE(capacity, size);
    ASSERT_GE(capacity, last);
    ASSERT_LT((capacity - size) * 5, capacity) << size;
    last = capacity;
  }
}

TEST(Budget, RefusesWhatWouldPassTheLimitAndCountsPeaksByRegion) {
  Budget budget(100);
  EXPECT_TRUE(budget.try_take(Region::input, 60));
  EXPECT_FALSE(budget.try_take(Region::sink, 41));
  EXPECT_TRUE(budget.try_take(Region::sink, 40));
  budget.give_back(Region::input, 60);
  EXPECT_TRUE(budget.try_take(Region::queue, 5));
  EXPECT_EQ(budget.used(), 45u);
  EXPECT_EQ(budget.peak(), 100u);
  EXPECT_EQ(budget.peak(Region::input), 60u);
  EXPECT_EQ(budget.peak(Region::queue), 5u);
  EXPECT_EQ(budget.used(Region::input), 0u);
}

TEST(Budget, APromiseIsKeptFromEverybodyElse) {
  Budget budget(100);
  ASSERT_TRUE(budget.try_take(Region::input, 10));
  EXPECT_FALSE(budget.try_promise(91));
  std::optional<Promise> promise = budget.try_promise(70);
  ASSERT_TRUE(promise);
  EXPECT_FALSE(budget.try_take(Region::sink, 21));
  EXPECT_TRUE(budget.try_take(Region::sink, 20));
  EXPECT_TRUE(promise->try_take(Region::input, 50));
  EXPECT_FALSE(promise->try_take(Region::input, 21));
  promise->end();
  EXPECT_EQ(budget.free(), 20u);
}

TEST(Budget, SeveralPromisesAreEachKeptAndEachEnded) {
  Budget budget(100);
  std::optional<Promise> first = budget.try_promise(40);
  {
    std::optional<Promise> second = budget.try_promise(50);
    ASSERT_TRUE(first && second);
    EXPECT_FALSE(budget.try_promise(11)) << "100 - 40 - 50";
    EXPECT_TRUE(first->try_take(Region::input, 30));
    EXPECT_FALSE(first->try_take(Region::input, 11)) << "the rest is the other's";
    EXPECT_TRUE(second->try_take(Region::input, 50));
    EXPECT_EQ(budget.free(), 10u);
  }
  EXPECT_EQ(budget.free(), 10u) << "nothing was left of the second";
  Promise moved = std::move(*first);
  EXPECT_FALSE(*first);
  EXPECT_TRUE(moved.try_take(Region::input, 10));
  moved = std::move(*budget.try_promise(5));
  EXPECT_EQ(budget.free(), 5u);
  moved.end();
  EXPECT_EQ(budget.free(), 10u);
  EXPECT_EQ(budget.used(), 90u);
}

TEST(Pool, GivesEverythingBackAndKeepsEmptyBuffersCounted) {
  Budget budget(kPlenty);
  {
    Pool pool(budget, {});
    auto first = pool.take(1'000, Region::input);
    ASSERT_TRUE(first);
    EXPECT_EQ(first->capacity(), 1'024u);
    std::memset(first->data(), 7, first->capacity());
    first.reset();
    EXPECT_EQ(budget.used(Region::input), 0u);
    EXPECT_EQ(budget.used(Region::pool), 1'024u);
    auto again = pool.take(1'024, Region::sink);
    EXPECT_EQ(budget.used(Region::pool), 0u);
    EXPECT_EQ(budget.used(Region::sink), 1'024u);
    EXPECT_EQ(budget.peak(), 1'024u) << "the empty buffer served";
  }
  EXPECT_EQ(budget.used(), 0u);
}

TEST(Pool, EmptyBuffersYieldBeforeTheBudgetRefusesAndBeforeThePeakRises) {
  Budget budget(64 * 1024);
  Pool pool(budget, {});
  {
    auto a = pool.take(16 * 1024, Region::input);
    auto b = pool.take(16 * 1024, Region::input);
    ASSERT_TRUE(a && b);
  }
  EXPECT_EQ(budget.used(Region::pool), 32u * 1024);
  auto other_class = pool.take(20 * 1024, Region::input);
  ASSERT_TRUE(other_class);
  EXPECT_EQ(budget.peak(), 32u * 1024) << "16 + 20 KiB would have raised it: both yielded";
  other_class.reset();
  auto large = pool.take(64 * 1024, Region::input);
  EXPECT_TRUE(large) << "all empty ones yielded";
  EXPECT_FALSE(pool.take(64, Region::input));
}

TEST(Pool, KeepsNoMoreThanItsNumberPerClass) {
  Budget budget(kPlenty);
  Pool pool(budget, {.kept_per_class = 2});
  {
    auto a = pool.take(64, Region::input);
    auto b = pool.take(64, Region::input);
    auto c = pool.take(64, Region::input);
  }
  EXPECT_EQ(budget.used(), 128u);
}

TEST(Pool, GrowsInPlaceOfItsContentAndRefusesWithoutAChange) {
  Budget budget(200 * 1024);
  Pool pool(budget, {});
  auto buffer = pool.take(10 * 1024, Region::input);
  ASSERT_TRUE(buffer);
  for (std::size_t at = 0; at < 10 * 1024; ++at) buffer->data()[at] = static_cast<std::uint8_t>(at);
  for (const std::size_t size : {12 * 1024, 40 * 1024, 128 * 1024}) {
    ASSERT_TRUE(pool.grow(*buffer, size));
    EXPECT_EQ(budget.used(), buffer->capacity());
  }
  EXPECT_FALSE(pool.grow(*buffer, 256 * 1024));
  EXPECT_EQ(buffer->capacity(), 128u * 1024);
  for (std::size_t at = 0; at < 10 * 1024; ++at) {
    ASSERT_EQ(buffer->data()[at], static_cast<std::uint8_t>(at));
  }
}

TEST(Pool, RefusesSizesThatNoBufferHas) {
  Budget budget(std::numeric_limits<std::uint64_t>::max() / 2);
  Pool pool(budget, {});
  EXPECT_FALSE(pool.take(Pool::kLargestBuffer + 1, Region::input));
  auto small = pool.take(64, Region::input);
  EXPECT_FALSE(pool.grow(*small, Pool::kLargestBuffer + 1));
}

TEST(Pool, ShrinksInPlaceToWholePages) {
  Budget budget(kPlenty);
  Pool pool(budget, {});
  auto buffer = pool.take(160 * 1024, Region::input);
  std::memset(buffer->data(), 'x', 100);
  pool.shrink(*buffer, 41'000);
  EXPECT_EQ(buffer->capacity(), 48u * 1024);
  EXPECT_EQ(budget.used(Region::input), 48u * 1024);
  EXPECT_EQ(buffer->data()[99], 'x');
  pool.shrink(*buffer, 100);
  EXPECT_EQ(buffer->capacity(), 16u * 1024) << "smaller ones are not made of pages";
  pool.shrink(*buffer, 20'000);
  EXPECT_EQ(buffer->capacity(), 16u * 1024) << "never grows";
}

TEST(Block, TheLastReferenceGivesItsMemoryBack) {
  Budget budget(kPlenty);
  Pool pool(budget, {.kept_per_class = 0});
  auto open = OpenBlock::take(pool, Region::input, 4'096, 512);
  ASSERT_TRUE(open);
  const std::size_t capacity = open->capacity();
  EXPECT_EQ(budget.used(), capacity);
  BlockRef first = Block::freeze(std::move(*open), 1, 2, {.offset = 9});
  EXPECT_EQ(first->capacity(), capacity);
  BlockRef second = first;
  EXPECT_FALSE(first.try_reopen()) << "somebody else refers to it";
  first.reset();
  EXPECT_EQ(budget.used(), capacity);
  auto reopened = second.try_reopen();
  ASSERT_TRUE(reopened);
  EXPECT_FALSE(second);
  EXPECT_EQ(reopened->capacity(), capacity);
  reopened.reset();
  EXPECT_EQ(budget.used(), 0u);
}

TEST(Block, IsTakenWholeOrNotAtAll) {
  // Every budget from nothing to enough: one of the three parts is refused, and nothing stays.
  for (std::uint64_t limit = 0;; limit += 64) {
    Budget budget(limit);
    Pool pool(budget, {.kept_per_class = 0});
    auto open = OpenBlock::take(pool, Region::input, 1'024, 256);
    if (open) {
      EXPECT_EQ(budget.used(), open->capacity());
      break;
    }
    ASSERT_EQ(budget.used(), 0u) << limit;
    ASSERT_LT(limit, 4'096u);
  }
}

TEST(Block, TheLedgerCountsCapacityTimesLife) {
  Budget budget(kPlenty);
  Pool pool(budget, {});
  ManualClock clock;
  BlockLedger ledger(clock);
  auto open = OpenBlock::take(pool, Region::input, 1'024, 0);
  const auto capacity = static_cast<double>(open->capacity());
  BlockRef block =
      Block::freeze(std::move(*open), 0, 1, {.received_ns = clock.now_ns(), .ledger = &ledger});
  clock.advance(250'000'000);
  block.reset();
  EXPECT_DOUBLE_EQ(ledger.byte_seconds(), capacity * 0.25);
}

TEST(Shares, OwnFirstThenTheCommonHalfAsFarAsItIsFree) {
  Shares shares(1'000, 2);  // 250 each, 500 in common
  EXPECT_EQ(shares.bound(0), 750u);
  shares.charge(0, 250);
  EXPECT_TRUE(shares.has_room(0, 500));
  EXPECT_FALSE(shares.has_room(0, 501));
  shares.charge(0, 300);
  EXPECT_EQ(shares.bound(1), 450u) << "300 of the common half are taken";
  EXPECT_EQ(shares.bound(0), 750u) << "its own part of the common half does not count against it";
  shares.charge(1, 1);
  EXPECT_TRUE(shares.has_room(1, 449));
  EXPECT_FALSE(shares.has_room(1, 450));
  shares.discharge(0, 300);
  EXPECT_TRUE(shares.has_room(1, 749));
}

TEST(Shares, OneThatHoldsNothingMayAlwaysTakeOne) {
  Shares shares(1'000, 2);
  EXPECT_TRUE(shares.has_room(0, 1'000'000));
  shares.charge(0, 1'000'000);
  EXPECT_FALSE(shares.has_room(0, 1));
  EXPECT_TRUE(shares.has_room(1, 1'000'000)) << "the common half may be overdrawn by one record";
  EXPECT_EQ(shares.bound(1), 250u);
}

}  // namespace
}  // namespace sluice
