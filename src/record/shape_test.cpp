#include "record/shape.h"

#include <gtest/gtest.h>

#include "record/declarations_for_tests.h"

namespace sluice {
namespace {

TEST(Shape, LaysFieldsOutDepthFirst) {
  const auto shape =
      Shape::make({field("name", FieldType::text), field("n", FieldType::i64),
                   group("to", {field("zip", FieldType::u32), field("s", FieldType::text),
                                group("at", {field("x", FieldType::f64)})}),
                   field("last", FieldType::boolean)});
  ASSERT_TRUE(shape);
  std::vector<std::string> paths;
  std::vector<std::uint32_t> places;
  for (const Shape::Field& each : shape->fields()) {
    paths.push_back(each.path);
    places.push_back(each.place);
  }
  EXPECT_EQ(paths, (std::vector<std::string>{"name", "n", "to.zip", "to.s", "to.at.x", "last"}));
  EXPECT_EQ(places, (std::vector<std::uint32_t>{0, 0, 1, 1, 2, 3}));
  // Four slots, a word of presence bits, two entries of the table.
  EXPECT_EQ(shape->presence_at(), 4u);
  EXPECT_EQ(shape->table_at(), 5u);
  EXPECT_EQ(shape->words(), 7u);
  EXPECT_EQ(shape->fields()[4].pointer, "/to/at/x");
  EXPECT_EQ(shape->field_at("to.s"), 3u);
  EXPECT_EQ(shape->field_at("to"), std::nullopt);
}

TEST(Shape, WhatCannotBeIsSaidWithItsPath) {
  struct Case {
    std::vector<FieldDeclaration> fields;
    const char* path;
    const char* key;
  };
  const auto with = [](FieldDeclaration base, auto change) {
    change(base);
    return std::vector<FieldDeclaration>{std::move(base)};
  };
  using D = FieldDeclaration;
  const std::vector<Case> cases = {
      {{}, "", "fields"},
      {{field("", FieldType::text)}, "", "name"},
      {{field("1a", FieldType::text)}, "1a", "name"},
      {{field("a-b", FieldType::text)}, "a-b", "name"},
      {{field("a", FieldType::text), field("a", FieldType::i64)}, "a", "name"},
      {{group("g", {})}, "g", "fields"},
      {{group("g", {field("x y", FieldType::text)})}, "g.x y", "name"},
      {with(field("a", FieldType::i32), [](D& d) { d.min = "2147483648"; }), "a", "min"},
      {with(field("a", FieldType::i64), [](D& d) { d.max = "1.5"; }), "a", "max"},
      {with(field("a", FieldType::i64), [](D& d) { d.min = "2", d.max = "1"; }), "a", "max"},
      {with(field("a", FieldType::text), [](D& d) { d.min = "2"; }), "a", "min"},
      {with(field("a", FieldType::i64), [](D& d) { d.max_bytes = 2; }), "a", "max_bytes"},
      {with(field("a", FieldType::text), [](D& d) { d.max_items = 2; }), "a", "max_items"},
      {with(field("a", FieldType::text), [](D& d) { d.choices = {"1"}; }), "a", "enum"},
      {with(field("a", FieldType::boolean), [](D& d) { d.choices = {"true"}; }), "a", "enum"},
      {with(field("a", FieldType::u32), [](D& d) { d.default_value = "-1"; }), "a", "default"},
      {with(field("a", FieldType::u32), [](D& d) { d.default_value = "3", d.max = "2"; }), "a",
       "default"},
      {with(field("a", FieldType::json), [](D& d) { d.default_value = "3"; }), "a", "default"},
      {with(field("a", FieldType::json), [](D& d) { d.list = true; }), "a", "type"},
  };
  for (const Case& one : cases) {
    const auto shape = Shape::make(one.fields);
    ASSERT_FALSE(shape) << one.path << one.key;
    EXPECT_EQ(shape.error().path, one.path) << one.key;
    EXPECT_EQ(shape.error().key, one.key) << one.path;
    EXPECT_FALSE(shape.error().message.empty());
  }
}

TEST(Shape, DepthAndNumberAreLimited) {
  std::vector<FieldDeclaration> fields = {field("x", FieldType::text)};
  for (int depth = 1; depth < 32; ++depth) fields = {group("g", fields)};
  EXPECT_TRUE(Shape::make(fields));
  EXPECT_FALSE(Shape::make({group("g", fields)}));
  std::vector<FieldDeclaration> many;
  for (int i = 0; i < 1024; ++i) many.push_back(field("f" + std::to_string(i), FieldType::i64));
  EXPECT_TRUE(Shape::make(many));
  many.push_back(field("one_more", FieldType::i64));
  EXPECT_FALSE(Shape::make(many));
}

}  // namespace
}  // namespace sluice
