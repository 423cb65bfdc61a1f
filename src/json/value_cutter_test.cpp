#include "json/value_cutter.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sluice::json {
namespace {

/// "offset:text" of values, "offset!fault's offset:text" of faults.
std::vector<std::string> cut(std::string_view text) {
  std::vector<std::string> seen;
  ValueCutter values(text);
  while (values.next()) {
    std::string place = std::to_string(values.offset());
    if (values.fault() != nullptr) place += '!' + std::to_string(values.fault()->offset);
    seen.push_back(place + ':' + std::string(values.text()));
  }
  return seen;
}

using Values = std::vector<std::string>;

TEST(ValueCutter, CutsBetweenValuesWithOrWithoutBlanks) {
  EXPECT_EQ(cut("{\"a\":1}{}\n[1,\n 2]  \"x\"\"y\" 1 -2.5 true\n"),
            (Values{"0:{\"a\":1}", "7:{}", "10:[1,\n 2]", "19:\"x\"", "22:\"y\"", "26:1", "28:-2.5",
                    "33:true"}));
}

TEST(ValueCutter, HasNothingInBlanks) {
  EXPECT_EQ(cut(""), Values());
  EXPECT_EQ(cut(" \r\n\t"), Values());
}

TEST(ValueCutter, GoesOnBehindTheLineOfAFault) {
  EXPECT_EQ(cut("{\"a\":1}\n{\"a\" 1} {}\n[2]"),
            (Values{"0:{\"a\":1}", "8!5:{\"a\" 1} {}", "19:[2]"}));
  EXPECT_EQ(cut("[1,\n,2]\n3"), (Values{"0!4:[1,\n,2]", "8:3"}));
  EXPECT_EQ(cut("} 1"), (Values{"0!0:} 1"}));
}

TEST(ValueCutter, TellsThatTheLastValueIsCut) {
  EXPECT_EQ(cut("1 [2"), (Values{"0:1", "2!2:[2"}));
  EXPECT_EQ(cut("\"a"), (Values{"0!2:\"a"}));
}

TEST(ValueCutter, AFaultInsideAStringEndsAtItsNewline) {
  EXPECT_EQ(cut("\"a\nb\" 1"), (Values{"0!2:\"a", "3!0:b\" 1"}));
}

TEST(ValueCutter, IsAtTheBeginningBeforeTheFirst) {
  const ValueCutter values("[1]");
  EXPECT_EQ(values.offset(), 0u);
  EXPECT_EQ(values.text(), "");
}

}  // namespace
}  // namespace sluice::json
