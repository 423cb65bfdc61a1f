// Requests of llhttp's own test suite: what it says of them, and where more is refused here.

#include <gtest/gtest.h>

#include <charconv>
#include <fstream>
#include <map>
#include <sstream>

#include "http/http_test_support.h"

namespace sluice::http {
namespace {

struct Case {
  std::string name;
  std::size_t answered = 0;  ///< messages that are complete
  std::string then;          ///< open, closed or refused
  std::string bytes;
};

/// \r \n \\ and \xNN.
std::string unescape(std::string_view text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      bytes += text[i];
      continue;
    }
    const char escaped = text[++i];
    if (escaped == 'x') {
      int value = 0;
      std::from_chars(text.data() + i + 1, text.data() + i + 3, value, 16);
      bytes += static_cast<char>(value);
      i += 2;
    } else {
      bytes += escaped == 'r' ? '\r' : escaped == 'n' ? '\n' : '\\';
    }
  }
  return bytes;
}

/// What llhttp takes and we do not; with how many messages are answered before.
const std::map<std::string, std::size_t, std::less<>>& refused_here() {
  static const std::map<std::string, std::size_t, std::less<>> kRefused = {
      // llhttp 8 takes no tab behind the digits
      {"content-length: Tabs in `Content-Length` (surrounding)", 0},
      // * is for OPTIONS only (RFC 9112, 3.2.4)
      {"method: M-SEARCH request", 0},
      // another protocol
      {"method: ANNOUNCE request with RTSP", 0},
      // HTTP/0.9
      {"sample: No HTTP version", 0},
      // llhttp 8 takes no second value
      {"transfer-encoding: Chunk extensions", 0},
      // nor quotes
      {"transfer-encoding: Chunk extensions quoting", 0},
      // another coding; a fragment
      {"transfer-encoding: POST with `chunked` as last transfer-encoding", 0},
      // no URI has them (RFC 3986, 2)
      {"uri: Quotes in URI", 0},
      // as before
      {"uri: Query URL with vertical bar character", 0},
  };
  return kRefused;
}

std::vector<Case> read_cases() {
  std::ifstream file(std::string(SLUICE_SOURCE_DIR) + "/tests/data/llhttp/requests.txt");
  std::vector<Case> cases;
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    Case one;
    std::string answered;
    std::string bytes;
    std::getline(fields, one.name, '\t');
    std::getline(fields, answered, '\t');
    std::getline(fields, one.then, '\t');
    std::getline(fields, bytes);
    one.answered = std::stoul(answered);
    one.bytes = unescape(bytes);
    if (const auto ours = refused_here().find(one.name); ours != refused_here().end()) {
      one.answered = ours->second;
      one.then = "refused";
    }
    cases.push_back(std::move(one));
  }
  return cases;
}

struct Outcome {
  std::vector<int> statuses;
  std::vector<std::string> targets;
  std::vector<std::string> bodies;
  bool closing = false;
  bool operator==(const Outcome&) const = default;
};

Outcome outcome_of(std::string_view bytes, std::size_t first, std::size_t step) {
  Line line;
  line.receive(bytes.substr(0, first));
  for (std::size_t at = first; at < bytes.size() && !line.closing(); at += step) {
    line.receive(bytes.substr(at, step));
  }
  return {statuses(line.wire.out), line.application.targets, line.application.bodies,
          line.closing()};
}

TEST(Corpus, EveryVerdictIsAsExpected) {
  const std::vector<Case> cases = read_cases();
  ASSERT_GE(cases.size(), 60u);
  for (const Case& one : cases) {
    const Outcome outcome = outcome_of(one.bytes, one.bytes.size(), 1);
    std::vector<int> expected(one.answered, 200);
    std::vector<int> found = outcome.statuses;
    if (one.then == "refused") {
      const bool refused = !found.empty() && found.back() >= 400;
      EXPECT_TRUE(refused) << one.name;
      if (refused) found.pop_back();
    }
    EXPECT_EQ(found, expected) << one.name;
    EXPECT_EQ(outcome.closing, one.then != "open") << one.name;
  }
}

TEST(Corpus, SplitAtEveryByteTheOutcomeIsTheSame) {
  for (const Case& one : read_cases()) {
    const Outcome whole = outcome_of(one.bytes, one.bytes.size(), 1);
    EXPECT_EQ(outcome_of(one.bytes, 0, 1), whole) << one.name << ", byte by byte";
    for (std::size_t cut = 1; cut < one.bytes.size(); ++cut) {
      EXPECT_EQ(outcome_of(one.bytes, cut, one.bytes.size()), whole) << one.name << ", " << cut;
    }
  }
}

}  // namespace
}  // namespace sluice::http
