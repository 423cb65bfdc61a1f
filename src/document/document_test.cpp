#include "document/document.h"

#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "document/failing_resource.h"
#include "document/good_texts.h"
#include "document/naive_strings.h"
#include "document/naive_tree.h"
#include "json/scan_test_support.h"
#include "kernel/guarded_text.h"

namespace sluice::json {
namespace {

Document parsed(std::string_view text, const DocumentOptions& options = {}) {
  Result<Document> document = Document::parse(text, options);
  EXPECT_TRUE(document.has_value()) << text.substr(0, 200);
  return std::move(*document);
}

/// Compares a document with the tree, everything that can be asked for, without recursion.
class Comparison {
 public:
  explicit Comparison(std::string_view text) : text_(text), tree_(text) {}

  /// `written`: strings still stand in the text as they were written.
  void with(const Document& document, bool written = true) {
    written_ = written;
    rest_ = {{0, document.root()}};
    while (!rest_.empty()) {
      const auto [id, value] = rest_.back();
      rest_.pop_back();
      compare(tree_.node(id), value);
    }
  }

 private:
  void compare(const NaiveNode& node, Value value) {
    const std::string about(node.raw.substr(0, 60));
    ASSERT_EQ(value.size(), node.children.size()) << about;
    if (written_ || !value.is_string()) {
      ASSERT_EQ(value.raw().size(), node.raw.size()) << about;
    }
    switch (node.raw[0]) {
      case '{':
        return compare_object(node, value);
      case '[':
        return compare_array(node, value);
      case '"':
        return compare_string(node, value);
      case 'n':
        ASSERT_EQ(value.type(), Type::null);
        return;
      case 't':
      case 'f':
        ASSERT_EQ(value.type(), Type::boolean);
        ASSERT_EQ(value.as_bool().value(), node.raw == "true");
        return;
      default:
        return compare_number(node, value);
    }
  }

  void compare_object(const NaiveNode& node, Value value) {
    ASSERT_EQ(value.type(), Type::object);
    std::map<std::string, std::size_t> last;
    std::size_t count = 0;
    for (const auto [name, member] : value.members()) {
      const std::string expected = naive_decode(node.keys[count]);
      ASSERT_EQ(name, expected);
      const std::size_t child = node.children[count++];
      ASSERT_EQ(member.offset(), offset_of(child));
      rest_.emplace_back(child, member);
      last[expected] = child;
    }
    ASSERT_EQ(count, node.children.size());
    for (const auto& [name, child] : last) {
      ASSERT_EQ(value.find(name).value().offset(), offset_of(child)) << name;
      ASSERT_EQ(value[name].offset(), offset_of(child)) << name;
      ASSERT_EQ(value.find(name + "x").has_value(), last.contains(name + "x"));
    }
  }
  void compare_array(const NaiveNode& node, Value value) {
    ASSERT_EQ(value.type(), Type::array);
    std::size_t count = 0;
    for (const Value element : value.elements()) {
      const std::size_t child = node.children[count];
      ASSERT_EQ(element.offset(), offset_of(child));
      if (count < 100) {
        ASSERT_EQ(value[count].offset(), offset_of(child));
      }
      rest_.emplace_back(child, element);
      ++count;
    }
    ASSERT_EQ(count, node.children.size());
    ASSERT_FALSE(value[count].exists());
  }
  void compare_string(const NaiveNode& node, Value value) {
    ASSERT_EQ(value.type(), Type::string);
    const std::string expected = naive_decode(node.raw.substr(1, node.raw.size() - 2));
    const std::string_view once = value.as_string().value();
    const std::string_view twice = value.as_string().value();
    ASSERT_EQ(once, expected);
    ASSERT_EQ(once.data(), twice.data()) << "decoded once";
    std::string copy = "before";
    ASSERT_TRUE(value.string_into(copy).has_value());
    ASSERT_EQ(copy, expected);
  }
  void compare_number(const NaiveNode& node, Value value) {
    ASSERT_EQ(value.type(), Type::number);
    compare_as(node.raw, value.as_double(), ErrorCode::json_range);
    const bool integer = node.raw.find_first_of(".eE") == std::string_view::npos;
    const ErrorCode otherwise = integer ? ErrorCode::json_range : ErrorCode::json_type;
    if (node.raw == "-0") return;
    compare_as(integer ? node.raw : "x", value.as_int64(), otherwise);
    compare_as(integer ? node.raw : "x", value.as_uint64(), otherwise);
  }
  template <class T>
  void compare_as(std::string_view raw, const Result<T>& number, ErrorCode otherwise) {
    T expected{};
    const auto [end, fault] = std::from_chars(raw.data(), raw.data() + raw.size(), expected);
    // std::from_chars calls a double too small what we call 0.
    const bool too_small = fault == std::errc::result_out_of_range && number.has_value() &&
                           static_cast<double>(*number) < 1 && static_cast<double>(*number) > -1;
    if (fault == std::errc() || too_small) {
      ASSERT_TRUE(number.has_value()) << raw;
      if (!too_small) {
        ASSERT_EQ(*number, expected) << raw;
      }
    } else {
      ASSERT_FALSE(number.has_value()) << raw;
      ASSERT_EQ(number.error().code, otherwise) << raw;
    }
  }
  std::size_t offset_of(std::size_t child) const {
    return static_cast<std::size_t>(tree_.node(child).raw.data() - text_.data());
  }

