#include "typed/read.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

namespace sluice::json {
namespace {

enum class Colour { red, green = 3, azure };

struct Point {
  int x = 0;
  double y = 0;
  bool operator==(const Point&) const = default;
};

struct Everything {
  bool flag = false;
  std::int64_t smallest = 0;
  std::uint64_t largest = 0;
  std::uint8_t small = 0;
  float single = 0;
  std::string text;
  std::optional<std::string> maybe;
  std::vector<Point> points;
  std::array<int, 2> pair_of_ints{};
  std::map<std::string, int> counts;
  std::tuple<int, std::string, bool> mixed;
  Colour colour = Colour::red;
  std::unique_ptr<Point> owned;
  std::set<int> distinct;
  RawJson rest;
};

constexpr std::string_view kEverything = R"({
  "flag": true, "smallest": -9223372036854775808, "largest": 18446744073709551615,
  "small": 255, "single": 0.1, "text": "a\n\u00e9\ud83d\ude00", "maybe": null,
  "points": [{"x": 1, "y": 2.5}, {"y": -0.0, "x": -7}], "pair_of_ints": [3, 4],
  "counts": {"one": 1, "t\u0077o": 2}, "mixed": [5, "six", false], "colour": "green",
  "owned": {"x": 8, "y": 9}, "distinct": [3, 1, 3], "rest": {"as": [ "it", 1e400 ]}
})";

