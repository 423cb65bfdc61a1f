#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "json/line_scanner.h"
#include "json/scan_test_support.h"

namespace sluice::json {
namespace {

/// Lines, some of which have a wrong number or literal somewhere.
struct Lines {
  std::string text;
  std::vector<std::uint32_t> good;  ///< where the good lines start
  std::vector<std::uint32_t> bad;

  void add(const std::string& line, bool is_good) {
    (is_good ? good : bad).push_back(static_cast<std::uint32_t>(text.size()));
    text += line + '\n';
  }
};

void expect_right_lines(const Lines& lines, std::size_t rows_at_once) {
  const PaddedText padded(lines.text);
  const Selection selection = select_fields({"/k"});
  with_every_kernel([&](const char* kernel) {
    static StreamMemory streams;
    LineScanner scanner(selection, {}, streams);
    FaultList faults(padded.text());
    std::vector<std::uint32_t> good;
    std::vector<std::uint32_t> bad;
    std::vector<std::uint64_t> rows(rows_at_once * row_words(1));
    for (std::uint32_t at = 0; at < lines.text.size();) {
      const std::size_t faults_before = faults.starts.size();
      const auto done = scanner.scan(padded.text().subspan(at), rows, faults);
      ASSERT_NE(done.consumed, 0u);
      for (std::uint32_t row = 0; row < done.rows; ++row) {
        good.push_back(at + range_start(rows[row * row_words(1)]));
      }
      for (std::size_t i = faults_before; i < faults.starts.size(); ++i) {
        bad.push_back(at + faults.starts[i]);
      }
      at += done.consumed;
    }
    ASSERT_EQ(good, lines.good) << kernel << " rows " << rows_at_once;
    ASSERT_EQ(bad, lines.bad) << kernel << " rows " << rows_at_once;
  });
}

const std::vector<std::string> kWrong = {"tru",
                                         "t",
                                         "nul",
                                         "01",
                                         "1.",
                                         "-",
                                         "1e",
                                         "x",
                                         "1.2.3",
                                         "\\",
                                         std::string(100, 'a'),
                                         std::string(300, '1') + "x"};
const std::vector<std::string> kRight = {
    "true", "1", "null", "-0.5e7", "\"x\"", "[]", "{}", std::string(300, '1'), "false"};

std::string some_line(std::mt19937& random, bool good, std::size_t padding) {
  std::string line = R"({"k":)" + kRight[random() % kRight.size()] + ",\"p\":\"" +
                     std::string(padding, 'p') + "\",\"v\":";
  line += good ? kRight[random() % kRight.size()] : kWrong[random() % kWrong.size()];
  return line + (random() % 2 == 0 ? "}" : ",\"w\":[1,true]}");
}

TEST(LineSuspects, RefusesTheLinesWithWrongScalarsAndNoOthers) {
  std::mt19937 random(23);
  for (const unsigned one_in : {1u, 2u, 20u, 100u}) {
    Lines lines;
    while (lines.text.size() < 200'000) {
      const bool good = random() % one_in != 0;
      lines.add(some_line(random, good, random() % 300), good);
    }
    expect_right_lines(lines, 1000);
    expect_right_lines(lines, 7);
  }
}

TEST(LineSuspects, AlsoInLinesLongerThanAChunk) {
  std::mt19937 random(29);
  Lines lines;
  for (int i = 0; i < 60; ++i) {
    const bool good = random() % 3 != 0;
    lines.add(some_line(random, good, random() % 50'000), good);
    lines.add(some_line(random, true, 10), true);
  }
  expect_right_lines(lines, 1000);
}

TEST(LineSuspects, MoreInAChunkThanAreNamed) {
  Lines lines;
  for (int i = 0; i < 3000; ++i) lines.add(i % 5 == 0 ? "[tru,tru]" : "[1]", i % 5 != 0);
  for (int i = 0; i < 3000; ++i) lines.add(i % 500 == 0 ? "0" : "01", i % 500 == 0);
  expect_right_lines(lines, 10'000);
}

}  // namespace
}  // namespace sluice::json
