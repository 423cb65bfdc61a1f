#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "kernel/guarded_text.h"
#include "kernel/kernel.h"

namespace sluice::kernel {
namespace {

/// A character as it may be written in a string, and what it stands for (RFC 8259, 3629).
struct Piece {
  std::string raw;
  std::string decoded;
  bool is_pair = false;
};

const std::vector<Piece> kPieces = {{"a", "a"},
                                    {"u", "u"},
                                    {"\xC3\xA9", "\xC3\xA9"},
                                    {"\xE2\x82\xAC", "\xE2\x82\xAC"},
                                    {"\xF0\x9F\x98\x80", "\xF0\x9F\x98\x80"},
                                    {"\\n", "\n"},
                                    {"\\t", "\t"},
                                    {"\\r", "\r"},
                                    {"\\b", "\b"},
                                    {"\\f", "\f"},
                                    {"\\/", "/"},
                                    {"\\\\", "\\"},
                                    {"\\\"", "\""},
                                    {"\\u0000", std::string(1, '\0')},
                                    {"\\u0041", "A"},
                                    {"\\u007f", "\x7F"},
                                    {"\\u0080", "\xC2\x80"},
                                    {"\\u07FF", "\xDF\xBF"},
                                    {"\\u0800", "\xE0\xA0\x80"},
                                    {"\\u0100", "\xC4\x80"},
                                    {"\\uD7ff", "\xED\x9F\xBF"},
                                    {"\\uE000", "\xEE\x80\x80"},
                                    {"\\uFFFF", "\xEF\xBF\xBF"},
                                    {"\\u0436", "\xD0\xB6"},
                                    {"\\uD83D\\uDE00", "\xF0\x9F\x98\x80", true}};

/// A text of pieces, and where each ends in both forms.
struct Sample {
  std::string raw;
  std::string decoded;
  std::vector<const Piece*> pieces;
  std::vector<std::size_t> raw_starts = {0};
  std::vector<std::size_t> decoded_starts = {0};

  void add(const Piece& piece) {
    raw += piece.raw;
    decoded += piece.decoded;
    pieces.push_back(&piece);
    raw_starts.push_back(raw.size());
    decoded_starts.push_back(decoded.size());
  }
};

/// Decodes from piece `first` on into exactly `room` bytes, at another place or over the text
/// itself; checks what came out and returns the piece where the pass stopped.
std::size_t expect_decoded(const Kernel& kernel, const Sample& sample, std::size_t first,
                           std::size_t room, bool in_place) {
  const std::string rest = sample.raw.substr(sample.raw_starts[first]);
  const GuardedText raw(rest);
  const GuardedText other(std::string(in_place ? 0 : room, '?'));
  u8* const out = in_place ? raw.bytes().data() : other.bytes().data();
  const Decoded done = kernel.decode(raw.data(), rest.size(), out, room);
  const auto& starts = sample.raw_starts;
  const auto stop = std::ranges::find(starts, starts[first] + done.read);
  EXPECT_NE(stop, starts.end()) << kernel.name << " stops inside a character of " << rest;
  if (stop == starts.end()) return sample.pieces.size();
  const std::size_t last = static_cast<std::size_t>(stop - starts.begin());
  const std::string expected = sample.decoded.substr(
      sample.decoded_starts[first], sample.decoded_starts[last] - sample.decoded_starts[first]);
  EXPECT_EQ(std::string(reinterpret_cast<char*>(out), done.written), expected)
      << kernel.name << " on " << rest;
  const std::string_view unread(reinterpret_cast<const char*>(raw.data()) + done.read,
                                rest.size() - done.read);
  EXPECT_EQ(unread, rest.substr(done.read)) << kernel.name << " spoils what it did not read";
  return last;
}

/// All of a sample, the pieces that are not for the pass stepped over. Far from the ends of text
/// and room it may stop at pairs only.
void expect_whole(const Kernel& kernel, const Sample& sample, bool in_place) {
  for (std::size_t first = 0; first < sample.pieces.size(); ++first) {
    const std::size_t room = sample.raw.size() - sample.raw_starts[first];
    first = expect_decoded(kernel, sample, first, room, in_place);
    if (first >= sample.pieces.size() || testing::Test::HasFailure()) return;
    const bool near_end = sample.raw.size() - sample.raw_starts[first] < kBlockBytes;
    EXPECT_TRUE(near_end || sample.pieces[first]->is_pair) << kernel.name;
  }
}

TEST(DecodePass, EveryPieceAtEveryPlace) {
  for (const Piece& piece : kPieces) {
    for (std::size_t before = 0; before < 80; ++before) {
      Sample sample;
      for (std::size_t i = 0; i < before; ++i) sample.add(kPieces[0]);
      sample.add(piece);
      sample.add(piece);
      for (std::size_t i = 0; i < (before * 7) % 80; ++i) sample.add(kPieces[1]);
      for (const Kernel* kernel : supported()) {
        for (const bool in_place : {false, true}) expect_whole(*kernel, sample, in_place);
      }
    }
  }
}

TEST(DecodePass, RandomTexts) {
  std::mt19937 random(31);
  for (int round = 0; round < 800; ++round) {
    Sample sample;
    const std::size_t kinds = 1 + random() % kPieces.size();
    const std::size_t size = random() % 400;
    while (sample.raw.size() < size) {
      const std::size_t run = random() % 4 == 0 ? random() % 90 : 0;
      for (std::size_t i = 0; i < run; ++i) sample.add(kPieces[0]);
      sample.add(kPieces[random() % kinds]);
    }
    for (const Kernel* kernel : supported()) {
      for (const bool in_place : {false, true}) expect_whole(*kernel, sample, in_place);
      expect_decoded(*kernel, sample, 0, random() % (sample.raw.size() + 1), false);
    }
  }
}

TEST(DecodePass, StopsInFrontOfWhatIsNoEscape) {
  for (const std::string bad : {"\\ud800", "\\udc00", "\\uDBFFx", "\\u12", "\\u12G4", "\\uxyzw",
                                "\\u\\u0041", "\\", "\\u"}) {
    for (std::size_t before = 0; before < 130; ++before) {
      const std::string text = std::string(before, 'x') + "\\n\\u0436" + bad;
      // With nothing behind it, and with enough for a whole window.
      for (const std::string& raw : {text, text + std::string(100, 'y')}) {
        if (raw != text && bad.size() < 3) continue;
        const GuardedText guarded(raw);
        std::string out(raw.size(), '?');
        for (const Kernel* kernel : supported()) {
          const Decoded done = kernel->decode(guarded.data(), raw.size(),
                                              reinterpret_cast<u8*>(out.data()), out.size());
          ASSERT_LE(done.read, before + 8) << kernel->name << " on " << raw;
          const std::string expected = std::string(before, 'x') + "\n\xD0\xB6";
          ASSERT_EQ(out.substr(0, done.written), expected.substr(0, done.written)) << kernel->name;
        }
      }
    }
  }
}

}  // namespace
}  // namespace sluice::kernel