TEST(Read, FillsWhatAStructHas) {
  const auto read_value = read<Everything>(kEverything);
  ASSERT_TRUE(read_value) << read_value.error().offset;
  const Everything& value = *read_value;
  EXPECT_TRUE(value.flag);
  EXPECT_EQ(value.smallest, std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(value.largest, std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(value.small, 255);
  EXPECT_EQ(value.single, 0.1F);
  EXPECT_EQ(value.text, "a\n\xC3\xA9\xF0\x9F\x98\x80");
  EXPECT_FALSE(value.maybe.has_value());
  EXPECT_EQ(value.points, (std::vector<Point>{{1, 2.5}, {-7, -0.0}}));
  EXPECT_TRUE(std::signbit(value.points[1].y));
  EXPECT_EQ(value.pair_of_ints, (std::array{3, 4}));
  EXPECT_EQ(value.counts, (std::map<std::string, int>{{"one", 1}, {"two", 2}}));
  EXPECT_EQ(value.mixed, std::make_tuple(5, std::string("six"), false));
  EXPECT_EQ(value.colour, Colour::green);
  ASSERT_NE(value.owned, nullptr);
  EXPECT_EQ(*value.owned, (Point{8, 9}));
  EXPECT_EQ(value.distinct, (std::set{1, 3}));
  EXPECT_EQ(value.rest.text, R"({"as": [ "it", 1e400 ]})");
}

struct Renamed {
  std::string type_;
  int plain = 0;
  static constexpr Rename json_names[] = {{"type_", "type"}};
};

struct Foreign {
  int first = 0;
};

TEST(Read, TakesOtherNames) {
  const auto value = read<Renamed>(R"({"type":"a","plain":1})");
  ASSERT_TRUE(value);
  EXPECT_EQ(value->type_, "a");
  const auto wrong = read<Renamed>(R"({"type_":"a","plain":1})");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::json_missing);
}

/// What went wrong with the text, and at which byte.
template <class T>
std::pair<ErrorCode, std::uint64_t> fault(std::string_view text, const ReadOptions& options = {}) {
  const auto value = read<T>(text, options);
  if (value) return {ErrorCode::none, 0};
  return {value.error().code, value.error().offset};
}
using Fault = std::pair<ErrorCode, std::uint64_t>;
constexpr Fault kGood{ErrorCode::none, 0};

TEST(Read, TellsWhereATypeIsWrong) {
  EXPECT_EQ(fault<int>("\"1\""), Fault(ErrorCode::json_type, 0));
  EXPECT_EQ(fault<int>("1.0"), Fault(ErrorCode::json_type, 0));
  EXPECT_EQ(fault<int>("1E2"), Fault(ErrorCode::json_type, 0));
  EXPECT_EQ(fault<int>("-0"), kGood);
  EXPECT_EQ(fault<std::uint8_t>("256"), Fault(ErrorCode::json_range, 0));
  EXPECT_EQ(fault<std::uint8_t>("-1"), Fault(ErrorCode::json_range, 0));
  EXPECT_EQ(fault<std::uint64_t>("18446744073709551616"), Fault(ErrorCode::json_range, 0));
  EXPECT_EQ(fault<double>("1e400"), Fault(ErrorCode::json_range, 0));
  EXPECT_EQ(fault<float>("1e39"), Fault(ErrorCode::json_range, 0));
  EXPECT_EQ(fault<float>("1e-50"), kGood);
  EXPECT_EQ(fault<bool>("null"), Fault(ErrorCode::json_type, 0));
  EXPECT_EQ(fault<std::vector<int>>("[1, {}]"), Fault(ErrorCode::json_type, 4));
  EXPECT_EQ(fault<std::vector<int>>("{}"), Fault(ErrorCode::json_type, 0));
  EXPECT_EQ(fault<Point>("[]"), Fault(ErrorCode::json_type, 0));
  EXPECT_EQ(fault<Colour>("\"yellow\""), Fault(ErrorCode::json_type, 0));
  EXPECT_EQ(fault<Colour>("3"), Fault(ErrorCode::json_type, 0));
  EXPECT_EQ((fault<std::array<int, 2>>("[1]")), Fault(ErrorCode::json_type, 0));
  EXPECT_EQ((fault<std::pair<int, int>>("[1,2,3]")), Fault(ErrorCode::json_type, 0));
  EXPECT_EQ(fault<std::monostate>("0"), Fault(ErrorCode::json_type, 0));
}

TEST(Read, ChecksTheTextBeforeTheTypes) {
  EXPECT_EQ(fault<int>("\"a\" x"), Fault(ErrorCode::json_syntax, 4));
  EXPECT_EQ(fault<Point>(R"({"x":"no","y":1,"z":[1,]})"), Fault(ErrorCode::json_syntax, 23));
}

TEST(Read, WantsEveryMemberThatCannotBeAbsent) {
  struct Half {
    int needed = 7;
    std::optional<int> maybe;
    std::shared_ptr<int> shared;
  };
  EXPECT_EQ(fault<Half>(R"({"needed":1})"), kGood);
  EXPECT_EQ(fault<Half>(R"( {"maybe":1} )"), Fault(ErrorCode::json_missing, 11));
  EXPECT_EQ(fault<Half>("{}"), Fault(ErrorCode::json_missing, 1));
  const auto kept = read<Half>("{}", {.missing = Missing::keep});
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->needed, 7);
}

TEST(Read, RefusesOrIgnoresWhatTheStructDoesNotHave) {
  constexpr std::string_view kText = R"({"z":[{"x":9}],"x":1,"w":"\\","y":2,"v":null})";
  const auto value = read<Point>(kText);
  ASSERT_TRUE(value);
  EXPECT_EQ(*value, (Point{1, 2}));
  EXPECT_EQ(fault<Point>(kText, {.unknown = Unknown::refuse}), Fault(ErrorCode::json_field, 1));
  EXPECT_EQ(fault<Point>(R"({"x":1,"y":2,"v":0})", {.unknown = Unknown::refuse}),
            Fault(ErrorCode::json_field, 13));
}

