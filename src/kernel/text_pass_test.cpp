#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "kernel/guarded_text.h"
#include "kernel/kernel.h"

namespace sluice::kernel {
namespace {

using namespace std::string_view_literals;

struct Streamed {
  std::string tokens;
  std::vector<u32> places;
  std::string scalars;
};

bool is_hex(u8 byte) { return std::string_view("0123456789abcdefABCDEF").contains(char(byte)); }

/// What neither the grammar nor the text pass has a place for outside strings.
bool is_stray(char byte) {
  const bool control = static_cast<u8>(byte) < 0x20 && !"\t\r\n"sv.contains(byte);
  return byte == '\\' || control;
}

/// The pass a byte at a time. Writes the streams and says at which byte a fault shows, if any.
class Reference {
 public:
  explicit Reference(bool lines) : lines_(lines) {}

  std::optional<u32> read(std::string_view text) {
    for (u32 at = 0; at < text.size(); ++at) {
      if (!take(static_cast<u8>(text[at]), at)) return at;
    }
    return std::nullopt;
  }

  /// A backslash or control outside a string: the scalar pass will refuse it. The text pass may
  /// refuse it before, and until then it may take what follows a backslash for escaped.
  bool stray() const { return stray_; }

  Streamed streams;

 private:
  bool take(u8 byte, u32 at) {
    if (!take_utf8(byte)) return false;
    if (in_string_) return take_in_string(byte);
    const bool structure = "{}[]:,"sv.contains(char(byte)) || (lines_ && byte == '\n');
    const bool blank = " \t\r\n"sv.contains(char(byte)) && !structure;
    const bool scalar = !structure && !blank && byte != '"';
    stray_ |= is_stray(char(byte));
    if (byte >= 0x80 || (byte < 0x20 && !blank && !structure)) return false;
    if (structure || byte == '"' || (scalar && !in_scalar_)) {
      streams.tokens += char(byte);
      streams.places.push_back(at);
    }
    if (scalar || in_scalar_) streams.scalars += char(byte);
    in_scalar_ = scalar;
    in_string_ = byte == '"';
    return true;
  }

  bool take_in_string(u8 byte) {
    if (byte < 0x20) return false;
    if (hex_left_ != 0) return take_hex(byte);
    if (escaped_) {
      escaped_ = false;
      if (!"\"\\/bfnrtu"sv.contains(char(byte))) return false;
      if (want_low_ && byte != 'u') return false;
      if (byte == 'u') hex_left_ = 4, unit_.clear();
      return true;
    }
    // A high surrogate without its other half shows where that one's `u` would be.
    if (want_low_ && byte != '\\' && !late_) return late_ = true;
    if (late_) return false;
    escaped_ = byte == '\\';
    if (byte == '"') in_string_ = false;
    return true;
  }

  bool take_hex(u8 byte) {
    if (!is_hex(byte)) return false;
    unit_ += char(byte | 0x20);
    --hex_left_;
    if (unit_.size() != 2) return true;
    const bool high = unit_[0] == 'd' && "89ab"sv.contains(unit_[1]);
    const bool low = unit_[0] == 'd' && "cdef"sv.contains(unit_[1]);
    if (low != want_low_) return false;
    want_low_ = high;
    return true;
  }

  bool take_utf8(u8 byte) {
    if (sequence_.empty()) {
      if (byte < 0x80) return true;
      if (byte < 0xC2 || byte > 0xF4) return false;
      sequence_ = char(byte);
      return true;
    }
    if ((byte & 0xC0) != 0x80) return false;
    sequence_ += char(byte);
    const u8 lead = static_cast<u8>(sequence_[0]);
    if (sequence_.size() == 2) {
      const bool narrow = (lead == 0xE0 && byte < 0xA0) || (lead == 0xED && byte > 0x9F) ||
                          (lead == 0xF0 && byte < 0x90) || (lead == 0xF4 && byte > 0x8F);
      if (narrow) return false;
    }
    const std::size_t whole = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (sequence_.size() == whole) sequence_.clear();
    return true;
  }

