#include "json/line_scanner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "json/error_text.h"
#include "json/scan_test_support.h"

namespace sluice::json {
namespace {

struct Scanned {
  LineScanner::Progress progress;
  std::vector<SeenRecord> records;
  std::vector<SeenRecord> faults;
};

Scanned scan(std::string_view lines, const std::vector<std::string>& pointers,
             const ScanOptions& options = {}, std::size_t rows_max = 100000) {
  const Selection selection = select_fields(pointers);
  StreamMemory memory;
  LineScanner scanner(selection, options, memory);
  const PaddedText padded(lines);
  FaultList faults(padded.text());
  const std::size_t words = row_words(selection.size());
  std::vector<std::uint64_t> rows(words * rows_max, ~std::uint64_t{0});
  Scanned result;
  result.progress = scanner.scan(padded.text(), rows, faults);
  for (std::size_t i = 0; i < result.progress.rows; ++i) {
    result.records.push_back(seen_record(padded.text(), rows.data() + i * words, selection.size()));
  }
  result.faults = faults.records;
  return result;
}

using Fields = std::vector<std::string>;

TEST(LineScanner, FillsARowAsDrawn) {
  with_every_kernel([](const char*) {
    const Selection selection = select_fields({"/a", "/no", "/b"});
    StreamMemory memory;
    LineScanner scanner(selection, {}, memory);
    const PaddedText padded("1\n {\"a\":12, \"b\" : \"x\" }\n");
    FaultList faults(padded.text());
    std::vector<std::uint64_t> rows(2 * 5);
    const auto progress = scanner.scan(padded.text(), rows, faults);
    EXPECT_EQ(progress.consumed, 24u);
    EXPECT_EQ(progress.rows, 2u);
    EXPECT_EQ(progress.lines, 2u);
    // The second body starts at 2 and has 21 bytes; `12` stands at 6 of it, `"x"` at 16.
    const std::vector<std::uint64_t> expected = {
        pack_range(0, 1), 0, 0, 0, 0, pack_range(2, 21), 0b101, pack_range(6, 2), 0,
        pack_range(16, 3)};
    EXPECT_EQ(rows, expected);
  });
}

TEST(LineScanner, SelectsByPath) {
  struct Case {
    std::string_view line;
    Fields pointers;
    Fields fields;
  };
  const Case cases[] = {
      {R"({"a":{"b":[1,{"c":"x"}]}})",
       {"/a/b/1/c", "/a/b", "/a/b/0"},
       {R"("x")", R"([1,{"c":"x"}])", "1"}},
      {R"([[],[3]])", {"", "/1/0", "/0/0", "/01", "/-"}, {"[[],[3]]", "3", "-", "-", "-"}},
      {R"({"0":{"0":7}})", {"/0/0", "/0"}, {"7", R"({"0":7})"}},
      {R"({"a":1,"a":2})", {"/a"}, {"2"}},
      {R"({"a":{"b":1},"a":{"c":2}})", {"/a/b", "/a/c"}, {"-", "2"}},
      {R"({"a":{"b":1},"a":5})", {"/a/b", "/a"}, {"-", "5"}},
      {R"({"\u0061":1,"b\/":2,"\"":3})", {"/a", "/b~1", "/\""}, {"1", "2", "3"}},
      {R"({"a":1,"\u0061":2})", {"/a"}, {"2"}},
      {R"({"a\n":1})", {"/a\\n", "/a\n"}, {"-", "1"}},
      {R"({"":{"":4}})", {"//", "/"}, {"4", R"({"":4})"}},
      {R"({"a":null,"b":true})", {"/a", "/a", "/b/x"}, {"null", "null", "-"}},
      {R"({"a":1,"z":2})", {"/z", "/z", "/a"}, {"2", "2", "1"}},
      {R"({"a":1,"z":2})", {"/z", "/a", "/z"}, {"2", "1", "2"}},
      {R"(  "s"  )", {""}, {R"("s")"}},
      {R"({"a" : [ ] , "b" : { } })", {"/a", "/b"}, {"[ ]", "{ }"}},
  };
  with_every_kernel([&](const char* name) {
    for (const Case& one : cases) {
      // The second line is read by the shape of the first.
      const std::string twice = std::string(one.line) + '\n' + std::string(one.line) + '\n';
      const Scanned got = scan(twice, one.pointers);
      ASSERT_EQ(got.records.size(), 2u) << name << one.line;
      for (const SeenRecord& record : got.records) {
        EXPECT_EQ(record.fields, one.fields) << name << one.line;
        EXPECT_EQ(record.body, one.line) << name;
      }
    }
  });
}

