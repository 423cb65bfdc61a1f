#include "edit/edited_document.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "document/explain.h"
#include "edit/naive_edit.h"
#include "edit/random_edits.h"

namespace sluice::json {
namespace {

/// The text after a patch, or the error's name.
std::string patched(std::string_view text, std::string_view patch) {
  const Document document = *Document::parse(text);
  const Document operations = *Document::parse(patch);
  EditedDocument edited(document);
  const Result<void> done = edited.apply(operations.root());
  if (done) return *edited.text();
  EXPECT_EQ(*edited.text(), document.root().raw()) << "changed by a patch that failed: " << patch;
  return error_name(done.error().code);
}

std::string merged(std::string_view text, std::string_view patch) {
  const Document document = *Document::parse(text);
  EditedDocument edited(document);
  EXPECT_TRUE(edited.merge(Document::parse(patch)->root()));
  return *edited.text();
}

std::vector<std::filesystem::path> case_files() {
  const std::filesystem::path data = std::filesystem::path(SLUICE_SOURCE_DIR) / "tests/data";
  return {data / "json-patch-tests/tests.json", data / "json-patch-tests/spec_tests.json"};
}

TEST(EditedDocument, CasesOfOthers) {
  int good = 0;
  int bad = 0;
  for (const std::filesystem::path& path : case_files()) {
    std::ifstream file(path);
    const Document cases = *Document::read((std::stringstream() << file.rdbuf()).str());
    for (const Value each : cases.root().elements()) {
      // Two of them say that a member given twice is an error; here the last counts.
      if (each["disabled"].as_bool().value_or(false)) continue;
      const std::string text(each["doc"].raw());
      const Document document = *Document::parse(text);
      EditedDocument edited(document);
      const bool done = edited.apply(each["patch"]).has_value();
      EXPECT_EQ(done, !each["error"].exists()) << each.raw();
      if (each["expected"].exists()) {
        EXPECT_EQ(plain_of(*edited.text()), plain_of(each["expected"])) << each.raw();
      }
      ++(done ? good : bad);
    }
  }
  EXPECT_EQ(good, 36);
  EXPECT_EQ(bad, 15);
}

TEST(EditedDocument, WhatIsNotTouchedStaysAsItWas) {
  const std::string_view text = "{\"a\": 1,  \"list\": [10, 20,\n 30, 40], \"z\" : { } }";
  EXPECT_EQ(patched(text, "[]"), text);
  EXPECT_EQ(patched(text, R"([{"op":"replace","path":"/list/2","value":[ 1 , 2 ]}])"),
            "{\"a\": 1,\"list\":[10, 20,[1,2],40],\"z\" : { }}");
  EXPECT_EQ(patched(text, R"([{"op":"remove","path":"/a"}])"),
            "{\"list\": [10, 20,\n 30, 40], \"z\" : { }}");
}

TEST(EditedDocument, InsertsAtEveryIndex) {
  const auto insert = [](const char* index) {
    return patched("[1, [2], 3]",
                   std::string(R"([{"op":"add","path":"/)") + index + R"(","value":"x"}])");
  };
  EXPECT_EQ(insert("0"), R"(["x",1, [2], 3])");
  EXPECT_EQ(insert("1"), R"([1,"x",[2], 3])");
  EXPECT_EQ(insert("2"), R"([1, [2],"x",3])");
  EXPECT_EQ(insert("3"), R"([1, [2], 3,"x"])");
  EXPECT_EQ(insert("-"), R"([1, [2], 3,"x"])");
  EXPECT_EQ(insert("4"), "patch_target");
  EXPECT_EQ(insert("4294967296"), "patch_target");
}

TEST(EditedDocument, NamesAreWrittenAsJson) {
  EXPECT_EQ(patched("{}", R"([{"op":"add","path":"/a\"~1~0\n\u00e9","value":0}])"),
            "{\"a\\\"/~\\n\u00e9\":0}");
  EXPECT_EQ(patched("{}", R"([{"op":"add","path":"/\u0000","value":0},)"
                          R"({"op":"replace","path":"/\u0000","value":1}])"),
            "{\"\\u0000\":1}");
}

TEST(EditedDocument, MembersOfOneNameGoTogether) {
  const std::string_view text = R"({"a":1,"b":2,"\u0061":3})";
  EXPECT_EQ(patched(text, R"([{"op":"remove","path":"/a"}])"), R"({"b":2})");
  EXPECT_EQ(patched(text, R"([{"op":"test","path":"/a","value":3}])"), text);
  EXPECT_EQ(merged(text, R"({"a":null})"), R"({"b":2})");
}

TEST(EditedDocument, MovesNothingIntoItself) {
  const std::string_view text = R"({"a":{"b":{}}})";
  EXPECT_EQ(patched(text, R"([{"op":"move","from":"/a","path":"/a/b/c"}])"), "patch_target");
  EXPECT_EQ(patched(text, R"([{"op":"move","from":"","path":"/a"}])"), "patch_target");
  EXPECT_EQ(patched(text, R"([{"op":"move","from":"/a","path":"/a"}])"), text);
  EXPECT_EQ(patched(text, R"([{"op":"move","from":"/a/b","path":"/a"}])"), R"({"a":{}})");
  EXPECT_EQ(patched(text, R"([{"op":"remove","path":""}])"), "patch_target");
}

TEST(EditedDocument, CopiesAreSeparate) {
  EXPECT_EQ(patched(R"({"a":{"x":{}}})", R"([{"op":"add","path":"/a/x/y","value":1},
                        {"op":"copy","from":"/a","path":"/b"},
                        {"op":"replace","path":"/b/x/y","value":2},
                        {"op":"remove","path":"/a/x/y"}])"),
            R"({"a":{"x":{}},"b":{"x":{"y":2}}})");
}

