#include "json/quote.h"

#include <gtest/gtest.h>

namespace sluice::json {
namespace {

TEST(Quoted, EscapesWhatRfc8259AsksFor) {
  EXPECT_EQ(quoted("plain"), R"("plain")");
  EXPECT_EQ(quoted("a\"b\\c"), R"("a\"b\\c")");
  EXPECT_EQ(quoted(std::string_view("\n\t\x01\0", 4)), R"("\n\t\u0001\u0000")");
  EXPECT_EQ(quoted("Z\xC3\xBCrich"), "\"Z\xC3\xBCrich\"");
}

TEST(Quoted, BytesThatAreNotUtf8BecomeReplacementCharacters) {
  EXPECT_EQ(quoted("a\xFFz"), "\"a\xEF\xBF\xBDz\"");
}

}  // namespace
}  // namespace sluice::json