TEST(Read, RefusesAMemberThatComesTwice) {
  EXPECT_EQ(fault<Point>(R"({"x":1,"y":2,"x":3})"), Fault(ErrorCode::json_duplicate, 13));
  EXPECT_EQ(fault<Point>(R"({"x":1,"x":3,"y":2})"), Fault(ErrorCode::json_duplicate, 7));
  EXPECT_EQ(fault<Point>(R"({"x":1,"\u0078":3,"y":2})"), Fault(ErrorCode::json_duplicate, 7));
  EXPECT_EQ((fault<std::map<std::string, int>>(R"({"a":1,"a":3})")),
            Fault(ErrorCode::json_duplicate, 7));
  // A key that comes last, one that does not.
  using Numbers = std::map<std::string, int>;
  EXPECT_EQ(fault<Numbers>(R"({"a":1,"b":2,"b":3})"), Fault(ErrorCode::json_duplicate, 13));
  EXPECT_EQ(fault<Numbers>(R"({"b":1,"a":2,"b":3})"), Fault(ErrorCode::json_duplicate, 13));
  EXPECT_EQ(read<Numbers>(R"({"b":1,"c":2,"a":3})"), (Numbers{{"a", 3}, {"b", 1}, {"c", 2}}));
  const auto last = read<Point>(R"({"x":1,"y":2,"x":3})", {.duplicates = Duplicates::last_wins});
  ASSERT_TRUE(last);
  EXPECT_EQ(*last, (Point{3, 2}));
}

TEST(Read, KnowsKeysThatAreWrittenWithEscapes) {
  const auto value = read<Point>("{\"\\u0079\":2,\"\\u0078\":1}");
  ASSERT_TRUE(value);
  EXPECT_EQ(*value, (Point{1, 2}));
}

TEST(Read, FindsMembersInAnyOrderAmongMany) {
  struct Many {
    int alpha, beta, gamma, delta, epsilon, zeta, eta, theta, iota, kappa, lambda, mu;
  };
  const auto value = read<Many>(
      R"({"mu":12,"lambda":11,"kappa":10,"iota":9,"theta":8,"eta":7,"zeta":6,"epsilon":5,
          "delta":4,"gamma":3,"beta":2,"alpha":1})");
  ASSERT_TRUE(value);
  EXPECT_EQ(value->alpha, 1);
  EXPECT_EQ(value->theta, 8);
  EXPECT_EQ(value->mu, 12);
}

TEST(Read, TellsNamesApartThatTheHashCannot) {
  struct Alike {  // the same length, beginning and end
    int first_eight_x_last_eight, first_eight_y_last_eight;
  };
  const auto value = read<Alike>(R"({"first_eight_y_last_eight":2,"first_eight_x_last_eight":1})");
  ASSERT_TRUE(value);
  EXPECT_EQ(value->first_eight_x_last_eight, 1);
  EXPECT_EQ(value->first_eight_y_last_eight, 2);
}

TEST(Read, ViewsPointIntoTheText) {
  struct Views {
    std::string_view a;
    std::vector<std::string_view> b;
  };
  std::string text = R"({"a":"plain","b":["x","\u0041\n"]})";
  EXPECT_EQ(fault<Views>(text), Fault(ErrorCode::json_type, 22));
  const auto value = read_in_place<Views>(std::span(text));
  ASSERT_TRUE(value);
  EXPECT_EQ(value->a.data(), text.data() + 6);
  EXPECT_EQ(value->b[1], "A\n");
  EXPECT_EQ(value->b[1].data(), text.data() + 23);
}

TEST(Read, TakesTheFirstAlternativeThatFits) {
  struct Circle {
    double radius;
  };
  struct Square {
    double side;
  };
  using Shape = std::variant<std::monostate, std::string, Circle, Square, std::vector<Circle>>;
  const auto index_of = [](std::string_view text) {
    const auto value = read<Shape>(text);
    return value ? static_cast<int>(value->index()) : -1;
  };
  EXPECT_EQ(index_of("null"), 0);
  EXPECT_EQ(index_of("\"s\""), 1);
  EXPECT_EQ(index_of(R"({"radius":1})"), 2);
  EXPECT_EQ(index_of(R"({"side":1})"), 3);
  EXPECT_EQ(index_of("[]"), 4);
  EXPECT_EQ(index_of("1"), -1);
  EXPECT_EQ(fault<Shape>("1"), Fault(ErrorCode::json_type, 0));
}