TEST(EditedDocument, EqualityIsThatOfTheRfc) {
  const auto test = [](std::string_view value, std::string_view other) {
    const std::string patch = R"([{"op":"test","path":"","value":)" + std::string(other) + "}]";
    return patched(value, patch) == value;
  };
  EXPECT_TRUE(test("[1,1.50,0]", "[1.0, 15e-1, -0e7]"));
  EXPECT_FALSE(test("1", "1.00000000000000000000000001"));
  EXPECT_TRUE(test(R"("\u00e9\/")", "\"\u00e9/\""));
  EXPECT_FALSE(test(R"("1")", "1"));
  EXPECT_TRUE(test(R"({"a":1,"b":[{}]})", R"({"b":[{}],"\u0061":1})"));
  EXPECT_TRUE(test(R"({"a":1,"a":2})", R"({"a":2})"));
  EXPECT_FALSE(test(R"({"a":1,"a":2})", R"({"a":1})"));
  EXPECT_FALSE(test(R"({"a":1})", R"({"a":1,"b":1})"));
  EXPECT_FALSE(test(R"({"a":1})", R"({"b":1})"));
  EXPECT_FALSE(test("[1,2]", "[2,1]"));
  EXPECT_FALSE(test("[]", "{}"));
  EXPECT_FALSE(test("null", "false"));
  EXPECT_FALSE(test("true", "false"));
}

TEST(EditedDocument, ErrorsSayWhereInThePatch) {
  const auto offset_of = [](std::string_view patch) {
    const Document document = *Document::parse(std::string_view(R"({"a":[1]})"));
    EditedDocument edited(document);
    const Error error = edited.apply(Document::parse(patch)->root()).error();
    return std::pair(std::string(error_name(error.code)), error.offset);
  };
  using Fault = std::pair<std::string, std::uint64_t>;
  //                   0         1         2         3         4
  //                   0123456789012345678901234567890123456789012345
  EXPECT_EQ(offset_of(R"({"op":"remove"})"), Fault("json_type", 0));
  EXPECT_EQ(offset_of(R"([ 1 ])"), Fault("patch_syntax", 2));
  EXPECT_EQ(offset_of(R"([ {} ])"), Fault("patch_syntax", 2));
  EXPECT_EQ(offset_of(R"([{"op":"toast","path":"/a"}])"), Fault("patch_syntax", 7));
  EXPECT_EQ(offset_of(R"([{"op":"remove","path":"a"}])"), Fault("patch_syntax", 23));
  EXPECT_EQ(offset_of(R"([{"op":"remove","path":"/~2"}])"), Fault("patch_syntax", 23));
  EXPECT_EQ(offset_of(R"([{"op":"remove","path":7}])"), Fault("patch_syntax", 23));
  EXPECT_EQ(offset_of(R"([{"op":"add","path":"/a"}])"), Fault("patch_syntax", 1));
  EXPECT_EQ(offset_of(R"([{"op":"copy","path":"/a"}])"), Fault("patch_syntax", 1));
  EXPECT_EQ(offset_of(R"([{"op":"remove","path":"/a/1"}])"), Fault("patch_target", 23));
  EXPECT_EQ(offset_of(R"([{"op":"copy","from":"/b","path":"/a"}])"), Fault("patch_target", 21));
  EXPECT_EQ(offset_of(R"([{"op":"copy","from":"/a","path":"/b/c"}])"), Fault("patch_target", 33));
  EXPECT_EQ(offset_of(R"([{"op":"test","path":"/a","value":[2]}])"), Fault("patch_test", 34));
}

