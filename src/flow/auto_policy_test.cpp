#include <gtest/gtest.h>

#include <vector>

#include "flow/retention.h"

namespace sluice {
namespace {

constexpr std::uint64_t kMs = 1'000'000;

/// What `auto` answers on arrival for a block of `capacity` with these holders, soonest first.
bool copies(std::uint64_t capacity, const std::vector<Holder>& holders,
            std::uint64_t copies_capacity, Moment moment = Moment::arrival) {
  const auto policy = make_retention("auto");
  return policy->copies_now(
      moment, {.capacity = capacity, .holders = holders, .copies_capacity = copies_capacity});
}

Holder holder(std::uint32_t projection, std::uint64_t bytes, std::uint64_t remaining_ns) {
  return {.projection = projection,
          .copy_capacity = bytes,
          .selected_bytes = bytes,
          .remaining_ns = remaining_ns};
}

// A copied byte costs what a byte kept for 0.1 ms does. Costs below in bytes x ms.

TEST(AutoPolicy, ASmallCopyForALongTimePays) {
  // Waiting: 40,000 x 8. Copying: 100 x 8 + 100 x 0.1.
  EXPECT_TRUE(copies(40'000, {holder(0, 100, 8 * kMs)}, 100));
}

TEST(AutoPolicy, ACopyThatWinsLessThanAThirdDoesNot) {
  EXPECT_TRUE(copies(40'000, {holder(0, 30'000, 8 * kMs)}, 30'000)) << "exactly a third";
  EXPECT_FALSE(copies(39'999, {holder(0, 30'000, 8 * kMs)}, 30'000));
  EXPECT_FALSE(copies(39'999, {holder(0, 30'000, 8 * kMs)}, 30'000, Moment::shortage));
}

TEST(AutoPolicy, ACopyForAMomentDoesNotPay) {
  // Waiting: 40,000 x t. Copying: 20,000 x t + 20,000 x 0.1. Equal at t = 0.1.
  EXPECT_FALSE(copies(40'000, {holder(0, 20'000, kMs / 10)}, 20'000));
  EXPECT_TRUE(copies(40'000, {holder(0, 20'000, kMs / 10 + 1'000)}, 20'000));
  EXPECT_TRUE(copies(40'000, {holder(0, 20'000, kMs / 10)}, 20'000, Moment::shortage));
}

TEST(AutoPolicy, WaitsForTheFirstOfTwoWhereThatIsCheaper) {
  // The first, with a large copy, lets go in 1 ms, the second, with a small one, in 10.
  // Now: 20,000 x 1 + 2,000 + 100 x 10 + 10 = 23,010.
  // After the first: 40,000 x 1 + 100 x 9 + 10 = 40,910; for good: 400,000.
  EXPECT_TRUE(copies(40'000, {holder(0, 20'000, kMs), holder(1, 100, 10 * kMs)}, 20'100));
  // In 0.05 ms. Now: 1,000 + 2,000 + 1,010 = 4,010. After: 2,000 + 995 + 10 = 3,005.
  EXPECT_FALSE(copies(40'000, {holder(0, 20'000, kMs / 20), holder(1, 100, 10 * kMs)}, 20'100));
}

TEST(AutoPolicy, ThoseWithOneProjectionShareACopyAsLongAsTheSlowestNeedsIt) {
  // Shared: 25,000 x 10 + 2,500 = 252,500 now; 40,000 x 9 + 25,000 x 1 + 2,500 = 387,500 after
  // the first.
  EXPECT_TRUE(copies(40'000, {holder(0, 25'000, 9 * kMs), holder(0, 25'000, 10 * kMs)}, 25'000));
  // Apart, the copies keep more than the block.
  EXPECT_FALSE(copies(40'000, {holder(0, 25'000, 9 * kMs), holder(1, 25'000, 10 * kMs)}, 50'000));
}

TEST(Policies, AllOfTheStudyAreThereAndAuto) {
  for (const char* name : {"auto", "borrow", "copy", "shared_copy", "threshold2", "threshold8",
                           "compact", "copy_no_pool"}) {
    EXPECT_NE(make_retention(name), nullptr) << name;
  }
  EXPECT_EQ(make_retention("best"), nullptr);
}

TEST(Policies, ThresholdsCompareCapacities) {
  const auto threshold2 = make_retention("threshold2");
  const auto threshold8 = make_retention("threshold8");
  const CopyQuestion half{.original_capacity = 64 << 10, .copy_capacity = 32 << 10};
  EXPECT_EQ(threshold2->at_arrival(half), EarlyCopy::shared);
  EXPECT_EQ(threshold8->at_arrival(half), EarlyCopy::none);
  const CopyQuestion eighth{.original_capacity = 64 << 10, .copy_capacity = 8 << 10};
  EXPECT_EQ(threshold8->at_arrival(eighth), EarlyCopy::shared);
  const CopyQuestion more{.original_capacity = (64 << 10) - 1, .copy_capacity = 8 << 10};
  EXPECT_EQ(threshold8->at_arrival(more), EarlyCopy::none);
}

}  // namespace
}  // namespace sluice
