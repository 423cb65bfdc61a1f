#include "record/rfc3339.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using Verdict = Rfc3339::Verdict;

TEST(Rfc3339, IsReadToTheNanosecond) {
  // By Python: int(datetime.fromisoformat(...).timestamp()) * 10**9 + the fraction.
  const std::pair<const char*, std::int64_t> cases[] = {
      {"1970-01-01T00:00:00Z", 0},
      {"2026-12-01T08:30:00Z", 1796113800'000000000},
      {"2026-12-01t08:30:00.25z", 1796113800'250000000},
      {"2026-12-01T08:30:00.123456789+01:00", 1796110200'123456789},
      {"2026-12-01T08:30:00-05:30", 1796133600'000000000},
      {"2024-02-29T23:59:59.999999999Z", 1709251199'999999999},
      {"1969-12-31T23:59:59.5Z", -500000000},
      {"2016-12-31T23:59:60Z", 1483228800'000000000},
      {"2026-12-01T08:30:00.1234567891Z", 1796113800'123456789},
  };
  for (const auto& [text, ns] : cases) {
    const Rfc3339 time = read_rfc3339(text);
    EXPECT_EQ(time.verdict, Verdict::good) << text;
    EXPECT_EQ(time.ns, ns) << text;
  }
}

TEST(Rfc3339, OtherTextsAreRefused) {
  for (const char* text :
       {"", "2026-12-01", "2026-12-01T08:30Z", "2026-12-01T08:30:00", "2026-13-01T08:30:00Z",
        "2026-02-29T08:30:00Z", "2026-00-01T08:30:00Z", "2026-12-00T08:30:00Z",
        "2026-12-01T24:30:00Z", "2026-12-01T08:60:00Z", "2026-12-01T08:30:61Z",
        "2026-12-01T08:30:00.Z", "2026-12-01T08:30:00+1:00", "2026-12-01T08:30:00+24:00",
        "2026-12-01T08:30:00ZZ", " 2026-12-01T08:30:00Z", "+026-12-01T08:30:00Z"}) {
    EXPECT_EQ(read_rfc3339(text).verdict, Verdict::not_a_time) << text;
  }
  EXPECT_EQ(read_rfc3339("2263-01-01T00:00:00Z").verdict, Verdict::out_of_range);
  EXPECT_EQ(read_rfc3339("1677-01-01T00:00:00Z").verdict, Verdict::out_of_range);
}

TEST(Rfc3339, IsWrittenShort) {
  EXPECT_EQ(write_rfc3339(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(write_rfc3339(1796113800'250000000), "2026-12-01T08:30:00.25Z");
  EXPECT_EQ(write_rfc3339(-500000000), "1969-12-31T23:59:59.5Z");
  EXPECT_EQ(write_rfc3339(1483228800'000000001), "2017-01-01T00:00:00.000000001Z");
}

}  // namespace
}  // namespace sluice
