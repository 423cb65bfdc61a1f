// A bad value costs its record wherever it stands, also where nobody selected anything.

#include <gtest/gtest.h>

#include "expectations.h"

namespace sluice::json {
namespace {

struct BadValue {
  const char* text;
  std::uint64_t offset;  ///< of the fault from the value's first byte; worked out by hand
  ErrorCode code = ErrorCode::json_syntax;
};

// Each is followed by `,"x":1}`; where the offset is behind the value, that is where it shows.
const BadValue kBadValues[] = {
    {"tru", 3},
    {"truE", 3},
    {"True", 0},
    {"nulll", 4},
    {"nan", 1},
    {"NaN", 0},
    {"Infinity", 0},
    {"-Infinity", 1},
    {"undefined", 0},
    {"+1", 0},
    {"01", 1},
    {"-01", 2},
    {"1.", 2},
    {".5", 0},
    {"1.e3", 2},
    {"1e", 2},
    {"1e+", 3},
    {"0x10", 1},
    {"1_0", 1},
    {"--1", 1},
    {"-", 1},
    {"1 2", 2},
    {"1\v", 1},
    {"'a'", 0},
    {"a", 0},
    {"", 0},
    {":1", 0},
    {"/*c*/1", 0},
    {"\"\\x41\"", 1},
    {"\"\\u12G4\"", 1},
    {"\"\\ud800\"", 1},
    {"\"\\udc00\"", 1},
    {"\"\\ud800\\u0041\"", 1},
    {"\"a\tb\"", 2},
    {"\"\x01\"", 1},
    {"\"abc", 6},
    {"\"\xFF\"", 1, ErrorCode::json_utf8},
    {"\"\xC0\xAF\"", 1, ErrorCode::json_utf8},
    {"\"\xED\xA0\x80\"", 1, ErrorCode::json_utf8},
    {"\"\xF4\x90\x80\x80\"", 1, ErrorCode::json_utf8},
    {"\"\xE2\x82\"", 1, ErrorCode::json_utf8},
    {"\"good \xC3\xA9, then \x80\"", 15, ErrorCode::json_utf8},
    {"\xFF", 0, ErrorCode::json_utf8},
    {"\xC3\xA9", 0},
    {"\xC2\xA0"
     "1",
     0},
    {"[1,]", 3},
    {"[1 2]", 3},
    {"[,1]", 1},
    {"[1}", 2},
    {"[[1]", 8},
    {"]", 0},
    {"{\"a\"}", 4},
    {"{\"a\":}", 5},
    {"{\"a\":1,}", 7},
    {"{\"a\":1]", 6},
    {"{\"a\":1 \"b\":2}", 7},
    {"{\"a\"::1}", 5},
    {"{\"a\",1}", 4},
    {"{a:1}", 1},
};

struct Place {
  std::string before;
  std::string after;
};

std::vector<Place> places() {
  const std::string pad(5000, 'x');
  return {{R"({"keep":1,"junk":)", R"(,"x":1})"},
          {R"({"junk":)", R"(,"x":1,"keep":1})"},
          {R"({"junk":{"deep":)", R"(,"x":1},"keep":1})"},
          {R"({"keep":1,"junk":[0,{"deep":)", R"(,"x":1}]})"},
          {R"({"keep":{"a":[1,2]},"pad":")" + pad + R"(","junk":)", R"(,"x":1})"}};
}

TEST(Unselected, BadValuesAreFoundWhereNobodyLooks) {
  const Selection selection = selection_of({"/keep"});
  for (const Place& place : places()) {
    for (const BadValue& bad : kBadValues) {
      const Bytes text = bytes_of(place.before + bad.text + place.after);
      const Error error = plain_verdict(text, {});
      EXPECT_EQ(error.code, bad.code) << shown(text);
      EXPECT_EQ(error.offset, place.before.size() + bad.offset) << shown(text);
      expect_everywhere(text, {}, error, "a value nobody selected", selection);
    }
  }
}

TEST(Unselected, BadNamesAreFoundWhereNobodyLooks) {
  const Selection selection = selection_of({"/keep"});
  for (const char* name : {"\"a\\q\"", "\"\\ud800\"", "\"\xFF\"", "\"a\nb\"", "a", "'a'", "1"}) {
    const Bytes text = bytes_of(std::string(R"({"keep":1,"junk":{)") + name + ":2}}");
    const Error error = plain_verdict(text, {});
    EXPECT_NE(error.code, ErrorCode::none) << shown(text);
    expect_everywhere(text, {}, error, "a name nobody selected", selection);
  }
}

}  // namespace
}  // namespace sluice::json
