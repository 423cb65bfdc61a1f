#include "record/shape_scanner.h"

#include <gtest/gtest.h>

#include "record/declarations_for_tests.h"

#include <cmath>
#include <memory>

#include "record/shaped_record.h"

namespace sluice {
namespace {

/// A shape and its scanner.
struct Reading {
  explicit Reading(const std::vector<FieldDeclaration>& fields,
                   UnknownMembers unknown = UnknownMembers::refuse)
      : shape(*Shape::make(fields, unknown)),
        scanner(shape, {}, std::pmr::get_default_resource()) {}

  bool scan(std::string_view text, std::string_view query = "") {
    body =
        std::make_unique<std::uint8_t[]>(text.size());  // exactly as large: nothing behind is read
    std::copy(text.begin(), text.end(), body.get());
    size = text.size();
    return scanner.scan({body.get(), size}, query);
  }
  ShapedRecord record() const { return {shape, scanner.record(), {body.get(), size}}; }
  /// "code pointer offset", one a fault.
  std::vector<std::string> faults() const {
    std::vector<std::string> all;
    for (const ShapeFault& fault : scanner.faults()) {
      const std::string where = fault.parameter.empty() ? fault.pointer : "?" + fault.parameter;
      all.push_back(std::string(error_name(fault.code)) + " " + where + " " +
                    std::to_string(fault.offset));
      EXPECT_FALSE(fault.detail.empty());
    }
    return all;
  }
  std::string completed() const {
    std::string text;
    std::size_t at = 0;
    for (const Insertion& each : scanner.insertions()) {
      text.append(reinterpret_cast<const char*>(body.get()) + at, each.offset - at);
      text += each.text;
      at = each.offset;
    }
    return text.append(reinterpret_cast<const char*>(body.get()) + at, size - at);
  }

