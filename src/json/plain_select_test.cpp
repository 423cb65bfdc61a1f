#include "json/plain_select.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace sluice::json {
namespace {

Selection selection_of(const std::vector<std::string_view>& texts) {
  std::vector<Pointer> pointers;
  pointers.reserve(texts.size());
  for (const std::string_view text : texts) pointers.push_back(*Pointer::parse(text));
  return Selection(std::move(pointers));
}

/// The texts found, "-" for what is absent.
std::vector<std::string> found(std::string_view record,
                               const std::vector<std::string_view>& texts) {
  std::vector<std::uint64_t> row(row_words(texts.size()), ~0ull);
  plain_select({reinterpret_cast<const std::uint8_t*>(record.data()), record.size()},
               selection_of(texts), row.data());
  EXPECT_EQ(row[0], pack_range(0, static_cast<std::uint32_t>(record.size())));
  std::vector<std::string> fields;
  for (std::size_t field = 0; field < texts.size(); ++field) {
    const std::uint64_t range = row[1 + presence_words(texts.size()) + field];
    const bool present = (row[1 + field / 64] >> field % 64 & 1) != 0;
    EXPECT_TRUE(present || range == 0);
    fields.emplace_back(present ? record.substr(range_start(range), range_size(range)) : "-");
  }
  return fields;
}

using Texts = std::vector<std::string>;

// The document of RFC 6901, section 5.
TEST(PlainSelect, FindsWhatTheStandardSays) {
  const std::string_view record =
      R"({"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8})";
  EXPECT_EQ(found(record, {"/foo", "/foo/0", "/", "/a~1b", "/c%d", "/e^f", "/g|h", "/i\\j", "/k\"l",
                           "/ ", "/m~0n"}),
            (Texts{R"(["bar","baz"])", R"("bar")", "0", "1", "2", "3", "4", "5", "6", "7", "8"}));
  EXPECT_EQ(found(record, {""}), Texts{std::string(record)});
}

TEST(PlainSelect, LeavesBlanksOut) {
  EXPECT_EQ(found(" { \"a\" : [ 1 , { } ] } ", {"", "/a", "/a/0", "/a/1", "/b"}),
            (Texts{"{ \"a\" : [ 1 , { } ] }", "[ 1 , { } ]", "1", "{ }", "-"}));
  EXPECT_EQ(found("\t17 ", {"", "/0"}), (Texts{"17", "-"}));
}

TEST(PlainSelect, TheLastOfEqualNamesWinsAndForgetsWhatWasBelow) {
  EXPECT_EQ(found(R"({"a":1,"a":2})", {"/a"}), Texts{"2"});
  EXPECT_EQ(found(R"({"a":{"b":1},"a":{"c":2}})", {"/a/b", "/a/c"}), (Texts{"-", "2"}));
  EXPECT_EQ(found(R"({"a":{"b":1},"a":3})", {"/a/b", "/a"}), (Texts{"-", "3"}));
  EXPECT_EQ(found(R"({"a":{"b":1},"\u0061":[4]})", {"/a/b", "/a/0"}), (Texts{"-", "4"}));
}

TEST(PlainSelect, ComparesNamesDecoded) {
  EXPECT_EQ(found(R"({"\u0061\n\uD83D\uDE00":1})", {"/a\n\xF0\x9F\x98\x80", "/\\u0061"}),
            (Texts{"1", "-"}));
  const std::string name(200, 'n');
  EXPECT_EQ(found("{\"" + name + "\\u006e\":1}", {"/" + name + "n", "/" + name}),
            (Texts{"1", "-"}));
}

TEST(PlainSelect, ReadsIndexesAsTheStandardDoes) {
  EXPECT_EQ(found("[10,11,12]", {"/0", "/2", "/3", "/-", "/00", "/01", "/", "/+1", "/1e0"}),
            (Texts{"10", "12", "-", "-", "-", "-", "-", "-", "-"}));
  EXPECT_EQ(found("[1]", {"/18446744073709551616", "/4294967296"}), (Texts{"-", "-"}));
  EXPECT_EQ(found(R"({"0":1,"-":2,"01":3})", {"/0", "/-", "/01"}), (Texts{"1", "2", "3"}));
}

TEST(PlainSelect, IsNotMisledByBracketsInStrings) {
  EXPECT_EQ(found(R"({"x":"}],\"","y":["[{\\"],"z":1})", {"/x", "/y/0", "/z"}),
            (Texts{R"("}],\"")", R"("[{\\")", "1"}));
}

TEST(PlainSelect, GoesNowhereBelowAScalar) {
  EXPECT_EQ(found(R"({"a":"b","c":null})", {"/a/0", "/c/d", "/a/"}), (Texts{"-", "-", "-"}));
}

TEST(PlainSelect, FillsEqualFieldsAndMoreThan64) {
  std::vector<std::string_view> texts(70, "/a");
  texts[65] = "/b";
  Texts expected(70, "1");
  expected[65] = "-";
  EXPECT_EQ(found(R"({"a":1})", texts), expected);
}

}  // namespace
}  // namespace sluice::json
