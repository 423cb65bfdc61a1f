#include "json/unescape.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "json/scan_test_support.h"

namespace sluice::json {
namespace {

std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// Decodes into an output of `room` bytes at a time.
std::string decoded(std::string_view raw, std::size_t room) {
  std::string text;
  while (!raw.empty()) {
    std::vector<std::uint8_t> out(room);
    const Unescaped step = unescape(bytes_of(raw), out);
    if (step.read == 0) return text + "<stuck>";
    text.append(out.begin(), out.begin() + step.written);
    raw.remove_prefix(step.read);
  }
  return text;
}

struct Sample {
  std::string_view raw;
  std::string_view text;
};

// Worked out from RFC 8259, section 7, and the code charts.
const Sample kSamples[] = {
    {"", ""},
    {"plain", "plain"},
    {R"(\"\\\/\b\f\n\r\t)", "\"\\/\b\f\n\r\t"},
    {R"(\u0041\u007f)", "A\x7F"},
    {R"(\u0080\u07ff)", "\xC2\x80\xDF\xBF"},
    {R"(\u0800\uFFFF)", "\xE0\xA0\x80\xEF\xBF\xBF"},
    {R"(\ud7FF\uE000)", "\xED\x9F\xBF\xEE\x80\x80"},
    {R"(\ud800\udc00)", "\xF0\x90\x80\x80"},
    {R"(\uD83D\uDE00!)", "\xF0\x9F\x98\x80!"},
    {R"(\uDBFF\uDFFF)", "\xF4\x8F\xBF\xBF"},
    {R"(\u00e9\u00E9)", "\xC3\xA9\xC3\xA9"},
    {R"(\\u0041)", "\\u0041"},
    {R"(\\\\n)", "\\\\n"},
    {"caf\xC3\xA9 \xF0\x9F\x98\x80 \\/ end", "caf\xC3\xA9 \xF0\x9F\x98\x80 / end"},
    {"twenty plain bytes, and then\\tsome", "twenty plain bytes, and then\tsome"},
};

TEST(Unescape, DecodesEveryKindOfEscape) {
  for (const Sample& sample : kSamples) EXPECT_EQ(decoded(sample.raw, 100), sample.text);
  EXPECT_EQ(decoded(R"(\u0000)", 4), std::string_view("\0", 1));
}

TEST(Unescape, GetsOnWithFourBytesAndMore) {
  for (const Sample& sample : kSamples) {
    for (std::size_t room = 4; room < 20; ++room) {
      EXPECT_EQ(decoded(sample.raw, room), sample.text) << room;
    }
  }
}

TEST(Unescape, NeverSplitsACharacter) {
  std::uint8_t out[3];
  const Unescaped plain = unescape(bytes_of("ab\xC3\xA9"), out);
  EXPECT_EQ(plain.read, 2u);
  EXPECT_EQ(plain.written, 2u);
  const Unescaped escaped = unescape(bytes_of(R"(ab\u00e9)"), out);
  EXPECT_EQ(escaped.read, 2u);
  EXPECT_EQ(escaped.written, 2u);
  const Unescaped four = unescape(bytes_of("\xF0\x9F\x98\x80"), out);
  EXPECT_EQ(four.read, 0u);
}

TEST(Unescape, DecodesOverItself) {
  for (const Sample& sample : kSamples) {
    std::string text(sample.raw);
    auto* data = reinterpret_cast<std::uint8_t*>(text.data());
    const Unescaped done = unescape({data, text.size()}, {data, text.size()});
    EXPECT_EQ(done.read, sample.raw.size());
    EXPECT_EQ(text.substr(0, done.written), sample.text);
  }
}

TEST(Unescape, StopsBeforeAnUnpairedSurrogate) {
  for (const std::string_view raw : {R"(\ud800)", R"(\udc00)", R"(\ud800x)", R"(\ud800\n1234)",
                                     R"(\ud800\u0041)", R"(\ud800\ud800\udc00)"}) {
    std::uint8_t out[16];
    EXPECT_EQ(unescape(bytes_of(raw), out).read, 0u) << raw;
    EXPECT_EQ(unescape(bytes_of("ab" + std::string(raw)), out).read, 2u) << raw;
  }
}

/// One random character, and a random one of the ways to write it; the encoder is the plain one.
void append_character(std::mt19937& random, std::string& raw, std::string& text) {
  constexpr std::uint32_t kLimits[] = {0x80, 0x800, 0x10000, 0x110000};
  auto code = static_cast<std::uint32_t>(random() % kLimits[random() % 4]);
  if (code >= 0xD800 && code < 0xE000) code = 'x';
  std::string encoded;
  if (code < 0x80) {
    encoded = {static_cast<char>(code)};
  } else if (code < 0x800) {
    encoded = {static_cast<char>(0xC0 + code / 64), static_cast<char>(0x80 + code % 64)};
  } else if (code < 0x10000) {
    encoded = {static_cast<char>(0xE0 + code / 4096), static_cast<char>(0x80 + code / 64 % 64),
               static_cast<char>(0x80 + code % 64)};
  } else {
    encoded = {static_cast<char>(0xF0 + code / 262144), static_cast<char>(0x80 + code / 4096 % 64),
               static_cast<char>(0x80 + code / 64 % 64), static_cast<char>(0x80 + code % 64)};
  }
  text += encoded;
  char escape[16];
  if (code >= 0x10000) {
    std::snprintf(escape, sizeof escape, "\\u%04x\\u%04X", 0xD800 + (code - 0x10000) / 1024,
                  0xDC00 + (code - 0x10000) % 1024);
  } else {
    std::snprintf(escape, sizeof escape, "\\u%04x", code);
  }
  const bool must_escape = code < 0x20 || code == '"' || code == '\\';
  raw += must_escape || random() % 3 == 0 ? std::string(escape) : encoded;
}

TEST(Unescape, RandomTextsComeBack) {
  std::mt19937 random(3);
  for (int round = 0; round < 2000; ++round) {
    std::string raw;
    std::string text;
    for (auto left = random() % 60; left > 0; --left) append_character(random, raw, text);
    const std::size_t room = 4 + random() % 300;
    with_every_kernel([&](const char* kernel) {
      ASSERT_EQ(decoded(raw, room), text) << kernel << " round " << round;
    });
  }
}

}  // namespace
}  // namespace sluice::json
