// UTF-8 inside strings, against the table of encodings made from the code points themselves.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <unordered_set>

#include "expectations.h"
#include "line_runs.h"

namespace sluice::json {
namespace {

/// Every well-formed sequence, as a number made of its bytes, by encoding every scalar value.
/// Nothing here knows which bytes are ill-formed: what is not in this set is.
const std::unordered_set<std::uint32_t>& well_formed() {
  static const std::unordered_set<std::uint32_t> sequences = [] {
    std::unordered_set<std::uint32_t> all;
    for (std::uint32_t code = 0x80; code < 0x110000; ++code) {
      if (code >= 0xD800 && code < 0xE000) continue;
      const std::uint32_t last = 0x80 | (code & 63);
      const std::uint32_t third = 0x80 | (code >> 6 & 63);
      const std::uint32_t second = 0x80 | (code >> 12 & 63);
      if (code < 0x800) all.insert((0xC0 | code >> 6) << 8 | last);
      if (code >= 0x800 && code < 0x10000)
        all.insert((0xE0 | code >> 12) << 16 | third << 8 | last);
      if (code >= 0x10000)
        all.insert((0xF0u | code >> 18) << 24 | second << 16 | third << 8 | last);
    }
    return all;
  }();
  return sequences;
}

/// Size of the character that begins at `at`, or 0 where none does.
std::size_t character_size(Text text, std::size_t at) {
  if (text[at] < 0x80) return 1;
  std::uint32_t sequence = text[at];
  for (std::size_t size = 2; size <= 4 && at + size <= text.size(); ++size) {
    sequence = sequence << 8 | text[at + size - 1];
    if (well_formed().contains(sequence)) return size;
  }
  return 0;
}

/// The fault of a string that holds `inside`, which has no quotes, backslashes or controls.
Error expected_of(Text inside) {
  for (std::size_t at = 0; at < inside.size();) {
    const std::size_t size = character_size(inside, at);
    if (size == 0) return {.code = ErrorCode::json_utf8, .offset = at + 1};
    at += size;
  }
  return {};
}

/// All sequences of `size` of these bytes.
template <class Body>
void for_each_sequence(const Bytes& alphabet, std::size_t size, Body body) {
  std::vector<std::size_t> digits(size, 0);
  Bytes sequence(size, alphabet[0]);
  for (;;) {
    body(sequence);
    std::size_t place = 0;
    while (place < size && ++digits[place] == alphabet.size()) digits[place++] = 0;
    if (place == size) return;
    for (std::size_t at = 0; at <= place; ++at) sequence[at] = alphabet[digits[at]];
  }
}

/// Every byte that is not ASCII, and one that is.
Bytes all_bytes() {
  Bytes bytes = {'a'};
  for (int byte = 0x80; byte < 0x100; ++byte) bytes.push_back(static_cast<std::uint8_t>(byte));
  return bytes;
}

/// Both sides of every border of the ranges of well-formed bytes.
const Bytes kBorders = {'a',  0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF,
                        0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF};

TEST(Utf8, EverySequenceOfOneTwoOrThreeBytes) {
  for (std::size_t size = 1; size <= 3; ++size) {
    std::uint64_t wrong = 0;
    for_each_sequence(all_bytes(), size, [&](const Bytes& sequence) {
      const Error expected = expected_of(sequence);
      const Error error = plain_verdict(quoted(sequence), {});
      if (error == expected) return;
      if (wrong++ == 0) ADD_FAILURE() << shown(sequence) << ": " << shown(error);
    });
    EXPECT_EQ(wrong, 0u);
  }
}

// As lines, through every kernel: what follows a bad line must be right as well.
TEST(Utf8, EverySequenceOfThreeBytesAsLines) {
  const Bytes bytes = all_bytes();
  for (const std::uint8_t lead : bytes) {
    Bytes text;
    std::vector<Error> expected;
    for_each_sequence(bytes, 2, [&](const Bytes& rest) {
      const Bytes sequence = {lead, rest[0], rest[1]};
      const Bytes line = quoted(sequence);
      text.insert(text.end(), line.begin(), line.end());
      text.push_back('\n');
      expected.push_back(expected_of(sequence));
    });
    for (const kernel::Kernel* kernel : kernel::supported()) {
      std::vector<Error> found(expected.size());
      for (const auto& fault : scan_lines(*kernel, text, {}, expected.size()).faults) {
        found[fault.line] = fault.error;
      }
      ASSERT_EQ(found == expected, true) << kernel->name << ", sequences that begin with " << +lead;
    }
  }
}

TEST(Utf8, EverySequenceOfFourBytesOnBorders) {
  std::uint64_t wrong = 0;
  for_each_sequence(kBorders, 4, [&](const Bytes& sequence) {
    const Error error = plain_verdict(quoted(sequence), {});
    if (error == expected_of(sequence)) return;
    if (wrong++ == 0) ADD_FAILURE() << shown(sequence) << ": " << shown(error);
  });
  EXPECT_EQ(wrong, 0u);
}

TEST(Utf8, TwoBytesAndBordersOfThreeEverywhere) {
  for_each_sequence(kBorders, 2, [](const Bytes& sequence) {
    expect_everywhere(quoted(sequence), {}, expected_of(sequence), "two bytes");
  });
  for_each_sequence(kBorders, 3, [](const Bytes& sequence) {
    if (sequence[0] < 0xC0) return;
    expect_everywhere(quoted(sequence), {}, expected_of(sequence), "three bytes");
  });
}

/// Cell `index` of a line of utf8tests.txt, without blanks around it.
std::string cell(const std::string& line, int index) {
  std::size_t start = 0;
  for (; index > 0; --index) start = line.find(':', start) + 1;
  const std::string text = line.substr(start, line.find(':', start) - start);
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

struct PublicCase {
  Bytes bytes;
  Error expected;
};

/// For bad bytes the table gives what a decoder writes that replaces them by U+FFFD. Where that
/// first differs from the bytes, character by character, stands the first bad one.
PublicCase read_case(const std::string& line) {
  if (cell(line, 1) == "valid") return {bytes_of(cell(line, 2)), {}};
  const Bytes bytes = bytes_of_hex(cell(line, 2));
  if (cell(line, 1) == "valid hex") return {bytes, {}};
  const Bytes replaced = bytes_of_hex(cell(line, 4));
  std::size_t at = 0;
  for (;;) {
    const std::size_t size = character_size(replaced, at);
    const Text character = Text(replaced).subspan(at, size);
    const Text found = Text(bytes).subspan(at, std::min(size, bytes.size() - at));
    if (!std::ranges::equal(character, found)) break;
    at += size;
  }
  return {bytes, {.code = ErrorCode::json_utf8, .offset = 1 + at}};
}

TEST(Utf8, EveryCaseOfThePublicTable) {
  std::ifstream file(data_directory() / "utf8/utf8tests.txt");
  int count = 0;
  for (std::string text; std::getline(file, text);) {
    if (text.empty() || text[0] == '#') continue;
    const PublicCase one = read_case(text);
    const bool has_control =
        std::any_of(one.bytes.begin(), one.bytes.end(), [](auto byte) { return byte < 0x20; });
    if (has_control) continue;
    expect_everywhere(quoted(one.bytes), {}, one.expected, text);
    ++count;
  }
  EXPECT_GE(count, 200);
}

TEST(Utf8, SequencesAreFollowedAcrossBlocks) {
  for (const std::string_view hex :
       {"C3A9", "E282AC", "F09F9880", "E282", "F09F98", "EDA080", "FF"}) {
    for (std::size_t before = 50; before < 70; ++before) {
      Bytes inside(before, 'x');
      const Bytes sequence = bytes_of_hex(hex);
      inside.insert(inside.end(), sequence.begin(), sequence.end());
      inside.insert(inside.end(), 80, 'y');
      expect_everywhere(quoted(inside), {}, expected_of(inside), "across blocks");
    }
  }
}

}  // namespace
}  // namespace sluice::json