struct Expression;
struct Sum {
  std::unique_ptr<Expression> left;
};
struct Product {
  std::unique_ptr<Expression> left;
};
struct Expression {
  std::variant<Sum, Product, int> value;
};

// Every level has two ways to begin alike: without a bound 2^60 would be tried.
TEST(Read, AlternativesThatBeginAlikeAreNotTriedForEver) {
  const auto nested = [](int levels, std::string_view innermost) {
    std::string text;
    for (int i = 0; i < levels; ++i) text += R"({"value":{"left":)";
    text += innermost;
    for (int i = 0; i < levels; ++i) text += "}}";
    return text;
  };
  EXPECT_EQ(fault<Expression>(nested(60, R"({"value":1})")), kGood);
  EXPECT_EQ(fault<Expression>(nested(3, "true")).first, ErrorCode::json_type);
  EXPECT_EQ(fault<Expression>(nested(60, "true")).first, ErrorCode::json_depth);
}

struct Node {
  int value = 0;
  std::vector<Node> children;
};

TEST(Read, BoundsTheDepthOfTypesThatContainThemselves) {
  const auto nested = [](int levels) {
    std::string text;
    for (int i = 0; i < levels; ++i) text += R"({"value":1,"children":[)";
    for (int i = 0; i < levels; ++i) text += "]}";
    return text;
  };
  EXPECT_EQ(fault<Node>(nested(128)), kGood);  // 128 structs and 128 vectors
  EXPECT_EQ(fault<Node>(nested(129)), Fault(ErrorCode::json_depth, 128 * 23));
  EXPECT_EQ(fault<Node>(nested(129), {.levels_max = 258}), kGood);
}

struct Hours {
  int count = 0;
};

}  // namespace

template <>
struct Names<Foreign> {
  static constexpr Rename json_names[] = {{"first", "1st"}};
};

template <>
struct Names<Colour> {
  static constexpr Rename json_names[] = {{"azure", "blue"}};
};

template <>
struct Conversion<Hours> {
  using Json = std::string;
  static std::optional<Hours> from_json(const std::string& text) {
    if (!text.ends_with('h')) return std::nullopt;
    return Hours{std::stoi(text)};
  }
  static std::string to_json(const Hours& hours) { return std::to_string(hours.count) + "h"; }
};

