#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernel/guarded_text.h"
#include "kernel/kernel.h"

namespace sluice::kernel {
namespace {

/// Bytes that must be readable behind a scanned text.
constexpr std::size_t kPadding = 64;

/// The shape {"a":s,"b":[s]} with /b, /a and /c selected, as fields 0, 1 and 2.
class Sample {
 public:
  Sample() {
    const std::string_view tokens = "{\":s,\":[s]}\n";
    std::copy(tokens.begin(), tokens.end(), shape.tokens);
    std::fill(shape.tokens + tokens.size(), shape.tokens + kShapeTokens, u8{0});
    shape.token_count = 12;
    shape.keys = keys_;
    shape.key_count = 2;
    shape.head_count = kHeadsAtOnce;
    shape.fields = fields_;
    shape.presence = &presence_;
  }

  Shape shape;

 private:
  KeyPiece keys_[kHeadsAtOnce] = {{{'"', 'a', '"'}, {0xFF, 0xFF, 0xFF}, 0, 1},
                                  {{'"', 'b', '"'}, {0xFF, 0xFF, 0xFF}, 0, 5}};
  FieldPlace fields_[3] = {{~u64{0}, 7, 10}, {~u64{0}, 3, 4}, {}};
  u64 presence_ = 0b11;
};

/// Tokens and places of `text`, found a byte at a time; strings in it hold no quotes.
struct Tokens {
  std::string bytes;
  std::vector<u16> places;

