#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "kernel/guarded_text.h"
#include "kernel/kernel.h"

namespace sluice::kernel {
namespace {

using namespace std::string_view_literals;

/// `text` with the slack that passes may read, up to a page that they may not.
class Dense {
 public:
  explicit Dense(const std::string& text) : guarded_(text + std::string(kSlack, '}')) {}
  const u8* data() const { return guarded_.data(); }

 private:
  GuardedText guarded_;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// RFC 8259, section 6, a production after the other.
bool is_number(std::string_view text) {
  const auto digits = [&] {
    std::size_t count = 0;
    while (!text.empty() && is_digit(text[0])) text.remove_prefix(1), ++count;
    return count;
  };
  if (text.starts_with('-')) text.remove_prefix(1);
  const bool zero = text.starts_with('0');
  const std::size_t integer = digits();
  if (integer == 0 || (zero && integer > 1)) return false;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    if (digits() == 0) return false;
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
    if (digits() == 0) return false;
  }
  return text.empty();
}

bool is_scalar(std::string_view text) {
  return text == "true" || text == "false" || text == "null" || is_number(text);
}

struct Verdict {
  u32 used = 0;
  bool fault = false;
  std::vector<u32> wrong;  ///< which scalars
};
Verdict scalars_one_by_one(std::string_view stream) {
  Verdict verdict;
  for (u32 number = 0;; ++number) {
    const std::size_t size = stream.substr(verdict.used).find_first_of("{}[]:,\" \t\r\n");
    if (size == stream.npos) return verdict;
    if (!is_scalar(stream.substr(verdict.used, size))) verdict.wrong.push_back(number);
    verdict.fault = !verdict.wrong.empty();
    verdict.used += static_cast<u32>(size) + 1;
  }
}

/// The first wrong one is suspected first, and no wrong one is missing, as far as there is room.
void expect_suspects(const Kernel& kernel, const Dense& text, const Verdict& expected) {
  Suspects suspects;
  kernel.suspects(text.data(), expected.used, suspects);
  ASSERT_NE(suspects.count, 0u) << kernel.name;
  EXPECT_EQ(suspects.numbers[0], expected.wrong[0]) << kernel.name;
  const std::span<const u32> got(suspects.numbers, suspects.count);
  EXPECT_EQ(std::ranges::adjacent_find(got, std::ranges::greater_equal()), got.end());
  for (const u32 wrong : expected.wrong) {
    if (suspects.count == Suspects::kMax && wrong > got.back()) break;
    EXPECT_TRUE(std::ranges::binary_search(got, wrong)) << kernel.name << " " << wrong;
  }
}

void expect_scalars(const std::string& stream) {
  const Verdict expected = scalars_one_by_one(stream);
  const Dense text(stream);
  for (const Kernel* kernel : supported()) {
    const ScalarEnd got = kernel->scalars(text.data(), static_cast<u32>(stream.size()));
    ASSERT_EQ(got.fault, expected.fault) << kernel->name << " on " << stream;
    ASSERT_EQ(got.used, expected.used) << kernel->name << " on " << stream;
    if (expected.fault) expect_suspects(*kernel, text, expected);
  }
}

const std::vector<std::string> kGoodScalars = {"0",
                                               "-0",
                                               "7",
                                               "-12",
                                               "1.5",
                                               "0.0",
                                               "-0.25e1",
                                               "1e5",
                                               "1E+10",
                                               "2e-3",
                                               "true",
                                               "false",
                                               "null",
                                               "12345678901234567890",
                                               "0e0",
                                               std::string(80, '9'),
                                               "1." + std::string(70, '0') + "e-7"};
const std::vector<std::string> kBadScalars = {"00",
                                              "01",
                                              "-",
                                              "-01",
                                              "1.",
                                              ".5",
                                              "1e",
                                              "1e+",
                                              "+1",
                                              "1.5.2",
                                              "1e5.3",
                                              "1e2e3",
                                              "--1",
                                              "1-2",
                                              "0x1",
                                              "1a",
                                              "tru",
                                              "truE",
                                              "truee",
                                              "fals",
                                              "nul",
                                              "nulll",
                                              "True",
                                              "nan",
                                              "Infinity",
                                              "e5",
                                              "-e",
                                              "1.e5",
                                              "t",
                                              "f",
                                              "n",
                                              "truefalse",
                                              "1true",
                                              "\\",
                                              "\x7F",
                                              "0" + std::string(80, '1'),
                                              std::string(80, '9') + "x"};

TEST(ScalarPass, EachAloneAtEveryPlace) {
  for (const auto* list : {&kGoodScalars, &kBadScalars}) {
    for (const std::string& scalar : *list) {
      ASSERT_EQ(is_scalar(scalar), list == &kGoodScalars) << scalar;
      for (std::size_t before = 0; before < 70; ++before) {
        std::string stream;
        while (stream.size() < before)
          stream += stream.size() + 1 == before ? "1," : "1}"sv.substr(0, 2);
        expect_scalars(stream + scalar + "]");
        expect_scalars(stream + scalar + "\"" + "-2.5e7 true\n");
      }
    }
  }
}

TEST(ScalarPass, LeavesWhatHasNoEnd) {
  expect_scalars("");
  expect_scalars("12");
  expect_scalars("1,tru");
  expect_scalars(std::string(64, '1'));
  expect_scalars("1," + std::string(100, '1'));
}

TEST(ScalarPass, RandomStreams) {
  std::mt19937 random(5);
  const auto& good = kGoodScalars;
  const auto& bad = kBadScalars;
  for (int round = 0; round < 4000; ++round) {
    std::string stream;
    const bool some_bad = round % 2 == 1;
    const std::size_t size = random() % 1500;
    while (stream.size() < size) {
      const bool pick_bad = some_bad && random() % 40 == 0;
      stream += pick_bad ? bad[random() % bad.size()] : good[random() % good.size()];
      stream += ",:{}[] \n\""[random() % 9];
    }
    stream += "-1.5e2"sv.substr(0, random() % 7);
    expect_scalars(stream);
  }
}

/// The grammar by recursion, on tokens; the newline ends the text.
class TokenGrammar {
 public:
  TokenGrammar(std::string_view tokens, u32 depth_max) : rest_(tokens), depth_max_(depth_max) {}
  bool accepts() { return value(0) && take('\n') && rest_.empty(); }

