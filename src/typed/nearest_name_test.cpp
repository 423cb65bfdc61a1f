#include "typed/nearest_name.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace sluice::json {
namespace {

constexpr std::array<std::string_view, 4> kNames = {"high", "height", "screen_name", "id"};

TEST(NearestName, FindsWhatWasMeant) {
  EXPECT_EQ(nearest_name("hihg", kNames), "high");     // swapped
  EXPECT_EQ(nearest_name("heigt", kNames), "height");  // dropped
  EXPECT_EQ(nearest_name("scren_nam", kNames), "screen_name");
  EXPECT_EQ(nearest_name("screen-name", kNames), "screen_name");
}

TEST(NearestName, FindsNothingFarAway) {
  EXPECT_EQ(nearest_name("width", kNames), "");
  EXPECT_EQ(nearest_name("x", kNames), "");
  EXPECT_EQ(nearest_name("", kNames), "");
  EXPECT_EQ(nearest_name("high", std::span(kNames).first(1)), "");  // the same is no advice
}

TEST(NearestName, HasLimits) {
  const std::string longest(64, 'a');
  const std::string too_long(65, 'a');
  const std::array<std::string_view, 1> one = {longest};
  EXPECT_EQ(nearest_name(std::string(63, 'a'), one), longest);
  EXPECT_EQ(nearest_name(too_long, one), "");
  std::vector<std::string_view> many(256, "zzzz");
  many.push_back("high");
  EXPECT_EQ(nearest_name("hihg", many), "");
}

}  // namespace
}  // namespace sluice::json
