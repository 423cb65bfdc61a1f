// The tables of faults and of good texts, by hand, through every way into the reader.

#include <gtest/gtest.h>

#include "expectations.h"

namespace sluice::json {
namespace {

/// `text` with blanks in front: what stood at the start of a block stands elsewhere in it.
Bytes after_blanks(std::size_t count, const Bytes& text) {
  Bytes moved(count, ' ');
  moved.insert(moved.end(), text.begin(), text.end());
  return moved;
}

TEST(FaultTable, HoldsEnoughCases) {
  EXPECT_GE(fault_cases().size(), 240u);
  EXPECT_GE(accepted_cases().size(), 40u);
}

TEST(FaultTable, EveryFaultIsTheOneWorkedOutByHand) {
  for (const Case& one : fault_cases()) {
    expect_everywhere(one.text, one.options, one.error, "faults.txt:" + std::to_string(one.line));
  }
}

TEST(FaultTable, EveryGoodTextIsAccepted) {
  for (const Case& one : accepted_cases()) {
    expect_everywhere(one.text, one.options, {}, "accepted.txt:" + std::to_string(one.line));
  }
}

// Blocks are 64 bytes: a fault must be found wherever it meets their borders. A byte order mark
// is one at the very beginning only.
TEST(FaultTable, FaultsMoveWithTheText) {
  for (const Case& one : fault_cases()) {
    if (one.error.detail == static_cast<std::uint16_t>(Expected::no_bom)) continue;
    for (const std::size_t count :
         {1, 31, 50, 58, 60, 61, 62, 63, 64, 65, 126, 1000, 1020, 1023, 1024, 1025}) {
      Error error = one.error;
      error.offset += count;
      expect_everywhere(after_blanks(count, one.text), one.options, error,
                        "faults.txt:" + std::to_string(one.line));
    }
  }
}

TEST(FaultTable, GoodTextsStayGoodWhereverTheyStand) {
  for (const Case& one : accepted_cases()) {
    for (std::size_t count = 1; count < 70; ++count) {
      expect_everywhere(after_blanks(count, one.text), one.options, {},
                        "accepted.txt:" + std::to_string(one.line));
    }
  }
}

}  // namespace
}  // namespace sluice::json