 private:
  bool take(char token) {
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool value(u32 depth) {
    if (rest_.empty()) return false;
    const char token = rest_[0];
    if ("}]:,\n"sv.contains(token)) return false;
    rest_.remove_prefix(1);
    if (token != '{' && token != '[') return true;
    if (depth == depth_max_) return false;
    const bool object = token == '{';
    const char close = object ? '}' : ']';
    if (take(close)) return true;
    do {
      if (object && !(take('"') && take(':'))) return false;
      if (!value(depth + 1)) return false;
    } while (take(','));
    return take(close);
  }

  std::string_view rest_;
  u32 depth_max_;
};

bool pass_accepts(const Kernel& kernel, const std::string& tokens, u32 depth_max, u32 step) {
  std::vector<u64> spill(TokenCarry::spill_words(depth_max));
  TokenCarry carry;
  carry.spill = spill.data();
  carry.depth_max = depth_max;
  const u32 size = static_cast<u32>(tokens.size());
  for (u32 at = 0; at < size; at += step) {
    const Dense piece(tokens.substr(at, step));
    if (!kernel.tokens(carry, piece.data(), std::min(step, size - at))) return false;
  }
  return true;
}

void expect_tokens(const std::string& tokens, u32 depth_max = 1024) {
  const bool expected = TokenGrammar(tokens, depth_max).accepts();
  for (const Kernel* kernel : supported()) {
    for (const u32 step : {1000u, 64u, 7u, 1u}) {
      ASSERT_EQ(pass_accepts(*kernel, tokens, depth_max, step), expected)
          << kernel->name << " in pieces of " << step << ": " << tokens;
    }
  }
}

TEST(TokenPass, EveryShortText) {
  const std::string_view alphabet = "{}[]:,\"1";
  for (u32 size = 0; size <= 6; ++size) {
    const u32 count = 1u << (3 * size);
    for (u32 code = 0; code < count; ++code) {
      std::string tokens;
      for (u32 i = 0; i < size; ++i) tokens += alphabet[code >> (3 * i) & 7];
      const bool expected = TokenGrammar(tokens + '\n', 1024).accepts();
      for (const Kernel* kernel : supported()) {
        alignas(64) u8 buffer[128] = {};
        std::copy(tokens.begin(), tokens.end(), buffer);
        buffer[size] = '\n';
        TokenCarry carry;
        carry.depth_max = 1024;
        ASSERT_EQ(kernel->tokens(carry, buffer, size + 1), expected) << kernel->name << tokens;
      }
    }
  }
}

u32 pick(std::mt19937& random, u32 count) { return static_cast<u32>(random() % count); }

std::string random_tokens(std::mt19937& random, u32 depth) {
  const u32 kind = pick(random, depth == 0 ? 2 : 5);
  if (kind < 2) return kind == 0 ? "\"" : "1";
  const bool object = kind == 2 || random() % 2 == 0;
  std::string tokens = object ? "{" : "[";
  const u32 count = pick(random, 5);
  for (u32 i = 0; i < count; ++i) {
    if (i != 0) tokens += ',';
    if (object) tokens += "\":";
    tokens += random_tokens(random, depth - 1);
  }
  return tokens + (object ? '}' : ']');
}

TEST(TokenPass, RandomTextsAndTheirMutations) {
  std::mt19937 random(3);
  for (int round = 0; round < 6000; ++round) {
    std::string tokens = random_tokens(random, 1 + pick(random, 7));
    expect_tokens(tokens + '\n');
    expect_tokens(tokens + '\n', pick(random, 6));
    tokens[random() % tokens.size()] = "{}[]:,\"1"[random() % 8];
    expect_tokens(tokens + '\n');
  }
}

TEST(TokenPass, DepthLimitBelowAtAndAbove) {
  for (const u32 limit : {1u, 63u, 64u, 65u, 127u, 128u, 1024u}) {
    for (const u32 depth : {limit - 1, limit, limit + 1}) {
      const std::string arrays = std::string(depth, '[') + std::string(depth, ']') + '\n';
      std::string objects;
      for (u32 i = 0; i < depth; ++i) objects += "{\":";
      objects += "1" + std::string(depth, '}') + '\n';
      expect_tokens(arrays, limit);
      expect_tokens(objects, limit);
    }
  }
}

TEST(TokenPass, RemembersLevelsThatWereSpilled) {
  // Alternating and irregular levels, so that a lost bit shows at the closing bracket.
  std::mt19937 random(9);
  for (const u32 depth : {62u, 63u, 64u, 65u, 126u, 127u, 128u, 129u, 300u}) {
    std::string opens;
    std::string closes;
    for (u32 i = 0; i < depth; ++i) {
      const bool object = random() % 2 == 0;
      opens += object ? "{\":" : "[";
      closes.insert(closes.begin(), object ? '}' : ']');
    }
    expect_tokens(opens + "1" + closes + '\n');
    closes[depth / 2] = closes[depth / 2] == '}' ? ']' : '}';
    expect_tokens(opens + "1" + closes + '\n');
  }
}

TEST(SkipPass, EndsBehindTheBracketThatCloses) {
  std::mt19937 random(17);
  for (int round = 0; round < 3000; ++round) {
    const std::string value = random_tokens(random, 6);
    if (value.size() < 2) continue;
    const std::string tokens = value.substr(1) + ",\":[1]}";
    const Dense text(tokens);
    for (const Kernel* kernel : supported()) {
      u32 depth = 1;
      EXPECT_EQ(kernel->skip(text.data(), static_cast<u32>(tokens.size()), depth), value.size() - 1)
          << kernel->name << " " << tokens;
      EXPECT_EQ(depth, 0u);
      const u32 part = pick(random, static_cast<u32>(value.size()) - 1);
      depth = 1;
      EXPECT_EQ(kernel->skip(text.data(), part, depth), part);
      const std::string_view seen = std::string_view(tokens).substr(0, part);
      const auto opens =
          std::count_if(seen.begin(), seen.end(), [](char c) { return c == '{' || c == '['; });
      const auto closes =
          std::count_if(seen.begin(), seen.end(), [](char c) { return c == '}' || c == ']'; });
      EXPECT_EQ(depth, static_cast<u32>(1 + opens - closes));
    }
  }
}

TEST(Kernels, AreChosenByName) {
  for (const Kernel* kernel : supported()) {
    ASSERT_TRUE(select(kernel->name).has_value());
    EXPECT_STREQ(active().name, kernel->name);
  }
  const Result<void> unknown = select("abacus");
  ASSERT_FALSE(unknown.has_value());
  EXPECT_EQ(unknown.error().code, ErrorCode::option_value);
}

TEST(Kernels, TheEnvironmentForcesOne) {
  const char* before = std::getenv("SLUICE_KERNEL");
  const std::string saved = before == nullptr ? "" : before;
  setenv("SLUICE_KERNEL", "swar", 1);
  ASSERT_TRUE(select_from_environment().has_value());
  EXPECT_STREQ(active().name, "swar");
  setenv("SLUICE_KERNEL", "abacus", 1);
  EXPECT_FALSE(select_from_environment().has_value());
  setenv("SLUICE_KERNEL", "", 1);
  ASSERT_TRUE(select_from_environment().has_value());
  EXPECT_STREQ(active().name, supported().back()->name);
  setenv("SLUICE_KERNEL", saved.c_str(), 1);
  ASSERT_TRUE(select_from_environment().has_value());
}

}  // namespace
}  // namespace sluice::kernel
