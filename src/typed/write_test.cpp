#include "typed/write.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "typed/read.h"

namespace sluice::json {
namespace {

enum class Colour { red, green = 3 };

struct Point {
  int x = 0;
  double y = 0;
  bool operator==(const Point&) const = default;
};

struct Everything {
  bool flag = true;
  std::int64_t smallest = std::numeric_limits<std::int64_t>::min();
  std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
  float single = 0.1F;
  std::string text = "a\n\"\\/\x01\xC3\xA9";
  std::string_view view = "v";
  std::optional<int> absent;
  std::optional<int> present = 1;
  std::vector<Point> points = {{1, 2.5}};
  std::array<int, 2> two = {3, 4};
  std::map<std::string, std::optional<int>> map = {{"k\"", 1}, {"n", std::nullopt}};
  std::tuple<int, std::string, bool> mixed = {5, "six", false};
  Colour colour = Colour::green;
  std::shared_ptr<Point> owned = std::make_shared<Point>(8, 0.5);
  std::set<int> distinct = {3, 1};
  std::variant<int, std::string> either = "or";
  std::vector<bool> bits = {true, false};
  RawJson rest = {R"({"as": 1e400})"};
};

TEST(Write, WritesWhatAStructHas) {
  const auto text = write(Everything());
  ASSERT_TRUE(text);
  EXPECT_EQ(*text, R"({"flag":true,"smallest":-9223372036854775808,"largest":18446744073709551615,)"
                   R"("single":0.1,"text":"a\n\"\\/\u0001)"
                   "\xC3\xA9"
                   R"(","view":"v","present":1,"points":[{"x":1,"y":2.5}],"two":[3,4],)"
                   R"("map":{"k\"":1,"n":null},"mixed":[5,"six",false],"colour":"green",)"
                   R"("owned":{"x":8,"y":0.5},"distinct":[1,3],"either":"or","bits":[true,false],)"
                   R"("rest":{"as": 1e400}})");
}

TEST(Write, IndentsWhenAsked) {
  EXPECT_EQ(*write(std::vector<Point>{{1, 2.5}}, {.indent = 2}),
            "[\n  {\n    \"x\": 1,\n    \"y\": 2.5\n  }\n]");
}

struct Renamed {
  int first = 1;
  int second = 2;
  static constexpr Rename json_names[] = {{"first", "1\"st\\\n"}, {"second", "\xC3\xA9"}};
};

TEST(Write, EscapesNamesAndReadsThemAgain) {
  const auto text = write(Renamed());
  ASSERT_TRUE(text);
  EXPECT_EQ(*text, "{\"1\\\"st\\\\\\u000a\":1,\"\xC3\xA9\":2}");
  const auto again = read<Renamed>(R"({"1\"st\\\n":7,"\u00e9":8})");
  ASSERT_TRUE(again);
  EXPECT_EQ(again->first, 7);
  EXPECT_EQ(again->second, 8);
}

TEST(Write, FloatsReadBackAsTheSameKindOfNumber) {
  EXPECT_EQ(write(1.0F).value(), "1.0");
  EXPECT_EQ(write(-0.0F).value(), "-0.0");
  EXPECT_EQ(write(0.5F).value(), "0.5");
  EXPECT_EQ(write(1e30F).value(), "1e+30");
}

TEST(Write, RefusesWhatJsonCannotSay) {
  EXPECT_EQ(write(std::nan("")).error().code, ErrorCode::json_range);
  EXPECT_EQ(write(std::numeric_limits<float>::infinity()).error().code, ErrorCode::json_range);
  EXPECT_EQ(write(static_cast<Colour>(1)).error().code, ErrorCode::json_type);
  EXPECT_EQ(write(static_cast<Colour>(-1)).error().code, ErrorCode::json_type);
  EXPECT_EQ(write(std::string("\xFF")).error().code, ErrorCode::json_utf8);
}

struct Ring {
  std::shared_ptr<Ring> next;
};

TEST(Write, EndsWhatGoesOnForEver) {
  const auto ring = std::make_shared<Ring>();
  ring->next = ring;
  EXPECT_EQ(write(*ring).error().code, ErrorCode::json_depth);
  ring->next = nullptr;
}

TEST(Write, FillsAFixedPieceOfMemoryAndNoMore) {
  std::array<char, 8> memory;
  memory.fill('#');
  const auto text = write(std::span(memory).first(5), std::vector<int>{1, 2});
  ASSERT_TRUE(text);
  EXPECT_EQ(*text, "[1,2]");
  EXPECT_EQ(write(std::span(memory).first(4), std::vector<int>{1, 2}).error().code,
            ErrorCode::output_full);
  EXPECT_EQ(std::string_view(memory.data() + 5, 3), "###");
}

}  // namespace
}  // namespace sluice::json
