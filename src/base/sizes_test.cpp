#include "base/sizes.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(Sizes, ReadsBothFamiliesOfUnits) {
  EXPECT_EQ(parse_size("2MiB"), 2'097'152u);
  EXPECT_EQ(parse_size("64KB"), 64'000u);
  EXPECT_EQ(parse_size("1048576"), 1'048'576u);
  EXPECT_EQ(parse_size("7B"), 7u);
  EXPECT_EQ(parse_size("0"), 0u);
}

TEST(Sizes, RefusesWhatIsNoSize) {
  for (const char* text :
       {"", "MiB", "-1", "1.5MiB", "1 MiB", "1mib", "9223372036854775808", "9000000000GiB", "1K"}) {
    EXPECT_FALSE(parse_size(text)) << text;
  }
  EXPECT_EQ(parse_size("9223372036854775807"), 9'223'372'036'854'775'807u);
}

TEST(Durations, ReadsUnits) {
  EXPECT_EQ(parse_duration_ns("5ms"), 5'000'000u);
  EXPECT_EQ(parse_duration_ns("2s"), 2'000'000'000u);
  EXPECT_EQ(parse_duration_ns("1.5s"), 1'500'000'000u);
  EXPECT_EQ(parse_duration_ns("0ms"), 0u);
}

TEST(Durations, RefusesWhatIsNoDuration) {
  for (const char* text : {"", "5", "ms", "-5ms", "5 ms", "1e3s", "inf s", "nans", "9e99h"}) {
    EXPECT_FALSE(parse_duration_ns(text)) << text;
  }
}

TEST(Format, KeepsThreeDigits) {
  EXPECT_EQ(format_size(340), "340 B");
  EXPECT_EQ(format_size(1'536), "1.50 KiB");
  EXPECT_EQ(format_size(4'194'304), "4.00 MiB");
  EXPECT_EQ(format_duration(8'000'000), "8.00 ms");
  EXPECT_EQ(format_duration(1'250'000'000), "1.25 s");
  EXPECT_EQ(format_count(0), "0");
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_count(1'234'567), "1,234,567");
}

}  // namespace
}  // namespace sluice
