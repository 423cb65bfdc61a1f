#include "json/checker.h"

#include <gtest/gtest.h>

#include <random>

#include "json/error_text.h"
#include "json/plain_machine.h"
#include "json/scan_test_support.h"

namespace sluice::json {
namespace {

using Place = Checker::Place;

std::span<const std::uint8_t> bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// The verdict on `text` fed in pieces of `step` bytes, each in memory of its own.
Error check(Checker& checker, std::string_view text, std::size_t step) {
  checker.restart();
  for (std::size_t at = 0; at < text.size(); at += step) {
    const std::string_view part = text.substr(at, step);
    const std::vector<std::uint8_t> piece(part.begin(), part.end());
    const Result<void> fed = checker.feed(piece);
    if (!fed) return fed.error();
  }
  const Result<void> finished = checker.finish();
  return finished ? Error{} : finished.error();
}

struct Case {
  std::string text;
  ErrorCode code;
  Expected expected;
  std::uint64_t offset;
};

/// Cases that are short by themselves; `before` moves them on to any block.
std::vector<Case> cases(const std::string& before) {
  const std::vector<Case> all = {
      {"{}", ErrorCode::none, Expected::none, 0},
      {"", ErrorCode::json_syntax, Expected::value, 0},
      {"[1,2", ErrorCode::json_syntax, Expected::comma_or_array_end, 4},
      {"[1,]", ErrorCode::json_syntax, Expected::value, 3},
      {"{\"a\":1,}", ErrorCode::json_syntax, Expected::key, 7},
      {"{\"a\" 1}", ErrorCode::json_syntax, Expected::colon, 5},
      {"[1]]", ErrorCode::json_syntax, Expected::end_of_text, 3},
      {"[\"\\ud83d\\ude00\"]", ErrorCode::none, Expected::none, 0},
      {"[\"\\ud83d\\u0041\"]", ErrorCode::json_syntax, Expected::low_surrogate, 2},
      {"[\"\\u12x4\"]", ErrorCode::json_syntax, Expected::hex_digit, 2},
      {"[\"\xF0\x9F\x98\x80\"]", ErrorCode::none, Expected::none, 0},
      {"[\"\xF0\x9F\x98\"]", ErrorCode::json_utf8, Expected::none, 2},
      {"[\"\x01\"]", ErrorCode::json_syntax, Expected::string_byte, 2},
      {"[-]", ErrorCode::json_syntax, Expected::digit, 2},
      {"[trux]", ErrorCode::json_syntax, Expected::literal, 4},
      {"[1}", ErrorCode::json_syntax, Expected::comma_or_array_end, 2},
  };
  std::vector<Case> moved;
  for (Case one : all) {
    one.text = before + one.text;
    if (one.code != ErrorCode::none) one.offset += before.size();
    moved.push_back(one);
  }
  return moved;
}

TEST(Checker, SameVerdictForEverySplit) {
  with_every_kernel([](const char* name) {
    StreamMemory memory;
    Checker checker({}, memory);
    for (const std::size_t shift : {0u, 50u, 60u, 63u, 1000u, 1020u, 5000u, 16380u}) {
      for (const Case& one : cases(std::string(shift, ' '))) {
        for (const std::size_t step : {1u, 2u, 3u, 63u, 64u, 65u, 1024u, 1u << 20}) {
          const Error error = check(checker, one.text, step);
          ASSERT_EQ(error.code, one.code) << name << shift << " " << step << one.text;
          ASSERT_EQ(error.offset, one.offset) << name << shift << " " << step << one.text;
          if (one.code == ErrorCode::json_syntax) {
            ASSERT_EQ(error.detail, static_cast<std::uint16_t>(one.expected)) << one.text;
          }
        }
      }
    }
  });
}

/// A document whose chunks end at all kinds of places.
std::string varied(std::size_t items) {
  std::string text = "{\"list\":[";
  for (std::size_t i = 0; i < items; ++i) {
    text += "{\"k\":-12.5e+3,\"\\u00e9\":[true,{\"a\":{}},\"\\ud83d\\ude00 \xE2\x82\xAC\\\\\"]},";
  }
  return text + "0]}";
}

TEST(Checker, AFaultAnywhereInALongDocument) {
  const std::string good = varied(700);
  with_every_kernel([&](const char* name) {
    StreamMemory memory;
    Checker checker({}, memory);
    for (const std::size_t step : {100u, 4096u, 1u << 20}) {
      ASSERT_EQ(check(checker, good, step).code, ErrorCode::none) << name;
    }
    // A byte that is right nowhere: a raw control in a string, no blank elsewhere.
    for (std::size_t place = 16200; place < 16600; ++place) {
      std::string bad = good;
      bad[place] = '\x02';
      const Error whole = check(checker, bad, bad.size());
      const Error pieces = check(checker, bad, 1000);
      ASSERT_EQ(whole, pieces) << name << place;
      // Inside an escape or a sequence the fault is where that begins, at most 11 bytes before.
      ASSERT_LE(whole.offset, place) << name;
      ASSERT_GE(whole.offset + 11, place) << name;
    }
  });
}

/// A string of about `size` bytes, nearly all of them in escapes.
std::string escapes(std::mt19937_64& random, std::size_t size) {
  static constexpr std::string_view kParts[] = {
      "\\u0441", "\\u043B\\u043e", "\\uD83D\\ude00", "\\u0000", " ", "\\n", "\\\\", "ud800",
  };
  std::string text = "[\"";
  while (text.size() < size) {
    const std::uint64_t draw = random() % 32;
    text += kParts[draw < std::size(kParts) ? draw : draw % 3];
  }
  return text + "\"]";
}

/// The verdict of the machine that reads byte by byte.
Error exact(const ScanOptions& options, std::string_view text) {
  PlainMachine machine(options);
  const Result<void> fed = machine.feed(bytes(text));
  if (!fed) return fed.error();
  const Result<void> finished = machine.finish();
  return finished ? Error{} : finished.error();
}

TEST(Checker, EscapesGoodAndSpoiledInLongStrings) {
  constexpr std::string_view kSpoilers("\"\\ud8DCgG \x01\xC3\xA9n", 13);
  with_every_kernel([&](const char* name) {
    std::mt19937_64 random(1);
    StreamMemory memory;
    for (int round = 0; round < 3000; ++round) {
      const ScanOptions options{.pass_surrogates = round % 4 == 0};
      std::string text = escapes(random, round % 100 == 0 ? 40'000 : 300 + random() % 1500);
      for (std::uint64_t spoiled = random() % 3; spoiled != 0; --spoiled) {
        text[2 + random() % (text.size() - 4)] = kSpoilers[random() % kSpoilers.size()];
      }
      Checker checker(options, memory);
      ASSERT_EQ(check(checker, text, text.size()), exact(options, text)) << name << text;
    }
  });
}

TEST(Checker, KnowsWhereTheTextStands) {
  struct Step {
    std::string_view piece;
    Place place;
  };
  const Step steps[] = {{" \n", Place::nothing_yet},       {"{", Place::inside_container},
                        {"\"a", Place::inside_string},     {"\\", Place::inside_string},
                        {"\"\"", Place::inside_container}, {":1", Place::inside_scalar},
                        {"2,", Place::inside_container},   {"\"b\":tr", Place::inside_scalar},
                        {"ue}", Place::after_value},       {" ", Place::after_value}};
  with_every_kernel([&](const char* name) {
    StreamMemory memory;
    Checker checker({}, memory);
    for (const std::size_t blanks : {0u, 1u, 62u, 1023u, 4000u}) {
      checker.restart();
      ASSERT_TRUE(checker.feed(bytes(std::string(blanks, ' '))).has_value());
      for (const Step& step : steps) {
        ASSERT_TRUE(checker.feed(bytes(step.piece)).has_value()) << name << step.piece;
        EXPECT_EQ(checker.place(), step.place) << name << blanks << step.piece;
      }
      EXPECT_TRUE(checker.finish().has_value());
    }
  });
}

TEST(Checker, GoesOnWithinAnySizeOfScalarStringAndDepth) {
  const std::string digits(200000, '4');
  const std::string opens(1024, '[');
  with_every_kernel([&](const char* name) {
    StreamMemory memory;
    Checker checker({}, memory);
    for (const std::size_t step : {777u, 5000u, 1u << 20}) {
      EXPECT_EQ(check(checker, "-" + digits + "." + digits + "e9", step).code, ErrorCode::none)
          << name;
      EXPECT_EQ(check(checker, "0" + digits, step).offset, 1u) << name;
      EXPECT_EQ(check(checker, digits + "." + digits + "x", step).offset, 400001u) << name;
      EXPECT_EQ(check(checker, "\"" + digits + "\"", step).code, ErrorCode::none) << name;
      EXPECT_EQ(check(checker, "\"" + digits, step).offset, 200001u) << name;
      EXPECT_EQ(check(checker, opens + std::string(1024, ']'), step).code, ErrorCode::none) << name;
      const Error deep = check(checker, opens + "[", step);
      EXPECT_EQ(deep.code, ErrorCode::json_depth) << name;
      EXPECT_EQ(deep.offset, 1024u) << name;
    }
  });
}

TEST(Checker, RefusesAByteOrderMarkByName) {
  with_every_kernel([](const char*) {
    StreamMemory memory;
    Checker checker({}, memory);
    const std::string text = "\xEF\xBB\xBF[" + std::string(5000, ' ') + "]";
    for (const std::size_t step : {1u, 64u, 100000u}) {
      const Error error = check(checker, text, step);
      EXPECT_EQ(error.detail, static_cast<std::uint16_t>(Expected::no_bom));
      EXPECT_EQ(error.offset, 0u);
    }
  });
}

TEST(Checker, RepeatsTheFirstFault) {
  with_every_kernel([](const char*) {
    StreamMemory memory;
    Checker checker({}, memory);
    const Result<void> first = checker.feed(bytes("[1,}"));
    ASSERT_FALSE(first.has_value());
    EXPECT_EQ(checker.feed(bytes("]")).error(), first.error());
    EXPECT_EQ(checker.finish().error(), first.error());
    checker.restart();
    EXPECT_TRUE(checker.feed(bytes("1")).has_value());
    EXPECT_TRUE(checker.finish().has_value());
  });
}

}  // namespace
}  // namespace sluice::json