namespace {

TEST(Read, TakesNamesAndConversionsGivenFromOutside) {
  const auto foreign = read<Foreign>(R"({"1st":4})");
  ASSERT_TRUE(foreign);
  EXPECT_EQ(foreign->first, 4);
  const auto colour = read<Colour>("\"blue\"");
  ASSERT_TRUE(colour);
  EXPECT_EQ(*colour, Colour::azure);
  const auto hours = read<std::vector<Hours>>(R"(["7h"])");
  ASSERT_TRUE(hours);
  EXPECT_EQ(hours->front().count, 7);
  EXPECT_EQ(fault<std::vector<Hours>>(R"(["7h","7m"])"), Fault(ErrorCode::json_type, 6));
}

TEST(Read, FillsOtherContainers) {
  const auto list = read<std::list<std::vector<bool>>>("[[true,false],[]]");
  ASSERT_TRUE(list);
  EXPECT_EQ(list->front(), (std::vector<bool>{true, false}));
  const auto map =
      read<std::unordered_map<std::string, std::shared_ptr<int>>>(R"({"a":1,"b":null})");
  ASSERT_TRUE(map);
  EXPECT_EQ(*map->at("a"), 1);
  EXPECT_EQ(map->at("b"), nullptr);
}

TEST(Read, ReadsAgainWithTheSameMemory) {
  Reader reader;
  std::vector<Point> points;
  ASSERT_TRUE(reader.read(R"([{"x":1,"y":1},{"x":2,"y":2}])", points));
  ASSERT_TRUE(reader.read(R"([{"x":3,"y":3}])", points));
  EXPECT_EQ(points, (std::vector<Point>{{3, 3}}));
}

TEST(Read, TriesEachAlternativeThatMayFit) {
  const auto any = read<std::vector<std::variant<std::int64_t, RawJson>>>("[1,[2],{},\"s\",null]");
  ASSERT_TRUE(any);
  EXPECT_EQ(std::get<std::int64_t>(any->at(0)), 1);
  const std::vector<std::string_view> rest = {"[2]", "{}", "\"s\"", "null"};
  for (std::size_t i = 0; i < rest.size(); ++i) {
    EXPECT_EQ(std::get<RawJson>(any->at(i + 1)).text, rest[i]);
  }

  struct Named {
    std::string_view name;
    int size = 0;
  };
  const auto named = read<std::variant<Point, Named>>(R"({"name":"n","size":3})");
  ASSERT_TRUE(named);
  EXPECT_EQ(std::get<Named>(*named).name, "n");
  const auto alone = read<std::variant<int, std::tuple<std::string_view>>>(R"(["s"])");
  ASSERT_TRUE(alone);
  EXPECT_EQ(std::get<0>(std::get<1>(*alone)), "s");
}

TEST(Read, KeysThatAreViewsPointIntoTheText) {
  std::string text = R"({"a name that is too long for any string without memory":1,"\u0062":2})";
  using Views = std::map<std::string_view, int>;
  EXPECT_EQ(read<Views>(text).error().code, ErrorCode::json_type);  // an escape
  const auto map = read_in_place<Views>(std::span(text));
  ASSERT_TRUE(map);
  EXPECT_EQ(*map, (Views{{"a name that is too long for any string without memory", 1}, {"b", 2}}));
  for (const auto& [name, number] : *map) {
    EXPECT_TRUE(text.data() <= name.data() && name.data() < text.data() + text.size());
  }
}

struct Movable {
  std::vector<Movable> inside;
  std::unique_ptr<Movable> next;
};

TEST(Read, FillsWhatCanOnlyBeMoved) {
  const auto tree = read<Movable>(R"({"inside":[{"inside":[]}],"next":{"inside":[]}})");
  ASSERT_TRUE(tree);
  EXPECT_EQ(tree->inside.size(), 1u);
  EXPECT_NE(tree->next, nullptr);
}

struct WithArray {
  std::optional<int> first;
  int three[3];
  std::string last;
};
struct Derived : Point {
  int z = 0;
};
static_assert(reflection::has_array<WithArray, reflection::count_members<WithArray>()>());
static_assert(!reflection::has_array<Everything, kMemberCount<Everything>>());
static_assert(reflection::kHasBase<Derived> && !reflection::kHasBase<Everything>);
static_assert(!Nullable<std::unique_ptr<int[]>>);

template <auto kValue>
struct Holding {
  enum class Kind { a, b };
};

/// Of types whose names, as the compiler writes them, are full of brackets.
template <class T>
void expect_names_of_local_enumerators(T (&)[3]) {
  enum class Local { one, other };
  EXPECT_EQ(name_of(Local::other), "other");
  EXPECT_EQ(name_of(static_cast<Local>(2)), "");
  EXPECT_EQ(enumerator_named<Local>("one"), Local::one);
}

TEST(Enumerators, HaveTheirNamesWhereverTheyAre) {
  int array[3] = {};
  expect_names_of_local_enumerators(array);
  EXPECT_EQ(name_of(Holding<']'>::Kind::b), "b");
  EXPECT_EQ(name_of(Holding<';'>::Kind::b), "b");
  EXPECT_EQ(name_of(Holding<')'>::Kind::b), "b");
  EXPECT_EQ(name_of(static_cast<Holding<']'>::Kind>(7)), "");
}

}  // namespace
}  // namespace sluice::json
