#include "json/document_scanner.h"

#include <gtest/gtest.h>

#include "json/error_text.h"
#include "json/scan_test_support.h"

namespace sluice::json {
namespace {

using Fields = std::vector<std::string>;

TEST(DocumentScanner, BodyAndFieldsOfADocumentWithNewlines) {
  with_every_kernel([](const char*) {
    const Selection selection = select_fields({"/a/1", "/b", "/c"});
    StreamMemory memory;
    DocumentScanner scanner(selection, {}, memory);
    const PaddedText padded("\n\n {\n \"a\" : [\n1\n,\n2\n],\n\"b\":\n{} }\r\n");
    std::vector<std::uint64_t> row(row_words(3));
    ASSERT_TRUE(scanner.scan(padded.text(), row).has_value());
    const SeenRecord seen = seen_record(padded.text(), row.data(), 3);
    EXPECT_EQ(seen.body, "{\n \"a\" : [\n1\n,\n2\n],\n\"b\":\n{} }");
    EXPECT_EQ(seen.fields, (Fields{"2", "{}", "-"}));
  });
}

TEST(DocumentScanner, LongDocuments) {
  std::string text = "{\"rows\":[";
  for (int i = 0; i < 20000; ++i) text += "{\"n\":" + std::to_string(i) + ",\"s\":\"\\n\"},\n";
  text += "null],\"end\":\"here\"}";
  with_every_kernel([&](const char*) {
    const Selection selection = select_fields({"/rows/19999/n", "/end", "/rows/20000"});
    StreamMemory memory;
    DocumentScanner scanner(selection, {}, memory);
    const PaddedText padded(text);
    std::vector<std::uint64_t> row(row_words(3));
    ASSERT_TRUE(scanner.scan(padded.text(), row).has_value());
    const SeenRecord seen = seen_record(padded.text(), row.data(), 3);
    EXPECT_EQ(seen.fields, (Fields{"19999", "\"here\"", "null"}));
  });
}

TEST(DocumentScanner, FaultsCountFromTheStartOfTheText) {
  struct Case {
    std::string_view text;
    ErrorCode code;
    std::uint64_t offset;
  };
  const Case cases[] = {{"", ErrorCode::json_syntax, 0},
                        {"  \n ", ErrorCode::json_syntax, 4},
                        {"\n\n[1,\n}", ErrorCode::json_syntax, 6},
                        {" {\"a\":1} x", ErrorCode::json_syntax, 9},
                        {"\xEF\xBB\xBF{}", ErrorCode::json_syntax, 0},
                        {"[\"\n\"]", ErrorCode::json_syntax, 2},
                        {" \"\xFF\"", ErrorCode::json_utf8, 2},
                        {"[", ErrorCode::json_syntax, 1}};
  with_every_kernel([&](const char* name) {
    StreamMemory memory;
    DocumentScanner scanner(Selection{}, {}, memory);
    for (const Case& one : cases) {
      const PaddedText padded(one.text);
      std::vector<std::uint64_t> row(row_words(0));
      const Result<void> result = scanner.scan(padded.text(), row);
      ASSERT_FALSE(result.has_value()) << name << one.text;
      EXPECT_EQ(result.error().code, one.code) << name << one.text;
      EXPECT_EQ(result.error().offset, one.offset) << name << one.text;
    }
  });
}

/// Feeds an array to a scanner, `step` more bytes a call, and collects the elements.
struct Elements {
  std::vector<SeenRecord> records;
  bool done = false;
  Error error;
};
Elements scan_array(std::string_view text, const Fields& pointers, std::size_t step,
                    std::size_t rows_max) {
  const Selection selection = select_fields(pointers);
  StreamMemory memory;
  ArrayScanner scanner(selection, {}, memory);
  const std::size_t words = row_words(pointers.size());
  std::vector<std::uint64_t> rows(words * rows_max);
  Elements result;
  std::size_t start = 0;
  std::size_t end = 0;
  while (true) {
    end = std::min(text.size(), end + step);
    const PaddedText padded(text.substr(start, end - start));
    bool full = true;
    while (full) {
      ArrayScanner::Progress progress;
      const PaddedText rest(text.substr(start, end - start));
      const Result<void> scanned = scanner.scan(rest.text(), end == text.size(), rows, progress);
      for (std::uint32_t i = 0; i < progress.rows; ++i) {
        result.records.push_back(
            seen_record(rest.text(), rows.data() + i * words, pointers.size()));
      }
      if (!scanned) {
        result.error = scanned.error();
        result.error.offset += start;
        return result;
      }
      start += progress.consumed;
      result.done = progress.done;
      full = progress.rows == rows_max;
    }
    if (end == text.size()) return result;
  }
}

TEST(ArrayScanner, ElementsAreRecords) {
  const std::string text = " [ {\"a\":1}, 2 ,\"three\",[4,[5]],{\"a\":{\"b\":\"]\"}} , null,\n" +
                           std::string(300, '6') + "] \n";
  const Fields bodies = {
      "{\"a\":1}",          "2", "\"three\"", "[4,[5]]", "{\"a\":{\"b\":\"]\"}}", "null",
      std::string(300, '6')};
  const Fields firsts = {"1", "-", "-", "-", "{\"b\":\"]\"}", "-", "-"};
  with_every_kernel([&](const char* name) {
    for (const std::size_t step : {1u, 2u, 7u, 64u, 1000u}) {
      for (const std::size_t rows_max : {1u, 2u, 100u}) {
        const Elements got = scan_array(text, {"/a"}, step, rows_max);
        EXPECT_EQ(got.error, Error{}) << name << step;
        EXPECT_TRUE(got.done) << name << step;
        ASSERT_EQ(got.records.size(), bodies.size()) << name << step;
        for (std::size_t i = 0; i < bodies.size(); ++i) {
          EXPECT_EQ(got.records[i].body, bodies[i]);
          EXPECT_EQ(got.records[i].fields[0], firsts[i]);
        }
      }
    }
  });
}

TEST(ArrayScanner, AnEmptyArrayHasNone) {
  with_every_kernel([](const char*) {
    const Elements got = scan_array(" [ ] ", {}, 1, 10);
    EXPECT_TRUE(got.done);
    EXPECT_TRUE(got.records.empty());
    EXPECT_EQ(got.error, Error{});
  });
}

TEST(ArrayScanner, FaultsAndTheElementsBeforeThem) {
  struct Case {
    std::string_view text;
    std::uint64_t offset;
    std::size_t elements;
  };
  const Case cases[] = {{"[1,2 3]", 5, 2},
                        {"[{\"a\":1},{\"a\" 1}]", 14, 1},
                        {"[{},\"x\",tru]", 11, 2},
                        {"[[1],[2]", 8, 2},
                        {"[[1],]", 5, 1},
                        {"[[1]}", 4, 1},
                        {"[[1]] 7", 6, 1},
                        {"", 0, 0},
                        {"[1,", 3, 1},
                        {"[\"\\ud800\"]", 2, 0},
                        {"{}", 0, 0},
                        {"x", 0, 0}};
  with_every_kernel([&](const char* name) {
    for (const Case& one : cases) {
      for (const std::size_t step : {1u, 3u, 100u}) {
        const Elements got = scan_array(one.text, {}, step, 10);
        EXPECT_EQ(got.error.code, ErrorCode::json_syntax) << name << one.text << step;
        EXPECT_EQ(got.error.offset, one.offset) << name << one.text << step;
        EXPECT_EQ(got.records.size(), one.elements) << name << one.text << step;
      }
    }
  });
}

TEST(ArrayScanner, ElementsLargerThanAChunk) {
  std::string element = "{\"a\":[0";
  while (element.size() < 40000) element += ",{\"x\":\"\\u00e9]\"}";
  element += "],\"z\":\"end\"}";
  std::string text = "[";
  for (int i = 0; i < 5; ++i) text += element + (i < 4 ? "," : "]");
  with_every_kernel([&](const char* name) {
    for (const std::size_t step : {10000u, 1000000u}) {
      const Elements got = scan_array(text, {"/z"}, step, 3);
      EXPECT_EQ(got.error, Error{}) << name;
      ASSERT_EQ(got.records.size(), 5u) << name << step;
      for (const SeenRecord& record : got.records) {
        EXPECT_EQ(record.body, element);
        EXPECT_EQ(record.fields[0], "\"end\"");
      }
    }
  });
}

}  // namespace
}  // namespace sluice::json