  Shape shape;
  ShapeScanner scanner;
  std::unique_ptr<std::uint8_t[]> body;
  std::size_t size = 0;
};

using Faults = std::vector<std::string>;

std::vector<FieldDeclaration> all_types() {
  return {
      field("t", FieldType::text),  field("i64", FieldType::i64),    field("u64", FieldType::u64),
      field("i32", FieldType::i32), field("u32", FieldType::u32),    field("f64", FieldType::f64),
      field("f32", FieldType::f32), field("b", FieldType::boolean),  field("time", FieldType::time),
      field("j", FieldType::json),  list(field("l", FieldType::i64))};
}

TEST(ShapeScanner, ReadsEveryType) {
  Reading reading(all_types());
  ASSERT_TRUE(reading.scan(
      R"( {"t":"a\nb", "i64":-9223372036854775808, "u64":18446744073709551615, "i32":-2147483648,)"
      R"("u32":4294967295,"f64":1e-3,"f32":0.1,"b":true,"time":"1970-01-01T00:00:01.5Z",)"
      R"("j": {"x":[1, 2]} ,"l":[1, -2 ,3]} )"));
  const ShapedRecord record = reading.record();
  std::string memory;
  EXPECT_EQ(record.text(0, memory), "a\nb");
  EXPECT_EQ(record.raw(0), "a\\nb");
  EXPECT_TRUE(record.has_escapes(0));
  EXPECT_EQ(record.i64(1), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(record.u64(2), ~std::uint64_t{0});
  EXPECT_EQ(record.i64(3), -2147483648LL);
  EXPECT_EQ(record.u64(4), 4294967295u);
  EXPECT_EQ(record.f64(5), 1e-3);
  EXPECT_EQ(record.f32(6), 0.1f);
  EXPECT_TRUE(record.boolean(7));
  EXPECT_EQ(record.time_ns(8), 1'500'000'000);
  EXPECT_EQ(record.raw(9), R"({"x":[1, 2]})");
  EXPECT_EQ(record.raw(10), "[1, -2 ,3]");
  for (std::uint32_t each = 0; each < 11; ++each) EXPECT_TRUE(record.has(each));
}

/// The example of docs/formats/record.md.
TEST(ShapeScanner, WordsAreAsTheDocumentDrawsThem) {
  Reading reading(
      {field("name", FieldType::text),
       group("to", {field("zip", FieldType::u32), optional(field("city", FieldType::text))}),
       field("paid", FieldType::boolean)});
  ASSERT_TRUE(reading.scan(R"({"name":"A\nb","paid":true,"to":{"zip":8001}})"));
  const auto words = reading.scanner.record();
  EXPECT_EQ(std::vector<std::uint64_t>(words.begin(), words.end()),
            (std::vector<std::uint64_t>{0x1F41, 1, 0xB, 0x40000004'00000009, 0}));
}

TEST(ShapeScanner, TimesMayHaveEscapesAloneAndInLists) {
  Reading reading({field("at", FieldType::time), list(field("all", FieldType::time))});
  EXPECT_TRUE(reading.scan(R"({"at":"1970-01-01\u005400:00:01Z",)"
                           R"("all":["1970-01-01\u005400:00:01Z"]})"));
  EXPECT_EQ(reading.record().time_ns(0), 1'000'000'000);
  EXPECT_FALSE(reading.scan(R"({"at":{"a\\n":"\n"},"all":[["\n"]]})"));
  EXPECT_EQ(reading.faults(), (Faults{"json_type /at 6", "json_type /all/0 27"}));
}

TEST(ShapeScanner, MembersMayComeInAnyOrder) {
  Reading reading(
      {field("a", FieldType::i64), field("b", FieldType::i64), field("c", FieldType::i64)});
  for (const char* body :
       {R"({"a":1,"b":2,"c":3})", R"({"c":3,"b":2,"a":1})", R"({"c":3,"b":2,"a":1})",
        R"({"b":2,"\u0061":1,"c":3})", R"({"a":1,"c":3,"b":2})"}) {
    ASSERT_TRUE(reading.scan(body)) << body;
    EXPECT_EQ(reading.record().i64(0), 1) << body;
    EXPECT_EQ(reading.record().i64(1), 2) << body;
    EXPECT_EQ(reading.record().i64(2), 3) << body;
  }
}

TEST(ShapeScanner, FaultsAreToldTogetherAndInOrder) {
  Reading reading(
      {field("a", FieldType::i64), field("b", FieldType::text),
       group("to", {field("zip", FieldType::u32), optional(field("x", FieldType::f64))})});
  struct Case {
    const char* body;
    Faults expected;
  };
  const Case cases[] = {
      {R"({"a":"1","b":2,"to":{"zip":-1}})",
       {"json_type /a 5", "json_type /b 13", "json_range /to/zip 27"}},
      {R"({"a":1,"c":2,"b":"x","to":{"zip":1}})", {"json_field /c 7"}},
      {R"({"a":1,"b":"x","to":{"zip":1,"zap":2}})", {"json_field /to/zap 29"}},
      {R"({"a":1,"a":2,"b":"x","to":{"zip":1}})", {"json_duplicate /a 7"}},
      {R"({"a":1,"\u0061":2,"b":"x","to":{"zip":1}})", {"json_duplicate /a 7"}},
      {R"({"b":"x"})", {"json_missing /a 8", "json_missing /to/zip 8"}},
      {R"({"a":1,"b":"x","to":{}})", {"json_missing /to/zip 21"}},
      {R"({"a":1,"b":"x","to":5})", {"json_type /to 20"}},
      {R"({"a":1,"b":"x","to":null})", {"json_type /to 20"}},
      {R"({"a":{},"b":["x"],"to":{"zip":1.0}})",
       {"json_type /a 5", "json_type /b 12", "json_type /to/zip 30"}},
      {R"({"a":null,"b":true,"to":{"zip":1,"x":null}})", {"json_type /a 5", "json_type /b 14"}},
      {"[]", {"json_type  0"}},
      {" 7", {"json_type  1"}},
      {"", {"json_syntax  0"}},
      {R"({"a":1,"b":"x","to":{"zip":1}} x)", {"json_syntax  31"}},
      {R"({"a":"1","b":2,)", {"json_type /a 5", "json_type /b 13", "json_syntax  15"}},
      {R"({"a":"1","b": 01,"to":5})", {"json_type /a 5", "json_syntax  15"}},
      {R"({"to":{"zip":"1","q":)", {"json_type /to/zip 13", "json_syntax  21"}},
      {"{\"a\":1,\"b\":\"\xFF\"}", {"json_utf8  12"}},
      {R"({"a":1,"b":"\ud800"})", {"json_syntax  12"}},
  };
  for (const Case& one : cases) {
    EXPECT_FALSE(reading.scan(one.body)) << one.body;
    EXPECT_EQ(reading.faults(), one.expected) << one.body;
  }
  EXPECT_TRUE(reading.scan(R"({"a":1,"b":"x","to":{"zip":1}})")) << "and the next body is read";
}

TEST(ShapeScanner, DepthIsLimited) {
  Reading reading({field("j", FieldType::json)});
  const auto nested = [](int depth) {
    return "{\"j\":" + std::string(static_cast<std::size_t>(depth), '[') +
           std::string(static_cast<std::size_t>(depth), ']') + "}";
  };
  EXPECT_TRUE(reading.scan(nested(1023)));
  EXPECT_FALSE(reading.scan(nested(1024)));
  EXPECT_EQ(reading.faults(), Faults{"json_depth  1028"});
  EXPECT_FALSE(reading.scan(std::string(100'000, '[')));
}

TEST(ShapeScanner, AtMostSixteenFaults) {
  Reading reading({list(field("l", FieldType::i64))});
  std::string body = "{\"l\":[";
  for (int i = 0; i < 100; ++i) body += i == 0 ? "\"x\"" : ",\"x\"";
  EXPECT_FALSE(reading.scan(body + "]}"));
  ASSERT_EQ(reading.scanner.faults().size(), 16u);
  EXPECT_EQ(reading.faults()[3], "json_type /l/3 18");
  EXPECT_FALSE(reading.scan(body));
  ASSERT_EQ(reading.scanner.faults().size(), 16u);
  EXPECT_EQ(reading.scanner.faults().back().code, ErrorCode::json_syntax);
}

TEST(ShapeScanner, LimitsAreMetAtBelowAndAbove) {
  FieldDeclaration n = field("n", FieldType::i32);
  n.min = "-3", n.max = "5";
  FieldDeclaration t = field("t", FieldType::text);
  t.max_bytes = 4;
  FieldDeclaration e = field("e", FieldType::text);
  e.choices = {R"("red")", R"("gr\u00fcn")"};
  FieldDeclaration l = list(field("l", FieldType::u32));
  l.max_items = 2, l.max = "9";
  FieldDeclaration c = field("c", FieldType::f64);
  c.choices = {"0.5", "2"};
  FieldDeclaration j = field("j", FieldType::json);
  j.max_bytes = 5;
  FieldDeclaration when = field("w", FieldType::time);
  when.min = R"("2026-01-01T00:00:00Z")";
  for (FieldDeclaration* each : {&n, &t, &e, &l, &c, &j, &when}) each->optional = true;
  Reading reading({n, t, e, l, c, j, when});
  for (const char* body :
       {R"({"n":-3})", R"({"n":5})", R"({"t":"abcd"})", R"({"t":"\u0061\u0062cd"})",
        "{\"t\":\"éé\"}", R"({"e":"red"})", "{\"e\":\"grün\"}", R"({"e":"r\u0065d"})",
        R"({"l":[9,0]})", R"({"l":[]})", R"({"c":0.5})", R"({"c":2.0})", R"({"j":[1,2]})",
        R"({"w":"2026-01-01T00:00:00Z"})", R"({"w":"2026\u002d01-01T00:00:00Z"})", "{}"}) {
    EXPECT_TRUE(reading.scan(body)) << body;
  }
  for (const auto& [body, fault] : std::vector<std::pair<const char*, const char*>>{
           {R"({"n":-4})", "json_range /n 5"},
           {R"({"n":6})", "json_range /n 5"},
           {R"({"n":2147483648})", "json_range /n 5"},
           {R"({"n":5.0})", "json_type /n 5"},
           {R"({"n":1e1})", "json_type /n 5"},
           {R"({"t":"abcde"})", "json_range /t 5"},
           {"{\"t\":\"ééé\"}", "json_range /t 5"},
           {R"({"e":"blue"})", "json_range /e 5"},
           {R"({"e":""})", "json_range /e 5"},
           {R"({"l":[1,2,3]})", "json_range /l 5"},
           {R"({"l":[1,10]})", "json_range /l/1 8"},
           {R"({"l":[1,-1]})", "json_range /l/1 8"},
           {R"({"l":[[]]})", "json_type /l/0 6"},
           {R"({"c":0.6})", "json_range /c 5"},
           {R"({"j":[1,23]})", "json_range /j 5"},
           {R"({"w":"2025-12-31T23:59:59Z"})", "json_range /w 5"},
           {R"({"w":"yesterday"})", "json_type /w 5"},
           {R"({"w":1})", "json_type /w 5"}}) {
    EXPECT_FALSE(reading.scan(body)) << body;
    EXPECT_EQ(reading.faults(), Faults{fault}) << body;
  }
}

TEST(ShapeScanner, BigNumbersAreExactOrRefused) {
  // -1001128970273 does not fit 32 bits, and 64 hold it to the last digit.
  Reading small({field("id", FieldType::i32)});
  EXPECT_FALSE(small.scan(R"({"id":-1001128970273})"));
  EXPECT_EQ(small.faults(), Faults{"json_range /id 6"});
  Reading large({field("id", FieldType::i64)});
  ASSERT_TRUE(large.scan(R"({"id":-1001128970273})"));
  EXPECT_EQ(large.record().i64(0), -1001128970273LL);
  Reading real({field("x", FieldType::f64), field("y", FieldType::f32)});
  EXPECT_FALSE(real.scan(R"({"x":1e400,"y":1e39})"));
  EXPECT_EQ(real.faults(), (Faults{"json_range /x 5", "json_range /y 15"}));
  ASSERT_TRUE(real.scan(R"({"x":-0,"y":1e-60})"));
  EXPECT_TRUE(std::signbit(real.record().f64(0)));
  EXPECT_EQ(real.record().f32(1), 0.0f);
}

TEST(ShapeScanner, UnknownMembersMayBeIgnored) {
  Reading reading({field("a", FieldType::i64), group("g", {optional(field("b", FieldType::i64))})},
                  UnknownMembers::ignore);
  ASSERT_TRUE(reading.scan(R"({"z":{"a":9,"a":9},"a":1,"z":[{}],"g":{"y":"x","b":2}})"));
  EXPECT_EQ(reading.record().i64(0), 1);
  EXPECT_EQ(reading.record().i64(1), 2);
}

TEST(ShapeScanner, UnknownNamesAreToldAsPointersAndNeverAtLength) {
  Reading reading({group("g", {optional(field("a", FieldType::i64))})});
  for (const auto& [name, pointer] : std::vector<std::pair<std::string, std::string>>{
           {"", "/g/"},
           {"a/b~c", "/g/a~1b~0c"},
           {std::string(256, 'x'), "/g/" + std::string(256, 'x')},
           {std::string(257, 'x'), "/g"}}) {
    EXPECT_FALSE(reading.scan("{\"g\":{\"" + name + "\":1}}")) << name;
    EXPECT_EQ(reading.faults(), Faults{"json_field " + pointer + " 6"}) << name;
  }
  // 65 bytes, of which the last two are one character.
  const std::string name = std::string(63, 'x') + "\xC3\xA9";
  EXPECT_EQ(shortened(name), std::string(63, 'x') + "...");
  EXPECT_EQ(shortened(name.substr(1)), name.substr(1));
}

TEST(ShapeScanner, TheQueryFillsWhatTheBodyLacks) {
  FieldDeclaration currency = field("currency", FieldType::text);
  currency.default_value = R"("EUR")";
  FieldDeclaration count = field("count", FieldType::u32);
  count.default_value = "1";
  Reading reading(
      {field("n", FieldType::i64), currency, count,
       group("to", {field("zip", FieldType::u32), optional(field("at", FieldType::time)),
                    group("in", {optional(field("x", FieldType::f64))})})});
  ASSERT_TRUE(reading.scan(R"({"n":1,"to":{"zip":7}})"));
  EXPECT_EQ(reading.record().u64(2), 1u);
  std::string memory;
  EXPECT_EQ(reading.record().text(1, memory), "EUR");
  EXPECT_EQ(reading.completed(), R"({"n":1,"to":{"zip":7},"currency":"EUR","count":1})");

  ASSERT_TRUE(reading.scan(R"({"count":2,"currency":"USD"})",
                           "to.zip=7&n=-5&to%2Ein.x=1.5&&to.at=2026-12-01T08:30:00%2b01:00"));
  EXPECT_EQ(reading.record().i64(0), -5);
  EXPECT_EQ(reading.record().u64(3), 7u);
  EXPECT_EQ(reading.record().f64(5), 1.5);
  EXPECT_EQ(reading.completed(),
            R"({"count":2,"currency":"USD","n":-5,"to":{"zip":7,"at":"2026-12-01T07:30:00Z",)"
            R"("in":{"x":1.5}}})");
  ASSERT_TRUE(reading.scan(R"({"count":2,"currency":"USD","to":{ }, "n":1 })", "to.zip=7"));
  EXPECT_EQ(reading.completed(), R"({"count":2,"currency":"USD","to":{ "zip":7}, "n":1 })");
}

TEST(ShapeScanner, AGroupThatIsNullTakesNothingFromTheQuery) {
  Reading reading({field("n", FieldType::i64), group("g", {optional(field("x", FieldType::i64))})});
  EXPECT_TRUE(reading.scan(R"({"n":1,"g":null})"));
  EXPECT_TRUE(reading.scan(R"({"n":1})", "g.x=2"));
  EXPECT_FALSE(reading.scan(R"({"n":1,"g":null})", "g.x=2"));
  EXPECT_EQ(reading.faults(), Faults{"json_type /g 11"});
}

TEST(ShapeScanner, MembersOfALargeGroupAreFound) {
  std::vector<FieldDeclaration> fields;
  std::string body = "{";
  for (int i = 0; i < 300; ++i) {
    fields.push_back(field("f" + std::to_string(i * 7919 % 300), FieldType::u32));
    body += (i == 0 ? "\"f" : ",\"f") + std::to_string(i) + "\":" + std::to_string(i);
  }
  Reading reading(fields);
  ASSERT_TRUE(reading.scan(body + "}"));
  for (std::uint32_t i = 0; i < 300; ++i) EXPECT_EQ(reading.record().u64(i), i * 7919 % 300);
  EXPECT_FALSE(reading.scan(body + ",\"f300\":1}"));
}

TEST(ShapeScanner, WhatIsWrongInTheQueryIsTold) {
  Reading reading({field("n", FieldType::i64), optional(field("t", FieldType::text)),
                   group("to", {field("zip", FieldType::u32)})});
  const std::string body = R"({"n":1,"to":{"zip":7}})";
  const std::pair<const char*, Faults> cases[] = {
      {"n=2", {"field_twice /n 5"}},  {"to.zip=2", {"field_twice /to/zip 19"}},
      {"m=2", {"json_field ?m 0"}},   {"t=x", {"json_field ?t 0"}},
      {"to=x", {"json_field ?to 0"}},
  };
  for (const auto& [query, expected] : cases) {
    EXPECT_FALSE(reading.scan(body, query)) << query;
    EXPECT_EQ(reading.faults(), expected) << query;
  }
  EXPECT_FALSE(reading.scan("{}", "n=x&to.zip=-1"));
  EXPECT_EQ(reading.faults(), (Faults{"json_type ?n 0", "json_range ?to.zip 0", "json_missing /n 1",
                                      "json_missing /to/zip 1"}));
  EXPECT_FALSE(reading.scan("{}", "n=1&n=2&to.zip=1"));
  EXPECT_EQ(reading.faults(), Faults{"field_twice ?n 0"});
  std::string many;
  for (int i = 0; i < 65; ++i) many += "&x=1";
  EXPECT_FALSE(reading.scan(body, many));
  EXPECT_EQ(reading.faults(), Faults{"query_limit  0"});
  EXPECT_TRUE(reading.scan(body, std::string(1000, '&')));
  for (const char* number : {"+1", " 1", "0x1", "1.", "01", "1e", "", "1 ", "nan", "inf", "--1"}) {
    EXPECT_FALSE(reading.scan(R"({"to":{"zip":7}})", "n=" + std::string(number))) << number;
  }
}

TEST(ShapeScanner, WithoutMemoryTheFaultSaysSo) {
  struct Refusing final : std::pmr::memory_resource {
    void* do_allocate(std::size_t, std::size_t) override { throw std::bad_alloc(); }
    void do_deallocate(void*, std::size_t, std::size_t) override {}
    bool do_is_equal(const memory_resource& other) const noexcept override {
      return this == &other;
    }
  };
  Refusing none;
  const Shape shape = *Shape::make({field("a", FieldType::i64)});
  ShapeScanner scanner(shape, {}, &none);
  const std::string body = R"({"a":1})";
  EXPECT_FALSE(scanner.scan({reinterpret_cast<const std::uint8_t*>(body.data()), body.size()}, ""));
  ASSERT_EQ(scanner.faults().size(), 1u);
  EXPECT_EQ(scanner.faults()[0].code, ErrorCode::out_of_memory);
}

}  // namespace
}  // namespace sluice
