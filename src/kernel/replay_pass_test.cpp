#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernel/guarded_text.h"
#include "kernel/kernel.h"

namespace sluice::kernel {
namespace {

/// Bytes that must be readable behind a scanned text.
constexpr std::size_t kPadding = 64;

/// The shape {"a":s,"b":[s]} with /b and /a selected, as fields 0 and 1.
class Sample {
 public:
  Sample() {
    const std::string_view tokens = "{\":s,\":[s]}\n";
    std::copy(tokens.begin(), tokens.end(), shape.tokens);
    std::fill(shape.tokens + tokens.size(), shape.tokens + kShapeTokens, u8{0});
    shape.token_count = 12;
    shape.keys = keys_;
    shape.head_count = 2;
    shape.fields = fields_;
    shape.field_count = 2;
    shape.presence = &presence_;
  }

  Shape shape;

 private:
  KeyPiece keys_[2] = {{1, 3, 0, {'"', 'a', '"'}}, {5, 3, 0, {'"', 'b', '"'}}};
  FieldPlace fields_[2] = {{0, 7, 10}, {1, 3, 4}};
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

Replayed replay(const Kernel& kernel, const std::string& text, u32 rows_max = 10,
                bool likely = true) {
  const GuardedText guarded(text + std::string(kPadding, '"'));
  const Tokens tokens(text);
  const GuardedText token_bytes(tokens.bytes + std::string(kSlack, '\n'));
  const Sample sample;
  Replayed result;
  result.rows.resize(4 * rows_max);
  Replay state = {.text = guarded.data(),
                  .tokens = token_bytes.data(),
                  .places = tokens.places.data(),
                  .token_count = static_cast<u32>(tokens.bytes.size()),
                  .base = 0,
                  .presence_words = 1,
                  .field_count = 2,
                  .shapes = &sample.shape,
                  .shape_count = 1,
                  .likely = likely ? &sample.shape : nullptr,
                  .line = 0,
                  .row = result.rows.data(),
                  .rows_left = rows_max};
  result.tokens = kernel.replay(state);
  result.line = state.line;
  result.rows.resize(4 * (rows_max - state.rows_left));
  return result;
}

u64 range(u64 start, u64 size) { return start | size << 32; }

TEST(ReplayPass, FillsRowsOfAKnownShape) {
  for (const Kernel* kernel : supported()) {
    for (const bool likely : {true, false}) {
      const Replayed got = replay(
          *kernel, "{\"a\":1,\"b\":[true]}\n{\"a\": \"x\" ,\"b\":[\"y\"] } \r\n", 10, likely);
      EXPECT_EQ(got.tokens, 24u) << kernel->name;
      EXPECT_EQ(got.line, 44u);
      // The first line has 18 bytes, [true] at 11; the second starts at 19 and has 23, its body
      // without the carriage return, with ["y"] at 15 and "x" at 6.
      const std::vector<u64> expected = {range(0, 18),  0b11, range(11, 6), range(5, 1),
                                         range(19, 23), 0b11, range(15, 5), range(6, 3)};
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
      EXPECT_EQ(got.rows.size(), 8u) << kernel->name << other;
    }
  }
}

TEST(ReplayPass, StopsWhenTheRowsAreFull) {
  const std::string good = "{\"a\":1,\"b\":[2]}\n";
  for (const Kernel* kernel : supported()) {
    const Replayed got = replay(*kernel, good + good + good, 2);
    EXPECT_EQ(got.tokens, 24u) << kernel->name;
    EXPECT_EQ(got.rows.size(), 8u) << kernel->name;
  }
}

}  // namespace
}  // namespace sluice::kernel
