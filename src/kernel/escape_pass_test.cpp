#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "kernel/guarded_text.h"
#include "kernel/kernel.h"

namespace sluice::kernel {
namespace {

using namespace std::string_view_literals;

/// What RFC 8259 asks for, a byte after the other.
std::string escaped_one_by_one(std::string_view text) {
  std::string out;
  for (const char byte : text) {
    constexpr std::string_view kShort = "\b\t\n\f\r\"\\";
    constexpr std::string_view kLetters = "btnfr\"\\";
    const std::size_t at = kShort.find(byte);
    if (at != kShort.npos) {
      out += '\\';
      out += kLetters[at];
    } else if (static_cast<unsigned char>(byte) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(byte));
      out += code;
    } else {
      out += byte;
    }
  }
  return out;
}

/// Runs the pass with the text and the room each at the edge of a page.
EscapeEnd run(const Kernel& kernel, std::string_view text, std::string& out) {
  const GuardedText in(text);
  const GuardedText room(std::string(kEscapeBytes * text.size() + kEscapeSlack, '#'));
  u8* const start = room.bytes().data();
  const EscapeEnd end = kernel.escape(in.data(), static_cast<u32>(text.size()), start);
  out.assign(reinterpret_cast<const char*>(start), static_cast<std::size_t>(end.out - start));
  return end;
}

void expect_escaped(std::string_view text) {
  for (const Kernel* kernel : supported()) {
    std::string out;
    EXPECT_FALSE(run(*kernel, text, out).ill_formed) << kernel->name << ": " << text;
    EXPECT_EQ(out, escaped_one_by_one(text)) << kernel->name;
  }
}

void expect_ill_formed(std::string_view text) {
  for (const Kernel* kernel : supported()) {
    std::string out;
    EXPECT_TRUE(run(*kernel, text, out).ill_formed) << kernel->name << ": " << text.size();
  }
}

TEST(EscapePass, EveryByteOfAscii) {
  std::string all;
  for (int byte = 0; byte < 0x80; ++byte) all += static_cast<char>(byte);
  expect_escaped(all);
  expect_escaped("");
  expect_escaped(std::string(200, '\x01'));
  expect_escaped(std::string(64, '"'));
}

TEST(EscapePass, OneByteToEscapeAtEveryPlace) {
  for (std::size_t size = 1; size < 200; ++size) {
    for (std::size_t at = 0; at < size; at += 1 + at / 7) {
      std::string text(size, 'a');
      text[at] = at % 2 == 0 ? '"' : '\n';
      expect_escaped(text);
    }
  }
}

TEST(EscapePass, CharactersOverEveryBoundary) {
  for (const auto& character : {"\xC3\xA9"sv, "\xE2\x82\xAC"sv, "\xF0\x9F\x98\x80"sv}) {
    for (std::size_t before = 0; before < 140; ++before) {
      expect_escaped(std::string(before, '-') + std::string(character));
      expect_escaped(std::string(before, '-') + std::string(character) + "\n tail");
      for (std::size_t cut = 1; cut < character.size(); ++cut) {
        expect_ill_formed(std::string(before, '-') + std::string(character.substr(0, cut)));
        expect_ill_formed(std::string(before, '-') + std::string(character.substr(cut)));
        expect_ill_formed(std::string(before, '-') + std::string(character.substr(0, cut)) + "\n");
      }
    }
  }
}

TEST(EscapePass, WhatIsNotUtf8) {
  for (const auto& text : {"\xC0\xAF"sv, "\xE0\x80\xAF"sv, "\xED\xA0\x80"sv, "\xF4\x90\x80\x80"sv,
                           "\xFF"sv, "\xF8\x88\x80\x80\x80"sv, "\x80"sv}) {
    for (const std::size_t before : {0, 1, 62, 63, 64, 127, 300}) {
      expect_ill_formed(std::string(before, 'x') + std::string(text) + "yz");
    }
  }
}

TEST(EscapePass, RandomTexts) {
  std::mt19937 random(1);
  const std::vector<std::string> pieces = {"a",
                                           "plain text ",
                                           "\"",
                                           "\\",
                                           "\n",
                                           std::string(1, '\0'),
                                           "\xC3\xA9",
                                           "\xE2\x82\xAC",
                                           "\xF0\x9F\x98\x80",
                                           "\x1F",
                                           "0123456789012345678901234567890123456789"};
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (std::size_t count = random() % 40; count > 0; --count) {
      text += pieces[random() % pieces.size()];
    }
    expect_escaped(text);
  }
}

}  // namespace
}  // namespace sluice::kernel