TEST(EditedDocument, ErrorsAreExplained) {
  const std::string_view patch = R"([{"op":"test","path":"/a","value":2}])";
  const Document document = *Document::parse(std::string_view(R"({"a":1})"));
  EditedDocument edited(document);
  const Error error = edited.apply(Document::parse(patch)->root()).error();
  EXPECT_EQ(explain(error, patch, "p"),
            "p:1:35: the value is another one than the patch expects (patch_test, byte 34, "
            "at /0/value)\n"
            "  [{\"op\":\"test\",\"path\":\"/a\",\"value\":2}]\n"
            "                                    ^");
}

/// The examples of RFC 7396, appendix A: target, patch, result.
TEST(EditedDocument, ExamplesOfTheMergeRfc) {
  const char* const examples[][3] = {
      {R"({"a":"b"})", R"({"a":"c"})", R"({"a":"c"})"},
      {R"({"a":"b"})", R"({"b":"c"})", R"({"a":"b","b":"c"})"},
      {R"({"a":"b"})", R"({"a":null})", R"({})"},
      {R"({"a":"b","b":"c"})", R"({"a":null})", R"({"b":"c"})"},
      {R"({"a":["b"]})", R"({"a":"c"})", R"({"a":"c"})"},
      {R"({"a":"c"})", R"({"a":["b"]})", R"({"a":["b"]})"},
      {R"({"a":{"b":"c"}})", R"({"a":{"b":"d","c":null}})", R"({"a":{"b":"d"}})"},
      {R"({"a":[{"b":"c"}]})", R"({"a":[1]})", R"({"a":[1]})"},
      {R"(["a","b"])", R"(["c","d"])", R"(["c","d"])"},
      {R"({"a":"b"})", R"(["c"])", R"(["c"])"},
      {R"({"a":"foo"})", R"(null)", R"(null)"},
      {R"({"a":"foo"})", R"("bar")", R"("bar")"},
      {R"({"e":null})", R"({"a":1})", R"({"e":null,"a":1})"},
      {R"([1,2])", R"({"a":"b","c":null})", R"({"a":"b"})"},
      {R"({})", R"({"a":{"bb":{"ccc":null}}})", R"({"a":{"bb":{}}})"},
  };
  for (const auto& [target, patch, result] : examples) {
    EXPECT_EQ(merged(target, patch), result) << target << " and " << patch;
  }
}

TEST(EditedDocument, RandomPatchesAsThePlainTreeHasThem) {
  int done = 0;
  int refused = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    RandomEdits random(seed);
    const std::string text = random.value(4);
    const Document document = *Document::parse(text);
    EditedDocument edited(document);
    Plain expected = plain_of(document.root());
    for (int patches = 0; patches < 4; ++patches) {
      const std::string patch = random.patch(expected);
      const Document operations = *Document::parse(patch);
      NaivePatch naive(expected);
      bool good = true;
      for (const Value operation : operations.root().elements()) {
        good = good && naive.apply(operation);
      }
      if (good) expected = naive.root();
      const Result<void> result = edited.apply(operations.root());
      ASSERT_EQ(result.has_value(), good) << "seed " << seed << ": " << text << "\n" << patch;
      ASSERT_EQ(plain_of(*edited.text()), expected) << "seed " << seed << ": " << text << "\n"
                                                    << patch << "\n"
                                                    << *edited.text();
      ++(good ? done : refused);
    }
  }
  EXPECT_GT(done, 3000);
  EXPECT_GT(refused, 3000);
}