  explicit Tokens(std::string_view text) {
    bool in_string = false;
    bool in_scalar = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
      const char byte = text[at];
      const bool structure = std::string_view("{}[]:,\n").contains(byte);
      const bool blank = byte == ' ' || byte == '\r';
      const bool token =
          byte == '"' ? !in_string : !in_string && (structure || (!blank && !in_scalar));
      if (byte == '"') in_string = !in_string;
      in_scalar = !in_string && !structure && !blank && byte != '"';
      if (!token) continue;
      bytes += byte;
      places.push_back(static_cast<u16>(at));
    }
  }
};

struct Replayed {
  u32 tokens = 0;
  u32 line = 0;
  std::vector<u64> rows;
};

/// How a shape is found: as the likely one, behind another one, or with members looked up by name.
enum class Way { likely, hidden, names };

Replayed replay(const Kernel& kernel, const std::string& text, u32 rows_max = 10,
                Way way = Way::likely) {
  constexpr u8 kOnes = 0xFF;
  static constexpr KeyPiece kNames[] = {{{'"', 'b', '"'}, {kOnes, kOnes, kOnes}},
                                        {{'"', 'a', '"'}, {kOnes, kOnes, kOnes}},
                                        {{'"', 'c', '"'}, {kOnes, kOnes, kOnes}}};
  const GuardedText guarded(text + std::string(kPadding, '"'));
  const Tokens tokens(text);
  const GuardedText token_bytes(tokens.bytes + std::string(kSlack, '\n'));
  const Sample sample;
  Sample other;
  other.shape.tokens[0] = '[';
  other.shape.next = &sample.shape;
  std::vector<const Shape*> by_slot(kShapeSlots, way == Way::hidden ? &other.shape : &sample.shape);
  Replayed result;
  result.rows.resize(5 * rows_max);
  Replay state = {.text = guarded.data(),
                  .tokens = token_bytes.data(),
                  .places = tokens.places.data(),
                  .token_count = static_cast<u32>(tokens.bytes.size()),
                  .base = 0,
                  .presence_words = 1,
                  .field_count = 3,
                  .shapes = by_slot.data(),
                  .names = way == Way::names ? kNames : nullptr,
                  .line = 0,
                  .row = result.rows.data(),
                  .likely = way == Way::likely ? &sample.shape : nullptr,
                  .rows_left = rows_max};
  result.tokens = kernel.replay(state);
  result.line = state.line;
  result.rows.resize(5 * (rows_max - state.rows_left));
  return result;
}

u64 range(u64 start, u64 size) { return start | size << 32; }

TEST(ReplayPass, FillsRowsOfAKnownShape) {
  for (const Kernel* kernel : supported()) {
    for (const Way way : {Way::likely, Way::hidden, Way::names}) {
      const Replayed got =
          replay(*kernel, "{\"a\":1,\"b\":[true]}\n{\"a\": \"x\" ,\"b\":[\"y\"] } \r\n", 10, way);
      EXPECT_EQ(got.tokens, 24u) << kernel->name;
      EXPECT_EQ(got.line, 44u);
      // The first line has 18 bytes, [true] at 11; the second starts at 19 and has 23, its body
      // without the carriage return, with ["y"] at 15 and "x" at 6.
      const std::vector<u64> expected = {range(0, 18),  0b11, range(11, 6), range(5, 1), 0,
                                         range(19, 23), 0b11, range(15, 5), range(6, 3), 0};
      EXPECT_EQ(got.rows, expected) << kernel->name;
    }
  }
}

TEST(ReplayPass, StopsAtWhatIsNotTheShape) {
  const std::string good = "{\"a\":1,\"b\":[2]}\n";
  for (const std::string_view other :
       {"{\"a\":1,\"c\":[2]}\n", "{\"a\":1,\"b\":{2]}\n", "{\"a\":1,\"b\":[2}]\n",
        "{\"a\":1,2:[2]}\n", "{\"a\":\n\"b\",[2]}\n", "\n", "1\n", "{\"a\":1,\"b\":[2]\n}\n",
        "{\"a\":[,\"b\":[2]}\n", "{\"b\":1,\"a\":[2]}\n", "{\"a\":1,\"b\":[2]},\n"}) {
    for (const Kernel* kernel : supported()) {
      const Replayed got = replay(*kernel, good + good + std::string(other) + good);
      EXPECT_EQ(got.tokens, 24u) << kernel->name << other;
      EXPECT_EQ(got.line, 2 * good.size()) << kernel->name << other;
      EXPECT_EQ(got.rows.size(), 10u) << kernel->name << other;
    }
  }
}

TEST(ReplayPass, LooksUpMembersThatChangedPlaces) {
  struct Case {
    std::string line;
    std::vector<u64> row;
  };
  const Case cases[] = {
      {"{\"b\":1,\"a\":[2]}\n", {range(0, 15), 0b011, range(5, 1), range(11, 3), 0}},
      {"{\"c\":1,\"c\": [2] }\n", {range(0, 17), 0b100, 0, 0, range(12, 3)}},  // the last counts
      {"{\"x\":1,\"\":[2]}\n", {range(0, 14), 0, 0, 0, 0}},
      {"{\"a\" :1 ,\"bb\":[2]}\n", {range(0, 18), 0b010, 0, range(6, 1), 0}},
  };
  for (const Kernel* kernel : supported()) {
    for (const Case& each : cases) {
      const Replayed got = replay(*kernel, each.line, 10, Way::names);
      EXPECT_EQ(got.rows, each.row) << kernel->name << each.line;
      EXPECT_EQ(got.tokens, 12u) << kernel->name << each.line;
    }
  }
}

TEST(ReplayPass, LeavesKeysThatMayHideANameToOthers) {
  for (const std::string& key : {std::string("\\u0061"), std::string(63, 'k')}) {
    for (const Kernel* kernel : supported()) {
      const Replayed got = replay(*kernel, "{\"" + key + "\":1,\"b\":[2]}\n", 10, Way::names);
      EXPECT_EQ(got.tokens, 0u) << kernel->name << key;
      EXPECT_TRUE(got.rows.empty()) << kernel->name << key;
    }
  }
  const std::string longest(62, 'k');  // 64 bytes with its quotes
  for (const Kernel* kernel : supported()) {
    EXPECT_EQ(replay(*kernel, "{\"" + longest + "\":1,\"b\":[2]}\n", 10, Way::names).tokens, 12u);
  }
}

TEST(ReplayPass, StopsWhenTheRowsAreFull) {
  const std::string good = "{\"a\":1,\"b\":[2]}\n";
  for (const Kernel* kernel : supported()) {
    const Replayed got = replay(*kernel, good + good + good, 2);
    EXPECT_EQ(got.tokens, 24u) << kernel->name;
    EXPECT_EQ(got.rows.size(), 10u) << kernel->name;
  }
}

}  // namespace
}  // namespace sluice::kernel