  std::string_view text_;
  NaiveTree tree_;
  bool written_ = true;
  std::vector<std::pair<std::size_t, Value>> rest_;
};

TEST(Document, IsLikeANaiveTree) {
  with_every_kernel([](const char*) {
    for (const std::string& text : good_texts()) {
      Comparison(text).with(parsed(text));
      std::string owned = text;
      Comparison(text).with(Document::read(std::move(owned)).value());
    }
  });
}

TEST(Document, IsTheSameDecodedOverItself) {
  for (const std::string& text : good_texts()) {
    std::string copy = text;
    const Document document = Document::parse_in_place(copy).value();
    Comparison(text).with(document);
    EXPECT_EQ(copy.size(), text.size());
  }
}

TEST(Document, DecodesOverTheTextWithoutMemory) {
  FailingResource memory;
  std::string text = R"(["\u0041\n\"x", "\\\n", "\u005c\t", "plain"])";
  const Document document = Document::parse_in_place(text, {.memory = &memory}).value();
  const std::size_t requests = memory.requests();
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(document[0].as_string().value(), "A\n\"x");
  }
  EXPECT_EQ(memory.requests(), requests);
  // What means a backslash cannot be decoded over itself: it would be decoded twice.
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(document[1].as_string().value(), "\\\n");
    EXPECT_EQ(document[2].as_string().value(), "\\\t");
    EXPECT_EQ(document[3].as_string().value(), "plain");
  }
  EXPECT_GT(memory.requests(), requests);
}

TEST(Document, DecodesAtOnceAndNothingLater) {
  FailingResource memory;
  for (const std::string& text : good_texts()) {
    const DocumentOptions at_once = {.decode = Decode::at_once, .memory = &memory};
    const Document document = parsed(text, at_once);
    std::string copy = text;
    const Document in_place = Document::parse_in_place(copy, at_once).value();
    const std::string decoded_text = copy;
    memory.fail_after(0);
    Comparison(text).with(document);
    Comparison(text).with(in_place, /*written=*/false);
    EXPECT_EQ(copy, decoded_text) << "nothing is written";
    memory.fail_after(FailingResource::kNever);
  }
}

/// Numbers of many sizes between other values, over several chunks, so that what was converted
/// moves to larger memory.
std::string text_of_numbers(unsigned seed) {
  std::mt19937_64 draw(seed);
  std::string text = "{\"first\":[-0,1e400,-1e400,1e-400,18446744073709551615,-9223372036854775808";
  while (text.size() < 200'000) {
    text += ",\n  ";
    if (draw() % 8 == 0) text += std::string(draw() % 200, ' ') + "\"1.5\",";
    if (draw() % 2 == 0) text += "-";
    text += std::to_string(draw() >> draw() % 64);
    if (draw() % 2 == 0) text += "." + std::to_string(draw() >> draw() % 64);
    if (draw() % 16 == 0) text += "e" + std::to_string(draw() % 40);
  }
  return text + "],\"last\":0.1}";
}

