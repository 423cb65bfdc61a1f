#include "http/connection.h"

#include <gtest/gtest.h>

#include "http/http_test_support.h"

namespace sluice::http {
namespace {

using Wants = Connection::Wants;
using Statuses = std::vector<int>;
using Texts = std::vector<std::string>;

std::string post(std::string_view body, std::string_view path = "/e", std::string_view more = "") {
  return "POST " + std::string(path) + " HTTP/1.1\r\nHost: a\r\n" + std::string(more) +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

std::string chunked(std::string_view raw, std::string_view path = "/e") {
  return "POST " + std::string(path) +
         " HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + std::string(raw);
}

TEST(Connection, AnswersARequestWithoutABufferOfItsOwn) {
  Line line;
  line.receive(post("hello"));
  EXPECT_EQ(line.application.bodies, Texts{"hello"});
  EXPECT_EQ(statuses(line.wire.out), Statuses{200});
  EXPECT_TRUE(line.wire.out.ends_with("\r\n\r\nhello"));
  EXPECT_NE(line.wire.out.find("content-length: 5\r\n"), std::string::npos);
  EXPECT_EQ(line.connection.held_bytes(), 0u);
  EXPECT_EQ(line.connection.wants(), Wants::read);
}

TEST(Connection, SplitAnywhereTheRequestIsTheSame) {
  const std::string two = post("hello") + chunked("3\r\nabc\r\n4;x=y\r\ndefg\r\n0\r\nT: v\r\n\r\n");
  for (std::size_t cut = 1; cut < two.size(); ++cut) {
    Line line;
    line.receive(two.substr(0, cut));
    line.receive(two.substr(cut));
    ASSERT_EQ(line.application.bodies, (Texts{"hello", "abcdefg"})) << cut;
    ASSERT_EQ(line.connection.held_bytes(), 0u) << cut;
  }
  Line line;
  for (const char byte : two) line.receive({&byte, 1});
  EXPECT_EQ(line.application.bodies, (Texts{"hello", "abcdefg"}));
  EXPECT_EQ(statuses(line.wire.out), (Statuses{200, 200}));
}

TEST(Connection, ChunksOfOneByteAndLongExtensions) {
  std::string raw;
  std::string expected;
  for (int i = 0; i < 5000; ++i) {
    const char byte = static_cast<char>('a' + i % 26);
    raw += std::string("1\r\n") + byte + "\r\n";
    expected += byte;
  }
  for (const std::size_t step : {1u, 7u, 4096u, 100000u}) {
    Line line;
    const std::string all = chunked(raw + "0\r\n\r\n") + post("next");
    for (std::size_t at = 0; at < all.size(); at += step) line.receive(all.substr(at, step));
    ASSERT_EQ(line.application.bodies, (Texts{expected, "next"})) << step;
  }
  Line line;
  line.receive(chunked("5;" + std::string(15000, 'x') + "\r\nhello\r\n0\r\n\r\n"));
  EXPECT_EQ(line.application.bodies, Texts{"hello"});
  Line longer;
  longer.receive(chunked("5;" + std::string(17000, 'x') + "\r\nhello\r\n0\r\n\r\n"));
  EXPECT_EQ(statuses(longer.wire.out), Statuses{400});
  EXPECT_TRUE(longer.closing());
}

TEST(Connection, PipelinedRequestsAreAnsweredInOrder) {
  std::string all;
  Texts expected;
  for (int i = 0; i < 100; ++i) {
    expected.push_back("body " + std::to_string(i));
    all += post(expected.back());
  }
  Line line;
  line.receive(all);
  EXPECT_EQ(line.application.bodies, expected);
  EXPECT_EQ(statuses(line.wire.out).size(), 100u);
  std::size_t at = 0;
  for (const std::string& body : expected) {
    at = line.wire.out.find("\r\n\r\n" + body, at);
    ASSERT_NE(at, std::string::npos) << body;
  }
}

TEST(Connection, ALargeBodyLiesInABufferAsLargeAsItIs) {
  for (const std::size_t size : {70'000u, 1'000'000u, 3'000'000u}) {
    Line line;
    line.application.most_body = 4 * 1024 * 1024;
    const std::string body(size, 'x');
    line.receive(post(body));
    ASSERT_EQ(line.application.bodies.size(), 1u) << size;
    EXPECT_EQ(line.application.bodies[0], body);
    EXPECT_TRUE(line.application.owned[0]);
    EXPECT_TRUE(line.wire.out.ends_with(body));
    EXPECT_EQ(line.connection.held_bytes(), 0u);
  }
}

TEST(Connection, AnnouncedSizesAreNotBelievedBeyondAMegabyte) {
  Line line;
  line.application.most_body = 64 * 1024 * 1024;
  line.receive("POST /e HTTP/1.1\r\nHost: a\r\nContent-Length: 60000000\r\n\r\nabc");
  EXPECT_LE(line.connection.held_bytes(), 1'400'000u);
  EXPECT_EQ(line.connection.wants(), Wants::read);
}

TEST(Connection, WhileOthersHoldMuchMemoryComesWithTheBytes) {
  for (const std::size_t left : {1'000u, 50'000u, 600'000u}) {
    Line line;
    line.space.receiving_bytes = line.budget.limit() / 2 - left;
    line.receive("POST /e HTTP/1.1\r\nHost: a\r\nContent-Length: 500000\r\n\r\nabc");
    if (left < 600'000) {
      EXPECT_LE(line.connection.held_bytes(), 10'000u) << left;
    }
    const std::string body(499'997, 'x');
    for (std::size_t at = 0; at < body.size() && !line.closing(); at += 10'000) {
      line.receive(body.substr(at, 10'000));
    }
    EXPECT_EQ(statuses(line.wire.out), Statuses{left < 600'000 ? 503 : 200}) << left;
    EXPECT_EQ(line.connection.held_bytes(), 0u);
    // What needs no memory of its own is served all the same.
    Line other;
    other.space.receiving_bytes = line.budget.limit() / 2;
    other.receive(post("hello"));
    EXPECT_EQ(statuses(other.wire.out), Statuses{200});
  }
}

TEST(Connection, TooLargeIsAnsweredAndWhatStillComesIsThrownAway) {
  for (const bool is_chunked : {false, true}) {
    Line line;
    line.application.most_body = 1000;
    const std::string body(2'000'000, 'x');
    if (is_chunked) {
      line.receive(chunked("1e8480\r\n"));
    } else {
      line.receive("POST /e HTTP/1.1\r\nHost: a\r\nContent-Length: 2000000\r\n\r\n");
    }
    for (int i = 0; i < 20; ++i) ASSERT_TRUE(line.receive(body.substr(0, 100'000)));
    EXPECT_EQ(statuses(line.wire.out), Statuses{413}) << is_chunked;
    EXPECT_TRUE(line.wire.shut);
    EXPECT_EQ(line.connection.held_bytes(), 0u);
    line.wire.ended = true;
    EXPECT_FALSE(line.turn());
  }
}

TEST(Connection, ASmallBodyThatNobodyWantsKeepsTheConnection) {
  Line line;
  const std::string refused = post(std::string(100'000, 'x'), "/refused");
  line.receive(refused.substr(0, 200));
  EXPECT_EQ(statuses(line.wire.out), Statuses{404});
  line.receive(refused.substr(200) + post("after"));
  EXPECT_EQ(statuses(line.wire.out), (Statuses{404, 200}));
  EXPECT_EQ(line.application.bodies, Texts{"after"});
}

TEST(Connection, ContinueIsSaidWhenTheBodyIsWanted) {
  const std::string head =
      "POST /e HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n";
  Line line;
  line.receive(head);
  EXPECT_EQ(line.wire.out, "HTTP/1.1 100 Continue\r\n\r\n");
  line.receive("hello");
  EXPECT_EQ(statuses(line.wire.out), (Statuses{100, 200}));
  Line at_once;
  at_once.receive(head + "hello");
  EXPECT_EQ(statuses(at_once.wire.out), Statuses{200});
  Line large;
  large.application.most_body = 4;
  large.receive(head);
  EXPECT_EQ(statuses(large.wire.out), Statuses{413});
  EXPECT_TRUE(large.closing());
  Line chunks;
  chunks.receive(
      "POST /e HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\n"
      "Transfer-Encoding: chunked\r\n\r\n");
  EXPECT_EQ(statuses(chunks.wire.out), Statuses{100});
  chunks.receive("2\r\nhi\r\n0\r\n\r\n");
  EXPECT_EQ(chunks.application.bodies, Texts{"hi"});
  Line other;
  other.receive("POST /e HTTP/1.1\r\nHost: a\r\nExpect: a-miracle\r\nContent-Length: 5\r\n\r\n");
  EXPECT_EQ(statuses(other.wire.out), Statuses{417});
}

TEST(Connection, HeadHasTheLengthOfGetAndNoBody) {
  Line line;
  line.receive("HEAD /e HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello");
  EXPECT_NE(line.wire.out.find("content-length: 5\r\n"), std::string::npos);
  EXPECT_TRUE(line.wire.out.ends_with("\r\n\r\n"));
  // What is said about the next request has its body.
  line.receive("NONSENSE\r\n\r\n");
  EXPECT_EQ(statuses(line.wire.out), (Statuses{200, 400}));
  EXPECT_FALSE(line.wire.out.ends_with("\r\n\r\n"));
}

TEST(Connection, ClosesWhenAskedTo) {
  Line line;
  line.receive(post("x", "/e", "Connection: keep-alive, CLOSE\r\n") + post("never"));
  EXPECT_EQ(line.application.bodies, Texts{"x"});
  EXPECT_NE(line.wire.out.find("connection: close\r\n"), std::string::npos);
  EXPECT_TRUE(line.closing());
  Line old;
  old.receive("GET /a HTTP/1.0\r\n\r\nGET /b HTTP/1.0\r\n\r\n");
  EXPECT_EQ(old.application.targets, Texts{"/a"});
  EXPECT_TRUE(old.closing());
  Line kept;
  kept.receive("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET /b HTTP/1.0\r\n\r\n");
  EXPECT_EQ(kept.application.targets, (Texts{"/a", "/b"}));
}

TEST(Connection, AnAnswerMayComeLater) {
  Line line;
  line.receive(post("one", "/later") + post("two"));
  EXPECT_EQ(line.application.bodies, Texts{"one"});
  EXPECT_EQ(line.connection.wants(), Wants::nothing);
  EXPECT_EQ(line.wire.out, "");
  Answer answer;
  answer.status = 202;
  line.connection.answer_later(std::move(answer), line.space, {});
  EXPECT_EQ(statuses(line.wire.out), (Statuses{202, 200}));
  EXPECT_EQ(line.application.bodies, (Texts{"one", "two"}));
  EXPECT_EQ(line.connection.held_bytes(), 0u);
}

TEST(Connection, APeerThatReadsSlowlyIsWaitedForAndReadNoFurther) {
  Line line;
  line.wire.window = 100;
  std::string all;
  for (int i = 0; i < 200; ++i) all += post(std::string(300, static_cast<char>('a' + i % 26)));
  line.receive(all.substr(0, 60'000));
  EXPECT_EQ(line.connection.wants(), Wants::write);
  EXPECT_LE(line.application.bodies.size(), 32u);
  EXPECT_LE(line.connection.held_bytes(), 200'000u);
  line.wire.segments.push_back(all.substr(60'000));
  while (line.application.bodies.size() < 200) {
    line.wire.window = 5'000;
    ASSERT_TRUE(line.turn());
  }
  line.wire.window = 1'000'000;
  line.turn();
  EXPECT_EQ(statuses(line.wire.out), Statuses(200, 200));
  EXPECT_EQ(line.connection.held_bytes(), 0u);
}

TEST(Connection, TimesAreLimited) {
  const std::string start = "POST /e HTTP/1.1\r\nHost: a\r\nContent-Length: 500000\r\n\r\n";
  Line silent;  // never says a word
  silent.pass(10 * kSecond);
  EXPECT_EQ(silent.connection.wants(), Wants::end);
  Line slow_head;
  for (int i = 0; i < 9; ++i) {
    slow_head.receive("G");
    slow_head.pass(kSecond);
  }
  EXPECT_EQ(slow_head.wire.out, "");
  slow_head.pass(kSecond);
  EXPECT_EQ(statuses(slow_head.wire.out), Statuses{408});
  Line silent_body;
  silent_body.receive(start);
  silent_body.pass(10 * kSecond - 1);
  EXPECT_EQ(silent_body.wire.out, "");
  silent_body.pass(1);
  EXPECT_EQ(statuses(silent_body.wire.out), Statuses{408});
  Line slow_body;
  slow_body.receive(start);
  for (int i = 0; i < 10; ++i) {
    slow_body.receive("x");
    slow_body.pass(kSecond);
  }
  EXPECT_EQ(statuses(slow_body.wire.out), Statuses{408});
  Line fast_enough;  // 20 KiB a second
  fast_enough.receive(start);
  for (int i = 0; i < 20; ++i) {
    fast_enough.receive(std::string(20 * 1024, 'x'));
    fast_enough.pass(kSecond);
  }
  EXPECT_EQ(fast_enough.wire.out, "");
}

TEST(Connection, IdleAndStalledOnesAreClosed) {
  Line idle;
  idle.receive(post("x"));
  idle.pass(75 * kSecond - 1);
  EXPECT_EQ(idle.connection.wants(), Wants::read);
  idle.receive(post("y"));  // begins anew
  idle.pass(75 * kSecond - 1);
  EXPECT_EQ(idle.connection.wants(), Wants::read);
  idle.pass(1);
  EXPECT_EQ(idle.connection.wants(), Wants::end);
  Line late;  // a head that begins after a long pause has its own time
  late.receive(post("x"));
  late.pass(60 * kSecond);
  late.receive("POST");
  late.pass(9 * kSecond);
  EXPECT_EQ(statuses(late.wire.out), Statuses{200});
  Line stalled;
  stalled.wire.window = 10;
  stalled.receive(post("x"));
  stalled.pass(30 * kSecond - 1);
  EXPECT_EQ(stalled.connection.wants(), Wants::write);
  stalled.pass(1);
  EXPECT_EQ(stalled.connection.wants(), Wants::end);
}

TEST(Connection, DrainsWithTheAnswerUnderWay) {
  Line idle;
  idle.receive(post("x"));
  idle.connection.drain();
  EXPECT_EQ(idle.connection.wants(), Wants::end);
  Line busy;
  const std::string request = post("hello");
  busy.receive(request.substr(0, request.size() - 2));
  busy.space.draining = true;
  busy.connection.drain();
  busy.receive(request.substr(request.size() - 2));
  EXPECT_EQ(busy.application.bodies, Texts{"hello"});
  EXPECT_NE(busy.wire.out.find("connection: close"), std::string::npos);
}

TEST(Connection, WithoutMemoryTheAnswerIs503) {
  // Every reservation in turn is refused; the shared buffer was taken before.
  const std::string all = post(std::string(200'000, 'x')) + chunked("3\r\nabc\r\n0\r\n\r\n");
  bool refused = true;
  for (std::uint64_t nth = 1; refused; ++nth) {
    Line line;
    line.wire.window = 50'000;
    line.budget.refuse_once(nth);
    for (std::size_t at = 0; at < all.size() && !line.closing(); at += 10'000) {
      line.receive(all.substr(at, 10'000));
    }
    refused = !line.budget.refusal_pending();
    if (!refused) {
      EXPECT_GT(nth, 2u);
      break;
    }
    const bool told = !line.wire.out.empty() && statuses(line.wire.out).back() == 503;
    EXPECT_TRUE(told || line.connection.wants() == Wants::end) << nth;
    EXPECT_EQ(line.budget.used(Region::sink), 0u);
  }
}

}  // namespace
}  // namespace sluice::http
