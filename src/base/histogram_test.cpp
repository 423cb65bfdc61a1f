#include "base/histogram.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using Fine = Histogram<128, std::uint64_t>;

TEST(Histogram, QuantilesAreWithinABucket) {
  Fine histogram;
  for (std::uint64_t us = 1; us <= 100'000; ++us) histogram.add(us * 1'000);
  for (const double share : {0.5, 0.9, 0.99, 0.999, 0.9999}) {
    const double exact = share * 1e8;
    const auto found = static_cast<double>(histogram.quantile_ns(share));
    EXPECT_GE(found, exact) << share;
    EXPECT_LE(found, exact * (1 + 1.0 / 128)) << share;
  }
  EXPECT_EQ(histogram.quantile_ns(1), 100'000'000u);
  EXPECT_NEAR(histogram.mean_ns(), 50'000'500, 1);
}

TEST(Histogram, CountsUpToALimit) {
  Fine histogram;
  for (const std::uint64_t ns : {0ull, 5ull, 1'000ull, 2'000'000ull}) histogram.add(ns);
  EXPECT_EQ(histogram.count_up_to(0), 1u);
  EXPECT_EQ(histogram.count_up_to(10), 2u);
  EXPECT_EQ(histogram.count_up_to(1'000'000), 3u);
  EXPECT_EQ(histogram.count_up_to(~0ull), 4u);
}

TEST(Histogram, TwoMakeOne) {
  Fine one;
  Fine other;
  one.add(10);
  other.add(30, 3);
  one.add(other);
  EXPECT_EQ(one.count(), 4u);
  EXPECT_EQ(one.max_ns(), 30u);
  EXPECT_EQ(one.quantile_ns(0.25), 10u);
  EXPECT_EQ(one.quantile_ns(0.5), 30u);
  EXPECT_DOUBLE_EQ(one.mean_ns(), 25);
}

TEST(Histogram, ASmallCountStopsAtItsEnd) {
  Histogram<8, std::uint8_t> histogram;
  histogram.add(1, 200);
  histogram.add(1, 200);
  EXPECT_EQ(histogram.count(), 400u);
  EXPECT_EQ(histogram.quantile_ns(0.5), 1u);
}

}  // namespace
}  // namespace sluice
