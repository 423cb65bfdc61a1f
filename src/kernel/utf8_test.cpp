// The UTF-8 check of every kernel, by way of the escape pass, against an automaton made of the
// table of well-formed byte sequences (The Unicode Standard, table 3-7).

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <vector>

#include "kernel/kernel.h"

namespace sluice::kernel {
namespace {

/// States of the automaton: between characters, within one, and past a fault.
enum State : u8 { kBetween, kOneMore, kTwoMore, kThreeMore, kE0, kEd, kF0, kF4, kFault, kStates };

struct Row {
  State state;
  u8 first;
  u8 last;
  State next;
};

constexpr Row kRows[] = {
    {kBetween, 0x00, 0x7F, kBetween}, {kBetween, 0xC2, 0xDF, kOneMore},
    {kBetween, 0xE0, 0xE0, kE0},      {kBetween, 0xE1, 0xEC, kTwoMore},
    {kBetween, 0xED, 0xED, kEd},      {kBetween, 0xEE, 0xEF, kTwoMore},
    {kBetween, 0xF0, 0xF0, kF0},      {kBetween, 0xF1, 0xF3, kThreeMore},
    {kBetween, 0xF4, 0xF4, kF4},      {kOneMore, 0x80, 0xBF, kBetween},
    {kTwoMore, 0x80, 0xBF, kOneMore}, {kThreeMore, 0x80, 0xBF, kTwoMore},
    {kE0, 0xA0, 0xBF, kOneMore},      {kEd, 0x80, 0x9F, kOneMore},
    {kF0, 0x90, 0xBF, kTwoMore},      {kF4, 0x80, 0x8F, kTwoMore},
};

constexpr auto kNext = [] {
  std::array<std::array<State, 256>, kStates> next{};
  for (auto& row : next) row.fill(kFault);
  for (const Row& row : kRows) {
    for (u32 byte = row.first; byte <= row.last; ++byte) next[row.state][byte] = row.next;
  }
  return next;
}();

/// Both sides of every border of the table.
const std::vector<u8> kBorders = {0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF,
                                  0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED,
                                  0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF};

/// All bytes where time does not matter: then it is every sequence of four there is. One that
/// begins with ASCII goes on with one of three.
std::vector<u8> bytes_to_try() {
  if (std::getenv("SLUICE_SOAK") == nullptr) return kBorders;
  std::vector<u8> all;
  for (u32 byte = 0; byte < 256; ++byte) all.push_back(static_cast<u8>(byte));
  return all;
}

class Utf8 : public testing::TestWithParam<const Kernel*> {
 protected:
  bool agrees(const std::array<u8, 4>& text) const {
    std::array<u8, 4 * kEscapeBytes + kEscapeSlack> out;
    State state = kBetween;
    for (const u8 byte : text) state = kNext[state][byte];
    return GetParam()->escape(text.data(), 4, out.data()).ill_formed == (state != kBetween);
  }
};

TEST_P(Utf8, SequencesOfFourBytes) {
  const std::vector<u8> bytes = bytes_to_try();
  const std::size_t count = bytes.size();
  u64 wrong = 0;
  for (std::size_t n = 0; n < count * count * count; ++n) {
    std::array<u8, 4> text = {bytes[n / count / count], bytes[n / count % count], bytes[n % count]};
    if (text[0] < 0x7F) continue;
    for (const u8 last : bytes) {
      text[3] = last;
      if (agrees(text)) continue;
      if (wrong++ == 0) ADD_FAILURE() << "first at " << testing::PrintToString(text);
    }
  }
  EXPECT_EQ(wrong, 0u);
}

INSTANTIATE_TEST_SUITE_P(, Utf8, testing::ValuesIn(supported().begin(), supported().end()),
                         [](const auto& kernel) { return kernel.param->name; });

}  // namespace
}  // namespace sluice::kernel
