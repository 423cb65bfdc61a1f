#include "flow/fan_out.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace sluice {
namespace {

constexpr std::uint64_t kMs = 1'000'000;
constexpr std::uint32_t kFields = 2;  // a tag of 56 bytes, a body of 1,000
constexpr std::uint32_t kBlockBytes = 2'000;
const Projection kTag{.whole = false, .fields = {0}};
const Projection kBody{.whole = false, .fields = {1}};

class FanOutTest : public testing::Test, private RetentionTrace {
 protected:
  /// A block of one record.
  BlockRef make_block() {
    OpenBlock open = std::move(*OpenBlock::take(pool, Region::input, kBlockBytes, 64));
    std::memset(open.data.data(), 'x', kBlockBytes);
    const std::uint64_t row[] = {json::pack_range(0, 1'900), 0b11, json::pack_range(10, 56),
                                 json::pack_range(100, 1'000)};
    std::memcpy(open.side.data(), row, sizeof row);
    return Block::freeze(std::move(open), 1, 4, {});
  }

  void start(const std::string& policy_name, const std::vector<Projection>& sinks) {
    policy = make_retention(policy_name);
    std::vector<PortOptions> ports;
    for (const Projection& projection : sinks) {
      ports.push_back({.projection = projection, .queue_records = 4, .bound_by_share = false});
    }
    fan_out.emplace(pool, *policy, std::move(ports),
                    FanOut::Options{.fields = kFields, .rest_bytes = 1 << 20, .trace = this});
  }
  void offer(std::uint64_t now_ns) {
    fan_out->offer(make_block(), now_ns);
    fan_out->reconsider(now_ns);
  }
  /// The sink takes its next record and is done with it.
  const Block* finish(std::size_t index, std::uint64_t now_ns) {
    const auto taken = fan_out->port(index).take(now_ns);
    const Block* const block = taken ? &taken->block : nullptr;
    if (taken) was_copy = taken->block.is_copy();
    if (taken) fan_out->port(index).acknowledge(taken->count, now_ns);
    return block;
  }
  std::uint64_t originals() const { return budget.used(Region::input); }

  void on_copy(const CopyDecision& decision) override { decisions.push_back(decision); }

  Budget budget{16 << 20};
  Pool pool{budget, {.kept_per_class = 0}};
  std::unique_ptr<RetentionPolicy> policy;
  std::vector<CopyDecision> decisions;
  bool was_copy = false;
  std::optional<FanOut> fan_out;
};

/// Of 2,000 bytes in classes of four a doubling.
constexpr std::uint64_t kOriginal = 2'048;

TEST_F(FanOutTest, BorrowSharesTheBlock) {
  start("borrow", {kTag, kTag, kBody});
  offer(0);
  EXPECT_EQ(originals(), kOriginal);
  const Block* const first = finish(0, 1);
  EXPECT_EQ(finish(2, 1), first);
  fan_out->reconsider(1);
  EXPECT_EQ(originals(), kOriginal);
  EXPECT_EQ(finish(1, 9 * kMs), first);
  EXPECT_EQ(originals(), 0u);
  EXPECT_EQ(fan_out->copied_bytes(), 0u);
}

TEST_F(FanOutTest, CopyGivesEachItsOwnAndSharedCopyOneForEachProjection) {
  start("copy", {kTag, kTag, kBody});
  offer(0);
  EXPECT_EQ(originals(), 0u);
  EXPECT_EQ(fan_out->copied_bytes(), 2u * 56 + 1'000);
  EXPECT_NE(finish(0, 1), finish(1, 1));
  start("shared_copy", {kTag, kTag, kBody});
  offer(0);
  EXPECT_EQ(fan_out->copied_bytes(), 56u + 1'000);
  const Block* const first = finish(0, 1);
  EXPECT_EQ(finish(1, 1), first);
}

TEST_F(FanOutTest, CompactCopiesForTheLastHolderAndNeverForASingleSink) {
  start("compact", {kBody, kTag, kTag});
  offer(0);
  finish(0, 1);
  fan_out->reconsider(1);
  EXPECT_EQ(originals(), kOriginal) << "two hold it";
  finish(1, 2);
  fan_out->reconsider(2);
  EXPECT_EQ(originals(), 0u);
  EXPECT_EQ(fan_out->copied_bytes(), 56u);
  finish(2, 3);
  EXPECT_TRUE(was_copy);
  start("compact", {kTag});
  offer(0);
  fan_out->reconsider(1);
  EXPECT_EQ(originals(), kOriginal);
}

TEST_F(FanOutTest, AutoCopiesForTheSlowOnceTheFastHasLetGo) {
  start("auto", {kBody, kTag, kTag});
  fan_out->offer(make_block(), 0);
  finish(0, 0);
  fan_out->reconsider(0);
  EXPECT_EQ(originals(), 0u);
  EXPECT_EQ(fan_out->copied_bytes(), 56u) << "one copy for two sinks";
  ASSERT_EQ(decisions.size(), 1u);
  EXPECT_EQ(decisions[0].moment, Moment::release);
  EXPECT_EQ(decisions[0].copied_bytes, 56u);
  EXPECT_EQ(decisions[0].copies_capacity, 112u) << "a control block of 40, an end of 4, the data";
  const Block* const copy = finish(1, 5 * kMs);
  EXPECT_TRUE(was_copy);
  EXPECT_EQ(finish(2, 8 * kMs), copy);
  EXPECT_EQ(budget.used(Region::record), 0u);
}

TEST_F(FanOutTest, AutoLeavesABlockThatASinkIsTaking) {
  start("auto", {kBody, kTag});
  fan_out->offer(make_block(), 0);
  const auto taken = fan_out->port(0).take(0);
  ASSERT_TRUE(taken);
  fan_out->reconsider(0);
  EXPECT_EQ(fan_out->copied_bytes(), 0u);
  fan_out->port(0).acknowledge(1, 1);
  fan_out->reconsider(1);
  EXPECT_EQ(fan_out->copied_bytes(), 56u);
}

TEST_F(FanOutTest, WithoutMemoryForACopyTheBlockServes) {
  start("auto", {kBody, kTag});
  fan_out->offer(make_block(), 0);
  finish(0, 0);
  const std::uint64_t rest = budget.free();
  ASSERT_TRUE(budget.try_take(Region::fixed, rest));
  fan_out->reconsider(0);
  ASSERT_EQ(decisions.size(), 1u);
  EXPECT_TRUE(decisions[0].refused);
  EXPECT_EQ(originals(), kOriginal);
  budget.give_back(Region::fixed, rest);
  EXPECT_NE(finish(1, 5 * kMs), nullptr);
  EXPECT_EQ(originals(), 0u);
}

TEST_F(FanOutTest, WhenMemoryIsShortTheBlockThatGivesMostGoesFirst) {
  start("auto", {kBody, kTag});
  fan_out->offer(make_block(), 0);
  finish(0, kMs / 20);
  finish(1, kMs / 20);
  for (int block = 0; block < 3; ++block) offer(kMs);
  EXPECT_EQ(fan_out->copied_bytes(), 0u) << "copying half the block for 0.05 ms does not pay";
  EXPECT_TRUE(fan_out->relieve(100, kMs));
  EXPECT_EQ(originals(), 2 * kOriginal);
  EXPECT_TRUE(fan_out->relieve(100, kMs));
  EXPECT_TRUE(fan_out->relieve(100, kMs));
  EXPECT_FALSE(fan_out->relieve(100, kMs)) << "nothing is left to copy";
  EXPECT_EQ(originals(), 0u);
  EXPECT_EQ(fan_out->copied_bytes(), 3u * (56 + 1'000));
}

/// Never copies, and counts how often it is asked.
struct Refusing final : RetentionPolicy {
  bool watches(Moment) const override { return true; }
  bool copies_now(Moment, const HeldBlock&) const override {
    ++asked;
    return false;
  }
  mutable std::uint64_t asked = 0;
};

TEST_F(FanOutTest, WhatWaitsIsNotLookedAtAgainForEveryBlockThatComes) {
  auto refusing = std::make_unique<Refusing>();
  const Refusing& asked = *refusing;
  policy = std::move(refusing);
  Budget plenty(1 << 30);
  Pool large(plenty, {});
  FanOut out(large, *policy, {{.projection = kTag, .bound_by_share = false}},
             {.fields = kFields, .rest_bytes = 1 << 30});
  constexpr std::uint64_t kBlocks = 2'000;
  for (std::uint64_t block = 0; block < kBlocks; ++block) {
    out.offer(make_block(), block);
    out.reconsider(block);
    EXPECT_FALSE(out.relieve(100, block));
    while (out.port(0).outstanding() > 500) {
      out.port(0).take(block);
      out.port(0).acknowledge(1, block);
    }
  }
  EXPECT_LE(asked.asked, 4 * kBlocks);
}

TEST_F(FanOutTest, AFullQueueIsNoWantOfMemory) {
  start("auto", {kTag});
  for (int block = 0; block < 4; ++block) fan_out->offer(make_block(), 0);
  EXPECT_FALSE(fan_out->relieve(100, kMs)) << "four records is what the queue holds";
}

}  // namespace
}  // namespace sluice