TEST(LineScanner, CountsBlankLinesAndTakesBothLineEnds) {
  with_every_kernel([](const char*) {
    const Scanned got = scan("\n1\r\n \t\r\n{\"a\":2} \r\n\r\n3\r\r\n4", {"/a"});
    EXPECT_EQ(got.progress.lines, 7u);
    EXPECT_EQ(got.progress.consumed, 25u);
    ASSERT_EQ(got.records.size(), 4u);
    EXPECT_EQ(got.records[0].body, "1");
    EXPECT_EQ(got.records[1].body, "{\"a\":2} ");
    EXPECT_EQ(got.records[1].fields[0], "2");
    EXPECT_EQ(got.records[2].body, "3\r");
    EXPECT_EQ(got.records[3].body, "4");
    EXPECT_TRUE(got.faults.empty());
  });
}

TEST(LineScanner, ABadLineCostsItselfOnly) {
  struct Case {
    std::string_view line;
    ErrorCode code;
    std::uint64_t offset;
  };
  const Case cases[] = {
      {R"({"a":1)", ErrorCode::json_syntax, 6},
      {R"({"a":1}})", ErrorCode::json_syntax, 7},
      {R"({"a":"unterminated)", ErrorCode::json_syntax, 18},
      {R"({"a":tru})", ErrorCode::json_syntax, 8},
      {R"({"a":01})", ErrorCode::json_syntax, 6},
      {R"([1 2])", ErrorCode::json_syntax, 3},
      {R"(["\x"])", ErrorCode::json_syntax, 2},
      {R"(["\ud800"])", ErrorCode::json_syntax, 2},
      {"[\"\xC3\"]", ErrorCode::json_utf8, 2},
      {"[\"\xC3", ErrorCode::json_utf8, 2},
      {"\"\\", ErrorCode::json_syntax, 2},
      {"]", ErrorCode::json_syntax, 0},
      {"[[[[[[", ErrorCode::json_depth, 5},
  };
  with_every_kernel([&](const char* name) {
    for (const Case& one : cases) {
      for (const std::size_t good : {0u, 1u, 2u, 3u, 10u, 500u}) {
        std::string text;
        for (std::size_t i = 0; i < good; ++i) text += "{\"a\":\"x\"}\n";
        text += std::string(one.line) + "\n{\"a\":\"after\"}\n";
        const Scanned got = scan(text, {"/a"}, {.max_depth = 5});
        ASSERT_EQ(got.faults.size(), 1u) << name << one.line;
        EXPECT_EQ(got.faults[0].error.code, one.code) << name << one.line;
        EXPECT_EQ(got.faults[0].error.offset, one.offset) << name << one.line;
        EXPECT_EQ(got.faults[0].line, good);
        EXPECT_EQ(got.faults[0].body, one.line);
        EXPECT_EQ(got.progress.faults, 1u);
        EXPECT_EQ(got.progress.lines, good + 2);
        ASSERT_EQ(got.records.size(), good + 1) << name << one.line;
        EXPECT_EQ(got.records.back().fields[0], "\"after\"");
      }
    }
  });
}

TEST(LineScanner, EveryLineMayBeBad) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += i % 2 == 0 ? "{\"a\":\"\n" : "{\"a\":-}\n";
  with_every_kernel([&](const char*) {
    const Scanned got = scan(text, {"/a"});
    EXPECT_EQ(got.progress.faults, 20000u);
    EXPECT_EQ(got.progress.consumed, text.size());
    EXPECT_EQ(got.faults[19998].error.offset, 6u);
    EXPECT_EQ(got.faults[19999].error.offset, 6u);
  });
}

TEST(LineScanner, AnEscapeOutsideAStringDoesNotHideTheNextFault) {
  with_every_kernel([](const char* kernel) {
    const Scanned got = scan("\\\"\n?\n1\na\\\"\\\"\n[2]\ntru\n", {});
    EXPECT_EQ(got.progress.rows, 2u) << kernel;
    ASSERT_EQ(got.faults.size(), 4u) << kernel;
    EXPECT_EQ(got.faults[1].line, 1u) << kernel;
    EXPECT_EQ(got.faults[3].line, 5u) << kernel;
  });
}

TEST(LineScanner, StopsBeforeTheLineWithoutARow) {
  with_every_kernel([](const char*) {
    const std::string_view text = "{\"a\":1}\nx\n{\"a\":2}\n{\"a\":3}\n";
    const Scanned one = scan(text, {"/a"}, {}, 1);
    EXPECT_EQ(one.progress.rows, 1u);
    EXPECT_EQ(one.progress.consumed, 8u);
    const Scanned two = scan(text, {"/a"}, {}, 2);
    EXPECT_EQ(two.progress.rows, 2u);
    EXPECT_EQ(two.progress.consumed, 18u);
    EXPECT_EQ(two.progress.lines, 3u);
    EXPECT_EQ(two.progress.faults, 1u);
  });
}

