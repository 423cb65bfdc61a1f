#include "load/target.h"

#include <gtest/gtest.h>

#include "load/schedule.h"

namespace sluice::load {
namespace {

TEST(Target, IsReadFromAUrl) {
  struct Case {
    const char* url;
    const char* host;
    const char* port;
    const char* path;
  };
  for (const Case& one : {Case{"http://a", "a", "80", "/"},
                          {"http://a/", "a", "80", "/"},
                          {"https://a", "a", "443", "/"},
                          {"http://a.b:8080/x/y?z=1", "a.b", "8080", "/x/y?z=1"},
                          {"http://a?z=1", "a", "80", "/?z=1"},
                          {"http://[::1]:9/p", "::1", "9", "/p"},
                          {"http://[::1]", "::1", "80", "/"}}) {
    const Result<Target> target = read_url(one.url);
    ASSERT_TRUE(target) << one.url;
    EXPECT_EQ(target->host, one.host) << one.url;
    EXPECT_EQ(target->port, one.port) << one.url;
    EXPECT_EQ(target->tls, std::string_view(one.url).starts_with("https:")) << one.url;
    EXPECT_EQ(target->path, one.path) << one.url;
  }
}

TEST(Target, OtherUrlsAreRefused) {
  for (const char* url :
       {"", "a", "ftp://a", "https://", "http://", "http://:80", "http://a:", "http://a:x",
        "http://a:123456", "http://[::1", "http://a/x y", "http://a/\r\nB: c"}) {
    EXPECT_FALSE(read_url(url)) << url;
  }
}

TEST(Request, HasWhatTheServerNeeds) {
  const Target target{.host = "h", .port = "81", .path = "/p"};
  EXPECT_EQ(request_text(target, {}), "GET /p HTTP/1.1\r\nHost: h:81\r\n\r\n");
  EXPECT_EQ(request_text(target, {.method = "POST", .headers = {"host: x"}, .body = "{}"}),
            "POST /p HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 2\r\n"
            "host: x\r\n\r\n{}");
  EXPECT_EQ(request_text(target, {.method = "GET", .headers = {}, .body = {}, .keep_alive = false}),
            "GET /p HTTP/1.1\r\nHost: h:81\r\nConnection: close\r\n\r\n");
}

TEST(Request, BodiesHaveTheSizeAskedFor) {
  EXPECT_EQ(json_body(64).size(), 64u);
  EXPECT_EQ(json_body(24), R"({"name":"k","text":"xx"})");
  EXPECT_EQ(json_body(0), R"({"name":"k","text":""})");
}

TEST(Schedule, WorkersShareOneRate) {
  // 1,000 a second: one every millisecond, and of three workers each has every third.
  Schedule first(5, 1000, 0, 3);
  Schedule last(5, 1000, 2, 3);
  EXPECT_EQ(first.next_ns(), 5u);
  EXPECT_EQ(last.next_ns(), 2'000'005u);
  first.advance();
  EXPECT_EQ(first.next_ns(), 3'000'005u);
}

}  // namespace
}  // namespace sluice::load