TEST(EditedDocument, RandomMergesAsThePlainTreeHasThem) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    RandomEdits random(seed, /*unique_names=*/true);
    const std::string text = random.value(4);
    const Document document = *Document::parse(text);
    EditedDocument edited(document);
    Plain expected = plain_of(document.root());
    for (int patches = 0; patches < 3; ++patches) {
      const Document patch = *Document::read(random.object(4));
      expected = naive_merge(expected, patch.root());
      ASSERT_TRUE(edited.merge(patch.root()));
      ASSERT_EQ(plain_of(*edited.text()), expected) << "seed " << seed << ": " << text;
    }
  }
}

TEST(EditedDocument, ReadsBackWhatItWrites) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    RandomEdits random(seed);
    const std::string text = random.object(4);
    const Document document = *Document::parse(text);
    EditedDocument edited(document);
    for (int patches = 0; patches < 6; ++patches) {
      const std::string patch = random.patch(plain_of(*edited.text()));
      (void)edited.apply(Document::parse(patch)->root()).has_value();
      const Document written = *Document::read(*edited.text());
      std::vector<std::pair<EditedValue, Value>> rest = {{edited.root(), written.root()}};
      while (!rest.empty()) {
        const auto [ours, theirs] = rest.back();
        rest.pop_back();
        ASSERT_EQ(ours.type(), theirs.type());
        ASSERT_EQ(ours.size(), theirs.size());
        ASSERT_EQ(ours.as_string().value_or(""), theirs.as_string().value_or(""));
        ASSERT_EQ(ours.as_double().value_or(-1), theirs.as_double().value_or(-1));
        ASSERT_EQ(plain_of(*ours.text()), plain_of(theirs));
        for (std::size_t i = 0; theirs.is_array() && i < theirs.size(); ++i) {
          rest.emplace_back(ours[i], theirs[i]);
        }
        for (const auto& [name, value] : theirs.members()) {
          rest.emplace_back(ours[name], *theirs.find(name));
        }
      }
    }
  }
}

TEST(EditedDocument, LookUpsInVainSayWhy) {
  const Document document = *Document::parse(std::string_view(R"({"a":[1],"b":{"c":"x"}})"));
  EditedDocument edited(document);
  ASSERT_TRUE(edited.merge(Document::parse(std::string_view(R"({"b":{"d":2}})"))->root()));
  EXPECT_EQ(*edited.at("/b/d").as_int64(), 2);
  EXPECT_EQ(*edited.root()["b"]["c"].as_string(), "x");
  EXPECT_EQ(edited.at("/b/e").as_int64().error().code, ErrorCode::json_missing);
  EXPECT_EQ(edited.at("/b/e/f").as_int64().error().code, ErrorCode::json_missing);
  EXPECT_EQ(edited.at("/a/1").as_int64().error().code, ErrorCode::json_missing);
  EXPECT_EQ(edited.at("b").as_int64().error().code, ErrorCode::pointer_syntax);
  EXPECT_EQ(edited.at("/b").as_int64().error().code, ErrorCode::json_type);
  EXPECT_EQ(edited.root()[0].as_int64().error().code, ErrorCode::json_type);
  EXPECT_EQ(edited.at("/b/e").text().error().code, ErrorCode::json_missing);
}