TEST(LineScanner, SameTokensOtherKeys) {
  // Every line has the tokens of the one before; only the names tell them apart.
  const std::string_view text =
      "{\"a\":1,\"b\":2}\n{\"b\":3,\"a\":4}\n{\"a\":5,\"a\":6}\n{\"x\":7,\"y\":8}\n"
      "{\"a\":9,\"\\u0061\":10}\n{\"a\":\"11\",\"b\":null}\n";
  with_every_kernel([&](const char*) {
    const Scanned got = scan(text, {"/a", "/b"});
    ASSERT_EQ(got.records.size(), 6u);
    const std::vector<Fields> expected = {{"1", "2"}, {"4", "3"},  {"6", "-"},
                                          {"-", "-"}, {"10", "-"}, {"\"11\"", "null"}};
    for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(got.records[i].fields, expected[i]) << i;
  });
}

TEST(LineScanner, AKeyThatIsNoStringDoesNotPassAsTheShape) {
  const std::string_view text = "{\"a\":1}\n{\"a\":1}\n{2:1}\n{\"a\":\"b\"}\n{\"a\":[}\n";
  with_every_kernel([&](const char*) {
    const Scanned got = scan(text, {});
    EXPECT_EQ(got.progress.rows, 3u);
    ASSERT_EQ(got.faults.size(), 2u);
    EXPECT_EQ(got.faults[0].line, 2u);
    EXPECT_EQ(got.faults[0].error.offset, 1u);
    EXPECT_EQ(got.faults[1].line, 4u);
    EXPECT_EQ(got.faults[1].error.offset, 6u);
  });
}

TEST(LineScanner, LongKeysAreComparedToTheirEnd) {
  const std::string key(100, 'k');
  const auto line = [&](char last) { return "{\"" + key + last + "\":1,\"" + key + "z\":2}\n"; };
  with_every_kernel([&](const char*) {
    const Scanned got = scan(line('a') + line('a') + line('b') + line('z') + "{\"k\":1,\"z\":2}\n",
                             {"/" + key + "a", "/" + key + "z"});
    ASSERT_EQ(got.records.size(), 5u);
    EXPECT_EQ(got.records[1].fields, (Fields{"1", "2"}));
    EXPECT_EQ(got.records[2].fields, (Fields{"-", "2"}));
    EXPECT_EQ(got.records[3].fields, (Fields{"-", "2"}));
    EXPECT_EQ(got.records[4].fields, (Fields{"-", "-"}));
  });
}

/// A line of about `size` bytes, most of them in one string or in many numbers.
std::string long_line(std::size_t size, bool one_string, int mark) {
  std::string middle;
  if (one_string) {
    middle = '"' + std::string(size, 'x') + "\\n\xC3\xA9\"";
  } else {
    middle = "[1";
    while (middle.size() < size) middle += ",-12.5e3,\"\\u00e9\",true";
    middle += ']';
  }
  return "{\"first\":" + std::to_string(mark) + ",\"m\":" + middle + ",\"last\":\"" +
         std::to_string(mark) + "\"}\n";
}

TEST(LineScanner, LinesOfAnySize) {
  std::string text;
  std::vector<Fields> expected;
  int mark = 0;
  for (const std::size_t size : {100u, 16000u, 16384u, 30000u, 49000u, 65400u, 65536u, 66000u,
                                 200000u, 10u, 70000u, 70000u, 5u}) {
    for (const bool one_string : {true, false}) {
      text += long_line(size, one_string, mark);
      expected.push_back({std::to_string(mark), '"' + std::to_string(mark) + '"'});
      ++mark;
    }
  }
  with_every_kernel([&](const char* name) {
    const Scanned got = scan(text, {"/first", "/last"});
    EXPECT_TRUE(got.faults.empty()) << name;
    ASSERT_EQ(got.records.size(), expected.size()) << name;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(got.records[i].fields, expected[i]) << name << i;
    }
  });
}

TEST(LineScanner, AFaultAtTheEndOfALongLine) {
  const std::string good = long_line(150000, false, 1);
  std::string bad = good;
  const std::size_t place = bad.find(",\"last\"");
  bad[place] = ';';
  with_every_kernel([&](const char*) {
    const Scanned got = scan(good + bad + good, {"/last"});
    EXPECT_EQ(got.records.size(), 2u);
    ASSERT_EQ(got.faults.size(), 1u);
    EXPECT_EQ(got.faults[0].error.offset, place);
  });
}