TEST(Document, ConvertsNumbersAtOnceAsWhenAsked) {
  with_every_kernel([](const char*) {
    Document again = parsed("[1.5]", {.decode = Decode::at_once});
    for (unsigned seed = 0; seed < 3; ++seed) {
      const std::string text = text_of_numbers(seed);
      const kernel::GuardedText guarded(text);
      const std::string_view bytes(reinterpret_cast<const char*>(guarded.data()), text.size());
      Comparison(bytes).with(parsed(bytes, {.decode = Decode::at_once}));
      ASSERT_TRUE(again.parse_again(bytes));
      Comparison(bytes).with(again);
      EXPECT_TRUE(std::signbit(again["first"][0].as_double().value())) << "-0";
      EXPECT_EQ(again["first"][0].as_int64().value(), 0);
    }
  });
}

TEST(Document, RemembersStringsThatAreNoText) {
  FailingResource memory;
  const Document document =
      parsed(R"(["a\ud800", "b\n"])",
             {.scan = {.pass_surrogates = true}, .decode = Decode::at_once, .memory = &memory});
  memory.fail_after(0);
  EXPECT_EQ(document[0].as_string().error().code, ErrorCode::json_type);
  EXPECT_EQ(document[1].as_string().value(), "b\n");
}

TEST(Document, FindsTheLastOfEqualNames) {
  const Document document = parsed(R"({"a":1,"b":{"a":2},"\u0061":3,"ab":4,"":5,"a\"":6})");
  EXPECT_EQ(document["a"].as_int64().value(), 3);
  EXPECT_EQ(document["b"]["a"].as_int64().value(), 2);
  EXPECT_EQ(document["ab"].as_int64().value(), 4);
  EXPECT_EQ(document[""].as_int64().value(), 5);
  EXPECT_EQ(document["a\""].as_int64().value(), 6);
  EXPECT_FALSE(document.root().find("c").has_value());
  EXPECT_FALSE(document.root().find("a\\\"").has_value()) << "names are compared decoded";
  EXPECT_FALSE(document.root().find("u0061").has_value());
}

Error error_of(const auto& result) { return result ? Error{} : result.error(); }

TEST(Value, SaysWhyItIsAbsent) {
  const Document document = parsed(R"( {"a":{"b":[1]}, "c":"x"})");
  const Error missing = {.code = ErrorCode::json_missing, .offset = 6};
  EXPECT_EQ(document["a"]["x"].error(), missing);
  EXPECT_EQ(error_of(document["a"]["x"]["y"][7].as_int64()), missing) << "the first reason";
  EXPECT_EQ(error_of(document["a"]["x"].as_string()), missing);
  EXPECT_EQ(error_of(document["a"]["x"].as_array()), missing);
  EXPECT_EQ(document["a"]["b"][1].error(), (Error{.code = ErrorCode::json_missing, .offset = 11}));
  EXPECT_EQ(document["a"]["b"][-1].error().code, ErrorCode::json_missing);
  EXPECT_EQ(document["c"]["y"].error(),
            (Error{.code = ErrorCode::json_type,
                   .detail = static_cast<std::uint16_t>(Expected::object),
                   .offset = 21}));
  EXPECT_EQ(document["a"][0].error(), (Error{.code = ErrorCode::json_type,
                                             .detail = static_cast<std::uint16_t>(Expected::array),
                                             .offset = 6}));
  const Value absent = document["a"]["x"];
  EXPECT_EQ(absent.type(), Type::absent);
  EXPECT_FALSE(absent.exists() || absent.is_null() || absent.is_object() || absent.is_number());
  EXPECT_EQ(absent.size(), 0u);
  EXPECT_EQ(absent.raw(), "");
  EXPECT_TRUE(absent.members().empty());
  EXPECT_EQ(Value().error().code, ErrorCode::json_missing);
}

