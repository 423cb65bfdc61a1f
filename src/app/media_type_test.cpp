#include "app/media_type.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(MediaType, IsReadAsTheStandardSays) {
  EXPECT_EQ(media_of(""), Media::none);
  EXPECT_EQ(media_of("application/json"), Media::json);
  EXPECT_EQ(media_of("Application/JSON ; Charset=UTF-8"), Media::json);
  EXPECT_EQ(media_of("application/json;charset=\"utf-8\"; x=\"a;charset=b\""), Media::json);
  EXPECT_EQ(media_of("application/problem+json"), Media::json);
  EXPECT_EQ(media_of("application/vnd.api+JSON;"), Media::json);
  EXPECT_EQ(media_of("application/x-ndjson"), Media::ndjson);
}

TEST(MediaType, WhatIsNotJsonOrNotUtf8IsOther) {
  for (const char* other :
       {"text/plain", "text/plain;charset=UTF-8", "application/json; charset=latin1", "+json",
        "json", "application/json5", "application/x-www-form-urlencoded",
        "application/json;charset=\"utf-8", "application/json; charset=utf-16", "application/jsonp",
        ";application/json x"}) {
    EXPECT_EQ(media_of(other) == Media::other || media_of(other) == Media::none, true) << other;
  }
}

}  // namespace
}  // namespace sluice