TEST(LineScanner, ANumberWithoutEnd) {
  const std::string digits(100000, '7');
  with_every_kernel([&](const char*) {
    const Scanned got =
        scan("[-" + digits + "]\n[0" + digits + "]\n[" + digits + ".]\n1\n", {"/0"});
    ASSERT_EQ(got.records.size(), 2u);
    EXPECT_EQ(got.records[0].fields[0], "-" + digits);
    ASSERT_EQ(got.faults.size(), 2u);
    EXPECT_EQ(got.faults[0].error.offset, 2u);
    EXPECT_EQ(got.faults[1].error.offset, 100002u);
  });
}

TEST(LineScanner, ManyBracketsMeetTheDepthLimit) {
  with_every_kernel([](const char*) {
    const Scanned got = scan(std::string(100000, '[') + "\n[]\n", {"/0"});
    ASSERT_EQ(got.faults.size(), 1u);
    EXPECT_EQ(got.faults[0].error.code, ErrorCode::json_depth);
    EXPECT_EQ(got.faults[0].error.offset, 1024u);
    EXPECT_EQ(got.records.size(), 1u);
  });
}

TEST(LineScanner, UnpairedSurrogatesPassWhenAskedTo) {
  const std::string_view text = "{\"a\":\"\\ud800\"}\n{\"a\":\"\\udc00 \\ud83d\\ude00\"}\n";
  with_every_kernel([&](const char*) {
    EXPECT_EQ(scan(text, {"/a"}).progress.faults, 2u);
    const Scanned passed = scan(text, {"/a"}, {.pass_surrogates = true});
    ASSERT_EQ(passed.records.size(), 2u);
    EXPECT_EQ(passed.records[0].fields[0], "\"\\ud800\"");
  });
}

TEST(LineScanner, MoreThan64Fields) {
  Fields pointers;
  std::string line = "{";
  Fields expected;
  for (int i = 0; i < 130; ++i) {
    pointers.push_back("/f" + std::to_string(i));
    const bool present = i % 3 != 1;
    if (present) {
      line += std::string(line.size() > 1 ? "," : "") + "\"f" + std::to_string(i) +
              "\":" + std::to_string(1000 + i);
    }
    expected.push_back(present ? std::to_string(1000 + i) : "-");
  }
  line += "}\n";
  with_every_kernel([&](const char*) {
    const Scanned got = scan(line + line + line, pointers);
    ASSERT_EQ(got.records.size(), 3u);
    for (const SeenRecord& record : got.records) EXPECT_EQ(record.fields, expected);
  });
}

TEST(LineScanner, MembersInAnyOrderAndTwice) {
  // Which fields a line has is known from how it was made: the last member of a name counts.
  const std::string far(40, 'f');
  const Fields names = {"a", "b", far, "\\u0061", "other", std::string(70, 'o')};
  const Fields values = {"1", "\"x\"", "null", "{\"a\":2}", "[3,{\"b\":4}]", "{}"};
  std::mt19937 random(9);
  std::string text;
  std::vector<Fields> expected;
  for (int i = 0; i < 4000; ++i) {
    Fields fields = {"-", "-", "-"};
    std::string members;
    for (int member = 0; member < 5; ++member) {
      const std::size_t name = random() % (i % 100 < 80 ? 2 : names.size());
      const std::string& value = values[random() % (i % 10 < 7 ? 1 : values.size())];
      members += (member == 0 ? "\"" : ",\"") + names[name] + "\": " + value + " ";
      if (name < 4) fields[name % 3] = value;  // the fourth is the first, escaped
    }
    text += "{" + members + "}\n";
    expected.push_back(fields);
  }
  with_every_kernel([&](const char* kernel) {
    const Scanned got = scan(text, {"/a", "/b", "/" + far});
    const Scanned without_far = scan(text, {"/a", "/b"});
    ASSERT_EQ(got.records.size(), expected.size());
    ASSERT_EQ(without_far.records.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_EQ(got.records[i].fields, expected[i]) << kernel << i;
      ASSERT_EQ(without_far.records[i].fields, (Fields{expected[i][0], expected[i][1]})) << i;
    }
  });
}

TEST(LineScanner, ManyShapesInTurn) {
  // More shapes than are remembered, some with the same number of tokens.
  std::string text;
  std::vector<std::string> expected;
  for (int i = 0; i < 3000; ++i) {
    const int shape = i * 7 % 40;
    std::string members;
    for (int k = 0; k < shape % 20; ++k) members += "\"k" + std::to_string(k) + "\":null,";
    const std::string name = shape < 20 ? "v" : "w";
    text += "{" + members + "\"" + name + "\":" + std::to_string(i) + "}\n";
    expected.push_back(shape < 20 ? std::to_string(i) : "-");
  }
  with_every_kernel([&](const char*) {
    const Scanned got = scan(text, {"/v"});
    ASSERT_EQ(got.records.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_EQ(got.records[i].fields[0], expected[i]) << i;
    }
  });
}

}  // namespace
}  // namespace sluice::json
