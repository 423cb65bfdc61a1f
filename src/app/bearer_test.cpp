#include "app/bearer.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(Bearer, OnlyTheWholeTokenIsRight) {
  EXPECT_EQ(check_bearer("Bearer secret", "secret"), Bearer::right);
  EXPECT_EQ(check_bearer("bearer  secret", "secret"), Bearer::right);
  EXPECT_EQ(check_bearer("", "secret"), Bearer::missing);
  EXPECT_EQ(check_bearer("Basic c2VjcmV0", "secret"), Bearer::missing);
  EXPECT_EQ(check_bearer("Bearer", "secret"), Bearer::missing);
  for (const char* wrong :
       {"Bearer secre", "Bearer secretx", "Bearer Secret", "Bearer x", "Bearer  "}) {
    EXPECT_EQ(check_bearer(wrong, "secret"), Bearer::wrong) << wrong;
  }
}

}  // namespace
}  // namespace sluice
