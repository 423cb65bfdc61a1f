#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "kernel/guarded_text.h"
#include "kernel/kernel.h"

namespace sluice::kernel {
namespace {

/// Of a valid text, in which backslashes stand in strings only.
std::string compact_one_by_one(std::string_view text) {
  std::string out;
  bool in_string = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!in_string && std::string_view(" \t\r\n").contains(text[at])) continue;
    out += text[at];
    if (text[at] == '\\') {
      out += text[++at];
    } else if (text[at] == '"') {
      in_string = !in_string;
    }
  }
  return out;
}

/// In pieces of so many bytes, text and room each before a page that nobody may touch.
std::string compact(const Kernel& kernel, std::string_view text, std::size_t piece_size) {
  const GuardedText guarded(text);
  CompactCarry carry;
  std::string out;
  for (std::size_t done = 0; done < text.size(); done += piece_size) {
    const std::size_t size = std::min(piece_size, text.size() - done);
    const GuardedText room(std::string(size + kCompactSlack, '#'));
    u8* const start = room.bytes().data();
    const u32 written = kernel.compact(carry, guarded.data() + done, static_cast<u32>(size), start);
    out.append(reinterpret_cast<const char*>(start), written);
  }
  return out;
}

void expect_compact(const std::string& text) {
  const std::string expected = compact_one_by_one(text);
  for (const Kernel* kernel : supported()) {
    for (const std::size_t piece : {std::size_t{64}, std::size_t{128}, text.size() + 1}) {
      ASSERT_EQ(compact(*kernel, text, piece), expected) << kernel->name << " " << piece;
    }
  }
}

TEST(CompactPass, TheReferenceItself) {
  EXPECT_EQ(compact_one_by_one(R"( { "a b" : "\" " , "c\\" : [ 1 , 2 ] } )"),
            R"({"a b":"\" ","c\\":[1,2]})");
}

TEST(CompactPass, BlanksAndStringsAtEveryPlace) {
  for (std::size_t shift = 0; shift < 140; ++shift) {
    expect_compact(std::string(shift, ' ') + "[\t1 ,\r\n\"a b \\\" c\\\\\" , true ]");
    expect_compact("\"" + std::string(shift, 'x') + " \\\\\\\" \" ");
    expect_compact("[" + std::string(shift, '1') + " ]");
    expect_compact("\"" + std::string(shift, '\\') + std::string(shift % 2, '\\') + " \"  ");
  }
}

TEST(CompactPass, RandomTexts) {
  std::mt19937 random(1);
  const std::vector<std::string> pieces = {"1",
                                           " ",
                                           "\n   ",
                                           ",",
                                           "{",
                                           "\"a\"",
                                           "\" b c \"",
                                           "\"\\\"\"",
                                           "\"\\\\\"",
                                           "\"\\\\\\\" x\"",
                                           "true",
                                           "\"\xC3\xA9 \xE2\x82\xAC\"",
                                           "                    "};
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (std::size_t count = random() % 80; count > 0; --count) {
      text += pieces[random() % pieces.size()];
    }
    expect_compact(text);
  }
}

}  // namespace
}  // namespace sluice::kernel