TEST(Value, SaysWhatItIsNot) {
  const Document document = parsed(R"([null, "1", 1.0, 300e-1, 9223372036854775808, -1, 1e400])");
  const auto expect = [](const Error& error, ErrorCode code, Expected expected, std::size_t place) {
    EXPECT_EQ(
        error,
        (Error{.code = code, .detail = static_cast<std::uint16_t>(expected), .offset = place}));
  };
  expect(error_of(document[0].as_bool()), ErrorCode::json_type, Expected::boolean, 1);
  expect(error_of(document[0].as_double()), ErrorCode::json_type, Expected::number, 1);
  expect(error_of(document[0].as_array()), ErrorCode::json_type, Expected::array, 1);
  expect(error_of(document[0].as_object()), ErrorCode::json_type, Expected::object, 1);
  expect(error_of(document[1].as_int64()), ErrorCode::json_type, Expected::integer, 7);
  expect(error_of(document[2].as_int64()), ErrorCode::json_type, Expected::integer, 12);
  expect(error_of(document[2].as_string()), ErrorCode::json_type, Expected::string, 12);
  expect(error_of(document[3].as_uint64()), ErrorCode::json_type, Expected::integer, 17);
  expect(error_of(document[4].as_int64()), ErrorCode::json_range, Expected::integer, 25);
  EXPECT_EQ(document[4].as_uint64().value(), 9223372036854775808u);
  expect(error_of(document[5].as_uint64()), ErrorCode::json_range, Expected::integer, 46);
  expect(error_of(document[6].as_double()), ErrorCode::json_range, Expected::number, 50);
}

// The examples of RFC 6901, section 5, and what it says of arrays in section 4.
TEST(Value, IsFoundByPointer) {
  const Document document = parsed(
      R"({"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8})");
  const std::vector<std::pair<std::string, std::string>> expected = {{"/foo", R"(["bar","baz"])"},
                                                                     {"/foo/0", "\"bar\""},
                                                                     {"/", "0"},
                                                                     {"/a~1b", "1"},
                                                                     {"/c%d", "2"},
                                                                     {"/e^f", "3"},
                                                                     {"/g|h", "4"},
                                                                     {"/i\\j", "5"},
                                                                     {"/k\"l", "6"},
                                                                     {"/ ", "7"},
                                                                     {"/m~0n", "8"},
                                                                     {"/foo/1", "\"baz\""}};
  for (const auto& [pointer, raw] : expected) {
    EXPECT_EQ(document.at(pointer).raw(), raw) << pointer;
    EXPECT_EQ(document.root().at(Pointer::parse(pointer).value()).raw(), raw) << pointer;
  }
  EXPECT_EQ(document.at("").raw(), document.text());
  for (const char* nowhere : {"/foo/2", "/foo/-", "/foo/00", "/foo/01", "/foo/+1", "/foo/",
                              "/foo/4294967296", "/foo/18446744073709551616", "/bar", "/m~1n"}) {
    EXPECT_EQ(document.at(nowhere).error().code, ErrorCode::json_missing) << nowhere;
  }
  EXPECT_EQ(document.at("/foo/0/x").error().code, ErrorCode::json_type);
  for (const char* wrong : {"foo", "/foo/~", "/~2", "/nowhere/a~b"}) {
    EXPECT_EQ(document.at(wrong).error().code, ErrorCode::pointer_syntax) << wrong;
  }
}

TEST(Value, KeepsUnpairedSurrogatesAsTheyAre) {
  const Document document = parsed(R"({"\ud800":"x\udc00"})", {.scan = {.pass_surrogates = true}});
  const Value value = (*document.root().members().begin()).value;
  EXPECT_EQ(value.raw(), R"("x\udc00")");
  EXPECT_EQ(error_of(value.as_string()).code, ErrorCode::json_type);
  EXPECT_EQ(error_of(value.as_string()).offset, 10u);
  std::string copy;
  EXPECT_EQ(error_of(value.string_into(copy)).code, ErrorCode::json_type);
  EXPECT_EQ((*document.root().members().begin()).name, R"(\ud800)") << "as written";
}

TEST(Document, ReadsNothingBehindTheText) {
  with_every_kernel([](const char*) {
    for (const std::string& text : good_texts()) {
      const kernel::GuardedText guarded(text);
      const std::string_view view(reinterpret_cast<const char*>(guarded.data()), text.size());
      Comparison(view).with(parsed(view));
    }
  });
}