TEST(EditedDocument, SingleOperations) {
  const Document document = *Document::parse(std::string_view(R"({"a":[1,2],"b":{"c":"x"}})"));
  EditedDocument edited(document);
  EXPECT_TRUE(edited.add("/a/1", " [ 7 ] "));
  EXPECT_TRUE(edited.add("/b/n\"ew", "true"));
  EXPECT_TRUE(edited.replace("/b/c", R"("y")"));
  EXPECT_TRUE(edited.remove("/a/0"));
  const std::string after = R"({"a":[[ 7 ],2],"b":{"c":"y","n\"ew":true}})";
  EXPECT_EQ(*edited.text(), after);

  const auto code_of = [](const Result<void>& result) { return result.error().code; };
  EXPECT_EQ(code_of(edited.add("/a/9", "1")), ErrorCode::patch_target);
  EXPECT_EQ(code_of(edited.add("/x/y", "1")), ErrorCode::patch_target);
  EXPECT_EQ(code_of(edited.add("/x\xFF", "1")), ErrorCode::json_utf8);
  EXPECT_EQ(code_of(edited.replace("/x", "1")), ErrorCode::patch_target);
  EXPECT_EQ(code_of(edited.remove("/x")), ErrorCode::patch_target);
  EXPECT_EQ(code_of(edited.remove("")), ErrorCode::patch_target);
  EXPECT_EQ(code_of(edited.remove("x")), ErrorCode::pointer_syntax);
  EXPECT_EQ(code_of(edited.add("x", "1")), ErrorCode::pointer_syntax);
  const Error error = edited.replace("/a", "1,2").error();
  EXPECT_EQ(error.code, ErrorCode::json_syntax);
  EXPECT_EQ(error.offset, 1u);
  EXPECT_EQ(*edited.text(), after);
}

TEST(EditedDocument, DocumentsDecodedOverThemselves) {
  std::string text = R"({"a\"b":"\n","c":["\"",1]})";
  const Document document = *Document::parse_in_place(text);
  ASSERT_EQ(*document["a\"b"].as_string(), "\n");
  EditedDocument edited(document);
  EXPECT_EQ(*edited.text(), R"({"a\"b":"\n","c":["\"",1]})");
  ASSERT_TRUE(edited.merge(Document::parse(std::string_view(R"({"d":0})"))->root()));
  EXPECT_EQ(*edited.text(), R"({"a\"b":"\n","c":["\"",1],"d":0})");
}

TEST(EditedDocument, CopiesThatGrowWithoutEndAreRefusedWhenWritten) {
  const Document document = *Document::parse(std::string_view("[1]"));
  EditedDocument edited(document);
  const Document patch =
      *Document::parse(std::string_view(R"([{"op":"copy","from":"","path":"/0"}])"));
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(edited.apply(patch.root()));
  EXPECT_EQ(edited.text().error().code, ErrorCode::document_limit);
  EXPECT_EQ(edited.root().size(), 101u);
}

TEST(EditedDocument, DeepNestingNeedsNoStack) {
  constexpr std::size_t kDepth = 300'000;
  const std::string text = std::string(kDepth, '[') + std::string(kDepth, ']');
  DocumentOptions options;
  options.scan.max_depth = kDepth + 2;
  const Document document = *Document::parse(text, options);
  std::string path;
  for (std::size_t i = 1; i < kDepth; ++i) path += "/0";
  const std::string patch = R"([{"op":"add","path":")" + path + R"(/-","value":7},)" +
                            R"({"op":"test","path":"/0","value":)" + text + "}]";
  EditedDocument edited(document);
  const Document operations = *Document::parse(patch, options);
  // The value there has one level less.
  EXPECT_EQ(edited.apply(operations.root()).error().code, ErrorCode::patch_test);
  const std::string add = R"([{"op":"add","path":")" + path + R"(/-","value":7}])";
  ASSERT_TRUE(edited.apply(Document::parse(add)->root()));
  EXPECT_EQ(*edited.text(), std::string(kDepth, '[') + "7" + std::string(kDepth, ']'));
}

TEST(EditedDocument, IsAskedAsADocumentIs) {
  const auto document = Document::parse(R"({"a":[1,{"b":"c"}]})");
  ASSERT_TRUE(document);
  EditedDocument edited(*document);
  ASSERT_TRUE(edited.replace("/a/0", "[7,8]"));
  EXPECT_EQ(edited["a"][0][1].as_int64(), 8);
  EXPECT_EQ(edited["a"][1]["b"].as_string(), "c");
  EXPECT_FALSE(edited[0].exists());
}

}  // namespace
}  // namespace sluice::json
