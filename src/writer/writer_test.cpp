#include "writer/writer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <new>
#include <string>
#include <vector>

#include "json/plain_machine.h"
#include "kernel/guarded_text.h"

namespace sluice::json {
namespace {

using namespace std::string_view_literals;
using Body = std::function<void(Writer&)>;

/// What the calls write into a string, or the name of the error.
std::string written(const Body& body, const WriteOptions& options = {}) {
  std::string text;
  StringOutput out(text);
  Writer writer(out, options);
  body(writer);
  const Result<void> end = writer.close();
  return end ? text : error_name(end.error().code);
}

bool is_valid(std::string_view text, std::uint32_t max_depth = 1024) {
  ScanOptions options;
  options.max_depth = max_depth;
  PlainMachine machine{options};
  return machine.feed({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}) &&
         machine.finish();
}

void write_sample(Writer& writer) {
  writer.begin_object();
  writer.key("name");
  writer.value("Ada \"L\"");
  writer.raw_key("\"n\":");
  writer.begin_array();
  writer.value(1);
  writer.value(-2.5);
  writer.value(std::numeric_limits<std::uint64_t>::max());
  writer.value(true);
  writer.value(false);
  writer.null();
  writer.end_array();
  writer.key("");
  writer.begin_object();
  writer.end_object();
  writer.key("e");
  writer.begin_array();
  writer.begin_array();
  writer.end_array();
  writer.raw(R"({"raw":1})");
  writer.end_array();
  writer.end_object();
}

constexpr std::string_view kCompact =
    R"({"name":"Ada \"L\"","n":[1,-2.5,18446744073709551615,true,false,null],)"
    R"("":{},"e":[[],{"raw":1}]})";

TEST(Writer, Compact) { EXPECT_EQ(written(write_sample), kCompact); }

TEST(Writer, Indented) {
  EXPECT_EQ(written(write_sample, {.indent = 2}), R"({
  "name": "Ada \"L\"",
  "n": [
    1,
    -2.5,
    18446744073709551615,
    true,
    false,
    null
  ],
  "": {},
  "e": [
    [],
    {"raw":1}
  ]
})");
}

TEST(Writer, ScalarsAtTheTop) {
  EXPECT_EQ(written([](Writer& writer) { writer.value(7); }), "7");
  EXPECT_EQ(written([](Writer& writer) { writer.value(1.0); }), "1.0");
  EXPECT_EQ(written([](Writer& writer) { writer.value("x"); }), "\"x\"");
  EXPECT_EQ(written([](Writer& writer) { writer.null(); }, {.indent = 4}), "null");
}

TEST(Writer, Lines) {
  EXPECT_EQ(written([](Writer& writer) {
              for (int number = 1; number <= 3; ++number) {
                writer.begin_array();
                writer.value(number);
                writer.end_array();
                writer.end_line();
              }
            }),
            "[1]\n[2]\n[3]\n");
  EXPECT_EQ(written([](Writer&) {}), "");
}

TEST(Writer, LevelsBeyondEveryWord) {
  for (const std::uint32_t depth : {63u, 64u, 65u, 127u, 128u, 129u, 1024u}) {
    const auto nest = [depth](Writer& writer) {
      // Every third level is an object, so that a level that is mistaken for another shows.
      for (std::uint32_t level = 0; level < depth; ++level) {
        level % 3 == 0 ? writer.begin_object() : writer.begin_array();
        if (level % 3 == 0) writer.key("k");
      }
      writer.value(1);
      for (std::uint32_t level = depth; level-- > 0;) {
        level % 3 == 0 ? writer.end_object() : writer.end_array();
      }
    };
    const std::string text = written(nest);
    EXPECT_TRUE(is_valid(text)) << text;
    EXPECT_EQ(written(nest, {.max_depth = depth}), text);
    EXPECT_EQ(written(nest, {.max_depth = depth - 1}), "json_depth");
  }
}

TEST(Writer, WhatDataCanDoWrong) {
  for (const double number : {std::numeric_limits<double>::infinity(),
                              -std::numeric_limits<double>::infinity(), std::nan("")}) {
    EXPECT_EQ(written([number](Writer& writer) { writer.value(number); }), "json_range");
  }
  EXPECT_EQ(written([](Writer& writer) { writer.value("\xFF"); }), "json_utf8");
  EXPECT_EQ(written([](Writer& writer) {
              writer.begin_object();
              writer.key("\xC0\x80");
              writer.value(1);
              writer.end_object();
            }),
            "json_utf8");
  EXPECT_EQ(
      written([](Writer& writer) { writer.value("a\xFFz"); }, {.ill_formed = IllFormed::replace}),
      "\"a\xEF\xBF\xBDz\"");
}

TEST(Writer, TheFirstFailureCountsAndTheStringIsAsBefore) {
  std::string text = "before";
  StringOutput out(text);
  Writer writer(out);
  writer.begin_array();
  writer.value(1);
  writer.value(std::nan(""));
  writer.value("\xFF");
  writer.begin_object();  // all of this is empty
  writer.end_array();
  const Result<void> end = writer.close();
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error(), (Error{ErrorCode::json_range, 0, 0, 3}));  // behind `[1,`
  EXPECT_EQ(text, "before");
}

