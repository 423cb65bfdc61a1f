// NDJSON: every line by itself, compared with the exact machine on that line.

#include <gtest/gtest.h>

#include <algorithm>

#include "case_files.h"
#include "line_runs.h"
#include "random_json.h"

namespace sluice::json {
namespace {

void expect_lines_everywhere(Text text, const Selection& selection, const std::string& about) {
  const Lines expected = plain_lines(text, selection);
  for (const kernel::Kernel* kernel : kernel::supported()) {
    for (const std::size_t rows : {std::size_t{1}, std::size_t{7}, text.size() + 1}) {
      const Lines lines = scan_lines(*kernel, text, selection, rows);
      EXPECT_EQ(lines.rows, expected.rows) << kernel->name << ", " << about;
      EXPECT_EQ(lines.faults, expected.faults) << kernel->name << ", " << about;
      EXPECT_EQ(lines.count,
                static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n')));
    }
  }
}

TEST(Lines, EndBlankAndCarriageReturnAreNoRecords) {
  const Selection selection = selection_of({"/a"});
  for (const char* text :
       {"\n", "\r\n", " \t\n\n{\"a\":1}\n \r\n", "{\"a\":1}\r\n{\"a\":2}\n", "{\"a\":1}\r\r\n",
        "[1,\n2]\n", "\"a\nb\"\n", "{\"a\":\"x\n{\"a\":1}\n", "\"\\\n\"\n", "nul\n\"\\ud800\n\"\n",
        "\xE2\x82\n\"\xE2\x82\n1\n", "1\r2\n", "\x0B\n", "\"a\r\n"}) {
    expect_lines_everywhere(bytes_of(text), selection, text);
  }
}

TEST(Lines, SpoiledLinesCostThemselvesOnly) {
  RandomJson random(21);
  const Selection selection = selection_of({"/a", "/a/b", "/b/0", "/c"});
  for (int round = 0, count = rounds(40); round < count; ++round) {
    Bytes text;
    const std::size_t bad_of_100 = random.below(3) * 15;
    const std::size_t size = std::size_t{3000} << random.below(8);
    while (text.size() < size) {
      const std::string good = random.document(static_cast<int>(random.below(40)), false);
      const Bytes line = random.below(100) < bad_of_100 ? random.mutated(good) : bytes_of(good);
      text.insert(text.end(), line.begin(), line.end());
      if (random.below(10) == 0) text.push_back('\r');
      text.push_back('\n');
    }
    expect_lines_everywhere(text, selection, "round " + std::to_string(round));
  }
}

// An open string must not swallow the lines behind it, wherever its line ends in a block.
TEST(Lines, OpenStringsEndWithTheirLine) {
  const Selection selection = selection_of({"/a"});
  for (std::size_t before = 0; before < 140; ++before) {
    for (const char* end : {"", "\\", "\\\"", "\\u12", "\xF0\x9F"}) {
      const std::string line = "{\"a\":\"" + std::string(before, 'x') + end + "\n";
      std::string text = line;
      text.append("{\"a\":\"\\\"\"}\n").append(line).append("{\"a\":2}\n");
      expect_lines_everywhere(bytes_of(text), selection,
                              "an open string of " + std::to_string(before));
    }
  }
}

/// A fault as people are told of it: line and column from 1.
struct ToldFault {
  std::uint32_t line = 0;
  std::uint64_t column = 0;
  ErrorCode code = ErrorCode::none;
  Expected expected = Expected::none;
  friend bool operator==(const ToldFault&, const ToldFault&) = default;
};

TEST(Lines, EdgeRecords) {
  const Bytes text = read_file(data_directory() / "edge.ndjson");
  // By hand: `{"k":"badutf8","s":"a` is 21 bytes, so the bad one is the 22nd; and so on.
  const std::vector<ToldFault> expected = {{4, 22, ErrorCode::json_utf8, Expected::none},
                                           {5, 22, ErrorCode::json_syntax, Expected::low_surrogate},
                                           {6, 18, ErrorCode::json_syntax, Expected::value},
                                           {8, 2, ErrorCode::json_syntax, Expected::literal},
                                           {9, 18, ErrorCode::json_syntax, Expected::end_of_text}};
  for (const kernel::Kernel* kernel : kernel::supported()) {
    const Lines lines = scan_lines(*kernel, text, selection_of({"/k"}), 100);
    EXPECT_EQ(lines.rows.size(), 9u);
    std::vector<ToldFault> faults;
    faults.reserve(lines.faults.size());
    for (const auto& fault : lines.faults) {
      faults.push_back({fault.line + 1, fault.error.offset + 1, fault.error.code,
                        static_cast<Expected>(fault.error.detail)});
    }
    EXPECT_EQ(faults, expected) << kernel->name;
  }
}

TEST(Lines, RealRecordsAreAllAccepted) {
  const std::vector<std::pair<std::string, std::string>> sets = {
      {"ndjson-github-events", "/payload/commits/0/message"},
      {"ndjson-wikipedia-articles", "/body"},
      {"ndjson-zeek-dns", "/answers/0"},
      {"ndjson-nginx-status", "/upstreams/trac-backend/peers/0/server"}};
  if (!std::filesystem::exists(shared_directory())) GTEST_SKIP() << "the big corpora are not here";
  for (const auto& [set, pointer] : sets) {
    for (const auto& file : std::filesystem::directory_iterator(shared_directory() / set)) {
      if (file.path().extension() != ".ndjson" && file.path().extension() != ".json") continue;
      Bytes text = read_file(file.path());
      text.resize(std::min<std::size_t>(text.size(), 1 << 20));
      while (!text.empty() && text.back() != '\n') text.pop_back();
      EXPECT_TRUE(plain_lines(text, {}).faults.empty()) << set;
      expect_lines_everywhere(text, selection_of({pointer}), set);
    }
  }
}

}  // namespace
}  // namespace sluice::json
