#include "typed/explain.h"

#include <gtest/gtest.h>

#include <vector>

namespace sluice::json {
namespace {

struct Point {
  int x = 0;
  int y = 0;
};
struct Outer {
  std::vector<Point> points;
};

std::string message(std::string_view text, const ReadOptions& options = {}) {
  const auto value = read<Outer>(text, options);
  return value ? "" : explain<Outer>(value.error(), text, "p.json", options);
}

TEST(ExplainTyped, NamesTheMissingMember) {
  EXPECT_EQ(message("{\"points\": [\n  {\"x\": 1, \"z\": 2}]}"),
            "p.json:2:18: the member \"y\" is missing (json_missing, byte 30, at /points/0)\n"
            "    {\"x\": 1, \"z\": 2}]}\n"
            "                   ^");
}

TEST(ExplainTyped, PointsAtAMisspeltKey) {
  EXPECT_EQ(message("{\"pionts\": []}"),
            "p.json:1:14: the member \"points\" is missing; there is \"pionts\" "
            "(json_missing, byte 13)\n"
            "  {\"pionts\": []}\n"
            "               ^");
}

TEST(ExplainTyped, ShowsWhatDoesNotFit) {
  EXPECT_EQ(message("{\"points\":[{\"x\":1.5,\"y\":2}]}"),
            "p.json:1:17: found the number 1.5, expected an integer "
            "(json_type, byte 16, at /points/0/x)\n"
            "  {\"points\":[{\"x\":1.5,\"y\":2}]}\n"
            "                  ^");
  EXPECT_EQ(message("{\"point\":[]}", {.unknown = Unknown::refuse}),
            "p.json:1:2: found the member \"point\", which is unknown; "
            "\"points\" was perhaps meant (json_field, byte 1)\n"
            "  {\"point\":[]}\n"
            "   ^");
}

}  // namespace
}  // namespace sluice::json
