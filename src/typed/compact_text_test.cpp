// Compact typed writing goes a way of its own; it must come to what the checked Writer comes to.

#include "typed/compact_text.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "typed/write.h"

namespace sluice::json {
namespace {

struct Part {
  std::optional<int> maybe;
  std::string text;
  std::vector<double> numbers;
};

struct Whole {
  std::optional<std::string> absent;
  bool good = false;
  std::uint64_t id = 0;
  std::int8_t small = 0;
  std::map<std::string, Part> parts;
  std::vector<std::vector<int>> lists;
  std::vector<std::optional<int>> holes;
};

struct Chain {
  std::unique_ptr<Chain> next;
};

Whole example() {
  Whole whole;
  whole.good = true;
  whole.id = 18446744073709551615u;
  whole.small = -128;
  whole.parts["a\"b"] = {5, "x\ny", {1, 0.5, -1e300}};
  whole.parts["z"] = {std::nullopt, "\xC3\xA9", {}};
  whole.lists = {{}, {1}, {2, 3}};
  whole.holes = {std::nullopt, 7};
  return whole;
}

constexpr std::string_view kExample =
    R"({"good":true,"id":18446744073709551615,"small":-128,"parts":{)"
    R"("a\"b":{"maybe":5,"text":"x\ny","numbers":[1.0,0.5,-1e+300]},)"
    "\"z\":{\"text\":\"\xC3\xA9\",\"numbers\":[]}},"
    R"("lists":[[],[1],[2,3]],"holes":[null,7]})";

template <class T>
Result<std::string> by_writer(const T& value, const WriteOptions& options) {
  std::string text;
  StringOutput out(text);
  Writer writer(out, options);
  write_value(writer, value);
  const Result<void> closed = writer.close();
  if (!closed) return closed.error();
  return text;
}

template <class T>
void expect_same_error(const T& value, ErrorCode code, const WriteOptions& options = {}) {
  const Result<std::string> compact = write(value, options);
  const Result<std::string> checked = by_writer(value, options);
  ASSERT_FALSE(compact);
  ASSERT_FALSE(checked);
  EXPECT_EQ(compact.error(), checked.error());
  EXPECT_EQ(compact.error().code, code);
}

TEST(CompactText, WritesWhatTheWriterWrites) {
  EXPECT_EQ(*write(example()), kExample);
  EXPECT_EQ(*by_writer(example(), {}), kExample);
}

TEST(CompactText, FailsAsTheWriterFails) {
  Whole whole = example();
  whole.parts["z"].text = "\xFF";
  expect_same_error(whole, ErrorCode::json_utf8);
  whole = example();
  whole.parts["\xC3"].text = "";
  expect_same_error(whole, ErrorCode::json_utf8);
  whole = example();
  whole.parts["a\"b"].numbers[2] = std::numeric_limits<double>::infinity();
  expect_same_error(whole, ErrorCode::json_range);
  expect_same_error(example(), ErrorCode::json_depth, {.max_depth = 3});
  EXPECT_TRUE(write(example(), {.max_depth = 4}));
}

TEST(CompactText, EndlessStructuresEndAtTheDepthLimit) {
  Chain chain;
  for (int level = 0; level < 2000; ++level) {
    chain.next = std::make_unique<Chain>(Chain{std::move(chain.next)});
  }
  expect_same_error(chain, ErrorCode::json_depth);
  while (chain.next) chain.next = std::move(chain.next->next);
}

TEST(CompactText, MemoryOfEverySize) {
  for (std::size_t size = 0; size <= kExample.size() + 1; ++size) {
    const auto memory = std::make_unique<char[]>(size);
    const auto text = write(std::span(memory.get(), size), example());
    EXPECT_EQ(text.has_value(), size >= kExample.size()) << size;
    if (text) {
      EXPECT_EQ(*text, kExample);
    } else {
      EXPECT_EQ(text.error().code, ErrorCode::output_full);
      EXPECT_EQ(std::string_view(memory.get(), size), kExample.substr(0, size));
    }
  }
}

class Pieces : public PieceSink {
 public:
  explicit Pieces(std::size_t limit) : limit_(limit) {}
  Result<void> take(std::string_view piece) override {
    if (text.size() + piece.size() > limit_) return Error{.code = ErrorCode::output_full};
    text += piece;
    return {};
  }
  std::string text;

 private:
  std::size_t limit_;
};

TEST(CompactText, LongTextsToASink) {
  std::vector<Whole> many;
  std::string expected = "[";
  for (int index = 0; index < 500; ++index) {
    many.push_back(example());
    many.back().parts["z"].text = std::string(300, 'y') + "\n";
    std::string one(kExample);
    one.replace(one.find("\xC3\xA9"), 2, std::string(300, 'y') + "\\n");
    expected += (index == 0 ? "" : ",") + one;
  }
  expected += "]";
  Pieces all(expected.size());
  SinkOutput out(all);
  EXPECT_TRUE(write_to(out, many));
  EXPECT_EQ(all.text, expected);

  Pieces some(40000);
  SinkOutput refused(some);
  EXPECT_EQ(write_to(refused, many).error().code, ErrorCode::output_full);
  EXPECT_EQ(some.text, expected.substr(0, some.text.size()));
}

}  // namespace
}  // namespace sluice::json