TEST(WriterDeathTest, CallsInAnOrderThatCannotBe) {
  const auto dies = [](const Body& body) { EXPECT_DEATH(written(body), "place_"); };
  dies([](Writer& writer) { writer.key("a"); });
  dies([](Writer& writer) { writer.end_array(); });
  dies([](Writer& writer) { writer.begin_array(); });
  dies([](Writer& writer) {
    writer.value(1);
    writer.value(2);
  });
  dies([](Writer& writer) {
    writer.begin_object();
    writer.value(1);
  });
  dies([](Writer& writer) {
    writer.begin_object();
    writer.key("a");
    writer.end_object();
  });
  dies([](Writer& writer) {
    writer.begin_object();
    writer.key("a");
    writer.key("b");
  });
  dies([](Writer& writer) {
    writer.begin_object();
    writer.end_array();
  });
}

/// Long and short pieces, so that every way of an output to make room is taken.
void write_much(Writer& writer) {
  writer.begin_array();
  for (int round = 0; round < 3; ++round) {
    writer.value(std::string(10000, 'x'));
    writer.value(std::string(3000, '\n'));
    write_sample(writer);
    writer.raw('"' + std::string(50000, 'r') + '"');
    for (int number = 0; number < 500; ++number) writer.value(number * 0.37);
  }
  writer.end_array();
}

TEST(SpanOutput, EverySizeFromNothingToEnough) {
  for (std::size_t size = 0; size <= kCompact.size() + 1; ++size) {
    const kernel::GuardedText room(std::string(size, '#'));
    char* const start = reinterpret_cast<char*>(room.bytes().data());
    SpanOutput out({start, size});
    Writer writer(out);
    write_sample(writer);
    const Result<void> end = writer.close();
    ASSERT_EQ(end.has_value(), size >= kCompact.size()) << size;
    if (!end) {
      ASSERT_EQ(end.error().code, ErrorCode::output_full);
    }
    ASSERT_EQ(out.text(), kCompact.substr(0, out.text().size())) << size;
    ASSERT_GE(out.text().size(), std::min(size, kCompact.size()));
  }
}

TEST(SpanOutput, LongTextsInJustEnoughRoom) {
  const std::string expected = written(write_much);
  for (const std::size_t missing : {0, 1, 100, 5000}) {
    std::string room(expected.size() - missing, '#');
    SpanOutput out(room);
    Writer writer(out);
    write_much(writer);
    EXPECT_EQ(writer.close().has_value(), missing == 0);
    EXPECT_EQ(out.text(), expected.substr(0, room.size()));
  }
}

class Collector final : public PieceSink {
 public:
  Result<void> take(std::string_view piece) override {
    if (pieces_left-- == 0) return Error{ErrorCode::sink_write, 0, 5, 0};
    text += piece;
    return {};
  }
  std::string text;
  int pieces_left = 1 << 30;
};

TEST(SinkOutput, HandsOverAll) {
  const std::string expected = written(write_much);
  Collector sink;
  SinkOutput out(sink);
  Writer writer(out);
  write_much(writer);
  EXPECT_TRUE(writer.close());
  EXPECT_EQ(sink.text, expected);
  EXPECT_EQ(out.size(), expected.size());
}

TEST(SinkOutput, AnErrorOfTheSinkAtEveryPieceEndsTheWriting) {
  int failures = 0;
  for (int pieces = 0;; ++pieces) {
    Collector sink;
    sink.pieces_left = pieces;
    SinkOutput out(sink);
    Writer writer(out);
    write_much(writer);
    const Result<void> end = writer.close();
    if (end) break;
    ++failures;
    EXPECT_EQ(end.error().code, ErrorCode::sink_write);
    EXPECT_EQ(end.error().system_errno, 5);
    EXPECT_EQ(sink.pieces_left, -1);  // not asked again
  }
  EXPECT_GT(failures, 3);
}

TEST(StringOutput, AppendsAndUsesTheRoomThatIsThere) {
  std::string text = "[0]\n";
  text.reserve(4096);
  const char* const before = text.data();
  StringOutput out(text);
  Writer writer(out);
  write_sample(writer);
  EXPECT_TRUE(writer.close());
  EXPECT_EQ(text, "[0]\n" + std::string(kCompact));
  EXPECT_EQ(text.data(), before);
}

TEST(StringOutput, LeftAloneItIsAsBefore) {
  std::string text = "before";
  {
    StringOutput out(text);
    out.put("something");
  }
  EXPECT_EQ(text, "before");
}

TEST(Output, TakesNothingAlsoWhenItHasNoMemory) {
  SpanOutput nowhere({});
  nowhere.put({});
  EXPECT_TRUE(nowhere.close());
  std::string text;
  StringOutput out(text);
  out.put({});
  EXPECT_TRUE(out.close());
  EXPECT_EQ(text, "");
}

template <class T>
concept Writable = requires(Writer& writer, T value) { writer.value(value); };
static_assert(Writable<int> && Writable<const char*> && Writable<bool> && Writable<double>);
static_assert(!Writable<char> && !Writable<std::nullptr_t> && !Writable<int*>);

TEST(Writer, WritesFloatsAsShortAsFloatsCanBe) {
  std::string text;
  StringOutput out(text);
  Writer writer(out);
  writer.begin_array();
  for (const float number : {0.1f, -0.0f, 16777216.0f, 3.4028235e38f, 1e-45f}) writer.value(number);
  writer.end_array();
  ASSERT_TRUE(writer.close());
  EXPECT_EQ(text, "[0.1,-0.0,16777216.0,3.4028235e+38,1e-45]");

  SpanOutput nowhere({});
  Writer failing(nowhere);
  failing.value(std::numeric_limits<float>::infinity());
  EXPECT_EQ(failing.close().error().code, ErrorCode::json_range);
}

}  // namespace
}  // namespace sluice::json
