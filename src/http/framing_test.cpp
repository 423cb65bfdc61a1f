// Requests whose framing two programs could see differently, each followed by another request: the
// first is answered as it should be, and what is refused ends the connection, so that nothing hides
// behind it. The cases are those in which the parser alone differs from RFC 9112.
#include <gtest/gtest.h>

#include "http/http_test_support.h"

namespace sluice::http {
namespace {

using Statuses = std::vector<int>;

struct Case {
  const char* name;
  std::string request;
  Statuses expected;  ///< of the answers; 200 at the end means that the next request was served
};

std::string repeat(std::string_view text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

std::string get(std::string_view line, std::string_view headers = "Host: a\r\n") {
  return std::string(line) + "\r\n" + std::string(headers) + "\r\n";
}

std::string post(std::string_view headers, std::string_view body = "hello") {
  return "POST /e HTTP/1.1\r\nHost: a\r\n" + std::string(headers) + "\r\n" + std::string(body);
}

std::string chunks(std::string_view body) { return post("Transfer-Encoding: chunked\r\n", body); }

const std::string kOneChunk = "5\r\nhello\r\n0\r\n\r\n";

std::vector<Case> cases() {
  return {
      {"plain", get("GET /e HTTP/1.1"), {200, 200}},
      {"length", post("Content-Length: 5\r\n"), {200, 200}},
      {"chunked", chunks(kOneChunk), {200, 200}},
      {"chunked in capitals", post("Transfer-Encoding: CHUNKED\r\n", kOneChunk), {200, 200}},
      {"chunked with blanks around",
       post("Transfer-Encoding:  chunked  \r\n", kOneChunk),
       {200, 200}},
      {"chunk size in hexadecimal", chunks("0005\r\nhello\r\n00\r\n\r\n"), {200, 200}},
      {"absolute target", get("GET http://b/e?x=1 HTTP/1.1"), {200, 200}},
      {"an empty line before", "\r\n" + get("GET /e HTTP/1.1"), {200, 200}},
      {"upgrade is ordinary",
       get("GET /e HTTP/1.1", "Host: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"),
       {200, 200}},
      {"upgrade with a body",
       post("Upgrade: h2c\r\nConnection: upgrade\r\nContent-Length: 5\r\n"),
       {200, 200}},
      {"trailers are dropped",
       chunks("5\r\nhello\r\n0\r\nContent-Length: 9\r\nHost: b\r\n\r\n"),
       {200, 200}},
      {"the same length twice", post("Content-Length: 5\r\nContent-Length: 5\r\n"), {400}},
      {"two lengths", post("Content-Length: 5\r\nContent-Length: 6\r\n"), {400}},
      {"a list of lengths", post("Content-Length: 5, 6\r\n"), {400}},
      {"a sign", post("Content-Length: +5\r\n"), {400}},
      {"a negative length", post("Content-Length: -5\r\n"), {400}},
      {"a hexadecimal length", post("Content-Length: 0x5\r\n"), {400}},
      {"no length", post("Content-Length: \r\n"), {400}},
      {"a length with a blank inside", post("Content-Length: 5 5\r\n"), {400}},
      {"2^64", post("Content-Length: 18446744073709551616\r\n"), {400}},
      {"2^64 - 1", post("Content-Length: 18446744073709551615\r\n"), {413}},
      {"length, then chunked",
       post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", kOneChunk),
       {400}},
      {"chunked, then length",
       post("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", kOneChunk),
       {400}},
      {"gzip, chunked", post("Transfer-Encoding: gzip, chunked\r\n", kOneChunk), {501}},
      {"chunked, gzip", post("Transfer-Encoding: chunked, gzip\r\n", kOneChunk), {400}},
      {"identity", post("Transfer-Encoding: identity\r\n"), {400}},
      {"identity and chunked",
       post("Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n", kOneChunk),
       {400}},
      {"chunked twice",
       post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", kOneChunk),
       {400}},
      {"chunked, chunked", post("Transfer-Encoding: chunked, chunked\r\n", kOneChunk), {400}},
      {"an empty coding", post("Transfer-Encoding:\r\n", kOneChunk), {400}},
      {"a comma before chunked", post("Transfer-Encoding: ,chunked\r\n", kOneChunk), {400}},
      {"xchunked", post("Transfer-Encoding: xchunked\r\n", kOneChunk), {400}},
      {"chunked in HTTP/1.0",
       "POST /e HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n" + kOneChunk,
       {400}},
      {"chunked in HTTP/1.0, kept alive",
       "POST /e HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n" +
           kOneChunk,
       {400}},
      {"LF behind the request line", "GET /e HTTP/1.1\nHost: a\r\n\r\n", {400}},
      {"LF behind a header", "GET /e HTTP/1.1\r\nHost: a\n\r\n", {400}},
      {"LF as the empty line", "GET /e HTTP/1.1\r\nHost: a\r\n\n", {400}},
      {"CR X behind the headers", "GET /e HTTP/1.1\r\nHost: a\r\n\rX\r\n\r\n", {400}},
      {"a bare CR in a value", get("GET /e HTTP/1.1", "Host: a\r\nX: a\rb\r\n"), {400}},
      {"NUL in a value",
       get("GET /e HTTP/1.1", std::string_view("Host: a\r\nX: a\0b\r\n", 17)),
       {400}},
      {"a folded header", get("GET /e HTTP/1.1", "Host: a\r\nX: a\r\n b\r\n"), {400}},
      {"a folded length", post("Content-Length:\r\n 5\r\n"), {400}},
      {"a folded coding", post("Transfer-Encoding:\r\n chunked\r\n", kOneChunk), {400}},
      {"folded by a tab", get("GET /e HTTP/1.1", "Host: a\r\nX: a\r\n\tb\r\n"), {400}},
      {"a blank before the colon", get("GET /e HTTP/1.1", "Host: a\r\nX : b\r\n"), {400}},
      {"a blank in a name", get("GET /e HTTP/1.1", "Host: a\r\nX Y: b\r\n"), {400}},
      {"no name", get("GET /e HTTP/1.1", "Host: a\r\n: b\r\n"), {400}},
      {"no colon", get("GET /e HTTP/1.1", "Host: a\r\nX\r\n"), {400}},
      {"no Host", get("GET /e HTTP/1.1", ""), {400}},
      {"two Hosts", get("GET /e HTTP/1.1", "Host: a\r\nHost: a\r\n"), {400}},
      {"a Host with a blank", get("GET /e HTTP/1.1", "Host: a b\r\n"), {400}},
      {"a Host with a path", get("GET /e HTTP/1.1", "Host: a/b\r\n"), {400}},
      {"a Host with a user", get("GET /e HTTP/1.1", "Host: u@a\r\n"), {400}},
      {"2^64 - 1 in a chunk", chunks("FFFFFFFFFFFFFFFF\r\nhello"), {413}},
      {"a chunk size of 20 digits", chunks("FFFFFFFFFFFFFFFFFFFF\r\nhello"), {400}},
      {"a negative chunk", chunks("-1\r\nhello\r\n0\r\n\r\n"), {400}},
      {"0x in a chunk size", chunks("0x5\r\nhello\r\n0\r\n\r\n"), {400}},
      {"no chunk size", chunks("\r\nhello\r\n0\r\n\r\n"), {400}},
      {"other bytes behind a chunk", chunks("5\r\nhelloXX0\r\n\r\n"), {400}},
      {"LF behind a chunk size", chunks("5\nhello\r\n0\r\n\r\n"), {400}},
      {"CR X behind a chunk size", chunks("5\rXhello\r\n0\r\n\r\n"), {400}},
      {"a bare CR in an extension", chunks("5;a\rX\r\nhello\r\n0\r\n\r\n"), {400}},
      {"a long extension",
       chunks("5;" + std::string(65'536, 'x') + "\r\nhello\r\n0\r\n\r\n"),
       {400}},
      {"long trailers",
       chunks("5\r\nhello\r\n0\r\nX: " + std::string(65'536, 'x') + "\r\n\r\n"),
       {400}},
      {"* with GET", get("GET * HTTP/1.1"), {400}},
      {"* with OPTIONS", get("OPTIONS * HTTP/1.1"), {200, 200}},
      {"a relative target", get("GET e HTTP/1.1"), {400}},
      {"an absolute target without a host", get("GET http:///e HTTP/1.1"), {400}},
      {"RTSP", get("DESCRIBE /e RTSP/1.0"), {400}},
      {"ICE", get("SOURCE /e ICE/1.0"), {400}},
      {"GET with RTSP", get("GET /e RTSP/1.0"), {400}},
      {"no version", "GET /e\r\n\r\n", {400}},
      {"HTTP/2.0", get("GET /e HTTP/2.0"), {505}},
      {"HTTP/0.9", get("GET /e HTTP/0.9"), {505}},
      {"HTTP/1.2", get("GET /e HTTP/1.2"), {505}},
      {"the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", {505}},
      {"two blanks behind the method", get("GET  /e HTTP/1.1"), {400}},
      {"two blanks before the version", get("GET /e  HTTP/1.1"), {400}},
      {"a blank before the method", get(" GET /e HTTP/1.1"), {400}},
      {"a tab in the target", get("GET /e\tx HTTP/1.1"), {400}},
      {"a form feed in the target", get("GET /e\fx HTTP/1.1"), {400}},
      {"raw UTF-8 in the target", get("GET /\xC3\xA9 HTTP/1.1"), {400}},
      {"a quote in the target", get("GET /\" HTTP/1.1"), {400}},
      {"a brace in the target", get("GET /{ HTTP/1.1"), {400}},
      {"a backslash in the target", get("GET /\\ HTTP/1.1"), {400}},
      {"a fragment", get("GET /e#x HTTP/1.1"), {400}},
      {"an unknown method", get("BREW /e HTTP/1.1"), {400}},
      {"garbage", "\x16\x03\x01\x02\x00\x01\x00\x01\xFC\x03\x03 tls\r\n\r\n", {400}},
      {"1,000 empty lines", repeat("\r\n", 1000) + get("GET /e HTTP/1.1"), {400}},
      {"a target at the limit",
       get("GET /" + std::string(8192 - 14, 'x') + " HTTP/1.1"),
       {200, 200}},
      {"a target beyond the limit",
       get("GET /" + std::string(8192 - 13, 'x') + " HTTP/1.1"),
       {414}},
      {"a target without end", "GET /" + std::string(100'000, 'x'), {414}},
      {"a header beyond the limit",
       get("GET /e HTTP/1.1", "Host: a\r\nX: " + std::string(100'000, 'x') + "\r\n"),
       {431}},
      {"100 headers", get("GET /e HTTP/1.1", "Host: a\r\n" + repeat("X: y\r\n", 99)), {200, 200}},
      {"101 headers", get("GET /e HTTP/1.1", "Host: a\r\n" + repeat("X: y\r\n", 100)), {431}},
  };
}

void expect_answers(const Case& one, std::size_t step) {
  Line line;
  const std::string all = one.request + "GET /next HTTP/1.1\r\nHost: a\r\n\r\n";
  for (std::size_t at = 0; at < all.size() && !line.closing(); at += step) {
    line.receive(std::string_view(all).substr(at, step));
  }
  EXPECT_EQ(statuses(line.wire.out), one.expected) << one.name << ", step " << step;
  const bool served = one.expected.back() == 200;
  EXPECT_EQ(line.closing(), !served) << one.name;
  if (served) {
    EXPECT_EQ(line.application.targets.back(), "/next") << one.name;
    const bool has_body = one.request.find("hello") != std::string::npos;
    EXPECT_EQ(line.application.bodies[0], has_body ? "hello" : "") << one.name;
  }
  EXPECT_EQ(line.connection.held_bytes(), 0u) << one.name;
}

TEST(Framing, IsSeenInOneWayOnly) {
  for (const Case& one : cases()) expect_answers(one, one.request.size() + 100);
}

TEST(Framing, HoweverTheBytesCome) {
  for (const Case& one : cases()) {
    if (one.request.size() > 20'000) continue;
    for (const std::size_t step : {1u, 2u, 3u, 13u, 1000u}) expect_answers(one, step);
  }
}

}  // namespace
}  // namespace sluice::http