  const bool lines_;
  bool stray_ = false;
  bool in_string_ = false;
  bool in_scalar_ = false;
  bool escaped_ = false;
  bool want_low_ = false;
  bool late_ = false;
  u32 hex_left_ = 0;
  std::string unit_;
  std::string sequence_;
};

/// `text` with what the pass may read behind it, which must not matter.
GuardedText guarded(const std::string& text) {
  return GuardedText(text + std::string(kOverread, '"'));
}

/// Runs the pass over `text`, `step` blocks a call.
struct Streaming {
  Streamed streams;
  u32 blocks = 0;
  bool fault = false;
};
Streaming run(const Kernel& kernel, TokenForm form, bool busy, const GuardedText& text, u32 step) {
  alignas(64) static std::byte memory[kStreamsBytes];
  TextCarry carry;
  Streaming result;
  const u32 blocks = static_cast<u32>((text.bytes().size() - kOverread) / kBlockBytes);
  while (result.blocks < blocks && !result.fault) {
    Streams streams = Streams::in(memory);
    const TextEnd end = kernel.text[static_cast<u32>(form)][busy](
        carry, streams, text.data() + result.blocks * kBlockBytes,
        std::min(step, blocks - result.blocks), 0);
    for (u32 i = 0; form != TokenForm::bare && i < streams.token_count; ++i) {
      result.streams.places.push_back(result.blocks * kBlockBytes + streams.places[i]);
    }
    result.streams.tokens.append(reinterpret_cast<char*>(streams.tokens), streams.token_count);
    result.streams.scalars.append(reinterpret_cast<char*>(streams.scalars), streams.scalar_count);
    result.blocks += end.blocks;
    result.fault = end.fault;
  }
  return result;
}

Streamed reference_streams(bool lines, std::string_view text) {
  Reference reference(lines);
  reference.read(text);
  return reference.streams;
}

/// Compares every kernel and variant with the reference.
void expect_like_reference(std::string text) {
  // The last block is blank, so that every fault has room to show.
  while (text.size() % kBlockBytes != 0) text += ' ';
  text.append(kBlockBytes, ' ');
  const GuardedText memory = guarded(text);
  for (const TokenForm form : {TokenForm::bare, TokenForm::placed, TokenForm::lines}) {
    const bool lines = form == TokenForm::lines;
    Reference reference(lines);
    const std::optional<u32> fault = reference.read(text);
    const u32 end = fault.value_or(static_cast<u32>(text.size()));
    for (const Kernel* kernel : supported()) {
      for (const bool busy : {false, true}) {
        for (const u32 step : {1u, 3u, 1000u}) {
          const std::string about = kernel->name + (" on " + text);
          const Streaming got = run(*kernel, form, busy, memory, step);
          if (reference.stray()) {
            ASSERT_TRUE(got.fault || std::ranges::any_of(got.streams.scalars, is_stray)) << about;
            continue;
          }
          ASSERT_EQ(got.fault, fault.has_value()) << about;
          // A byte that never is UTF-8 may show at the next one only.
          ASSERT_TRUE(got.blocks == end / kBlockBytes || got.blocks == (end + 1) / kBlockBytes)
              << about;
          const Streamed expected =
              reference_streams(lines, std::string_view(text).substr(0, got.blocks * kBlockBytes));
          ASSERT_EQ(got.streams.tokens, expected.tokens) << about;
          if (form != TokenForm::bare) {
            ASSERT_EQ(got.streams.places, expected.places) << about;
          }
          ASSERT_EQ(got.streams.scalars, expected.scalars) << about;
        }
      }
    }
  }
}

TEST(TextPass, WritesTheStreamsOfTheDrawing) {
  const std::string text = R"({"id":17,"ok":true})" + std::string(45, ' ');
  for (const Kernel* kernel : supported()) {
    const Streaming got = run(*kernel, TokenForm::placed, false, guarded(text), 1);
    EXPECT_EQ(got.streams.tokens, R"({":1,":t})") << kernel->name;
    EXPECT_EQ(got.streams.places, (std::vector<u32>{0, 1, 5, 6, 8, 9, 13, 14, 18}));
    EXPECT_EQ(got.streams.scalars, "17,true}");
  }
}

TEST(TextPass, AtEveryAlignment) {
  const std::string text =
      "{\"k\\\\\":-1.5e3,\"\\ud83d\\uDE00\\n\":[\"\xE2\x82\xAC\xF0\x9F\x98\x80\",null,\"\\\\\\\"\"]"
      "}\n"
      "\"0\" 1 \"{}[]:,\" true\r\n";
  for (std::size_t shift = 0; shift < 128; ++shift) {
    expect_like_reference(std::string(shift, ' ') + text);
    expect_like_reference('"' + std::string(shift, 'x') + "\":" + text);
  }
}

TEST(TextPass, EveryFaultAtEveryAlignment) {
  const std::string_view faults[] = {"\"\\x\"",
                                     "\"\\u12G4\"",
                                     "\"\\ud800\"",
                                     "\"\\ud800\\n\"",
                                     "\"\\ud800\\u0041\"",
                                     "\"\\udc00\"",
                                     "\"\\ud800\\ud800\"",
                                     "\"\\ud800 \\udc00\"",
                                     "\"\x1F\"",
                                     "\"\n\"",
                                     "\x01",
                                     "\x0C",
                                     "\x1A",
                                     "\"\x80\"",
                                     "\"\xC0\xAF\"",
                                     "\"\xC3\"",
                                     "\"\xE0\x9F\xBF\"",
                                     "\"\xED\xA0\x80\"",
                                     "\"\xF0\x8F\xBF\xBF\"",
                                     "\"\xF4\x90\x80\x80\"",
                                     "\"\xE2\x82\"",
                                     "\"\xF5\x80\x80\x80\"",
                                     "\xC3\xA9",
                                     "\"\xF0\x9F\x98\"",
                                     "\"\\\x80\""};
  for (const std::string_view fault : faults) {
    for (std::size_t shift = 0; shift < 128; ++shift) {
      expect_like_reference(std::string(shift, ' ') + std::string(fault));
      expect_like_reference("[\"" + std::string(shift, 'x') + "\"," + std::string(fault));
    }
  }
}

TEST(TextPass, RandomSoup) {
  std::mt19937 random(11);
  const std::vector<std::string> pieces = {"\"",
                                           "\\",
                                           "\\\\",
                                           "\\\"",
                                           "{",
                                           "}",
                                           "[",
                                           "]",
                                           ":",
                                           ",",
                                           " ",
                                           "\n",
                                           "\t",
                                           "0",
                                           "-12",
                                           "true",
                                           "x",
                                           "\\u00e9",
                                           "\\ud83d\\ude00",
                                           "\xC3\xA9",
                                           "\xF0\x9F\x98\x80",
                                           "\"abc\"",
                                           "\"a\":",
                                           std::string(70, 'y'),
                                           std::string(200, 'z')};
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    while (text.size() < 300) text += pieces[random() % pieces.size()];
    expect_like_reference(text);
  }
}

TEST(TextPass, StopsWhenTheStreamsAreFull) {
  const std::string dense(64 * 200, '[');
  for (const Kernel* kernel : supported()) {
    const GuardedText text = guarded(dense);
    alignas(64) static std::byte memory[kStreamsBytes];
    Streams streams = Streams::in(memory);
    TextCarry carry;
    const TextEnd end = kernel->text[0][0](carry, streams, text.data(), 200, 0);
    EXPECT_EQ(end.blocks, kTokenCapacity / 64) << kernel->name;
    EXPECT_EQ(streams.token_count, kTokenCapacity) << kernel->name;
    EXPECT_FALSE(end.fault);
  }
}

}  // namespace
}  // namespace sluice::kernel