TEST(Document, FollowsAnyDepth) {
  constexpr std::uint32_t kDepth = 1'000'000;
  std::string text;
  for (std::uint32_t level = 0; level < kDepth / 2; ++level) text += "{\"a\":[";
  for (std::uint32_t level = 0; level < kDepth / 2; ++level) text += "]}";
  Comparison(text).with(parsed(text, {.scan = {.max_depth = kDepth}}));
  EXPECT_EQ(error_of(Document::parse(text)).code, ErrorCode::json_depth);
  EXPECT_EQ(error_of(Document::parse(text)).offset, 512u * 6);
}

TEST(Document, ReadsOneTextAfterTheOther) {
  FailingResource memory;
  {
    Document document = parsed("[\"\\n\",1]", {.memory = &memory});
    EXPECT_EQ(document[0].as_string().value(), "\n");
    ASSERT_TRUE(document.parse_again("[\"\\t\",2]").has_value());
    EXPECT_EQ(document[0].as_string().value(), "\t") << "nothing of the text before";
    EXPECT_EQ(error_of(document.parse_again("[")).offset, 1u);
    EXPECT_FALSE(document.root().exists());
    ASSERT_TRUE(document.parse_again("{\"a\":2}").has_value());
    const Value before = document["a"];
    const Document moved = std::move(document);
    EXPECT_EQ(before.as_int64().value(), 2) << "values stay when the document moves";
    EXPECT_EQ(moved["a"].offset(), 5u);
  }
  EXPECT_EQ(memory.outstanding_bytes(), 0u);
}

/// Everything that takes memory, with the n-th request refused, until all goes well.
void expect_all_failures_told(Decode decode) {
  std::string text = "{\"a\\n\":[";
  for (int i = 0; i < 200; ++i) text += "\"\\u00e9" + std::string(50, 'x') + "\",";
  text += "0]}";
  const Comparison comparison(text);
  std::size_t failures = 0;
  for (bool good = false; !good; ++failures) {
    FailingResource memory(failures + 1);
    {
      Result<Document> document = Document::parse(text, {.decode = decode, .memory = &memory});
      Error error = error_of(document);
      if (document) {
        for (const Value value : document->root()["a\n"].elements()) {
          if (value.is_string() && error.code == ErrorCode::none) {
            error = error_of(value.as_string());
          }
        }
        memory.fail_after(FailingResource::kNever);
        Comparison(text).with(*document);
      }
      good = error.code == ErrorCode::none;
      EXPECT_EQ(error.code, good ? ErrorCode::none : ErrorCode::out_of_memory);
    }
    EXPECT_EQ(memory.outstanding_bytes(), 0u);
  }
  EXPECT_GE(failures, 8u);
}

TEST(Document, SaysWhenMemoryCannotBeHad) {
  expect_all_failures_told(Decode::when_asked);
  expect_all_failures_told(Decode::at_once);
}

template <class Text>
concept Parseable = requires(Text&& text) { Document::parse(std::forward<Text>(text)); };
static_assert(Parseable<std::string&> && Parseable<const char*> && Parseable<std::string_view>);
static_assert(!Parseable<std::string>, "a document would borrow what is about to go");

TEST(Document, MovedFromIsEmptyAndCanBeginAnew) {
  Result<Document> document = Document::parse("[1]");
  ASSERT_TRUE(document);
  const Document moved = std::move(*document);
  EXPECT_EQ(document->text(), "");
  EXPECT_FALSE(document->root().exists());
  EXPECT_FALSE((*document)[0].exists());
  ASSERT_TRUE(document->parse_again("[2]"));
  EXPECT_EQ((*document)[0].as_int64(), 2);
  EXPECT_EQ(moved[0].as_int64(), 1);
}

TEST(Document, FindsTheEmptyNameByAnyEmptyView) {
  const Result<Document> document = Document::parse(R"({"":1,"a":2})");
  ASSERT_TRUE(document);
  EXPECT_EQ((*document)[std::string_view()].as_int64(), 1);
  EXPECT_EQ((*document)[""].as_int64(), 1);
}

}  // namespace
}  // namespace sluice::json
