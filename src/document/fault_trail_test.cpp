#include "document/fault_trail.h"

#include <gtest/gtest.h>

#include <string>

#include "document/index.h"
#include "json/error_text.h"
#include "json/scan_test_support.h"

namespace sluice::json {
namespace {

Error fault_of(std::string_view text) {
  Index index;
  const Result<void> built = index.build(text);
  return built ? Error{} : built.error();
}

Error syntax(Expected expected, std::size_t offset) {
  return {.code = ErrorCode::json_syntax,
          .detail = static_cast<std::uint16_t>(expected),
          .offset = offset};
}

/// Whatever goes on at the end of a chunk, and there are some between the beginning and the fault:
/// a fault is where it was put.
TEST(FaultTrail, FindsFaultsBehindAnything) {
  const std::vector<std::string> items = {"1,",
                                          "[],",
                                          "{\"a\":[true]},",
                                          "\"" + std::string(300, 'x') + "\",",
                                          "\"\\u00e9\\\\\",",
                                          "\"\xD0\x96\xD0\x96\",",
                                          "\"\\ud83d\\ude00\\ud83d\\ude00\",",
                                          " ,",
                                          "-1234567.5e-7,"};
  with_every_kernel([&](const char* name) {
    for (std::string item : items) {
      if (item == " ,") item = std::string(100, ' ') + "1,";
      for (const std::size_t size : {10'000u, 16'384u, 40'000u, 100'000u}) {
        std::string text = "{\"k\":[[";
        while (text.size() < size) text += item;
        const std::size_t end = text.size();
        EXPECT_EQ(fault_of(text + "0]]]"), syntax(Expected::comma_or_object_end, end + 3)) << name;
        EXPECT_EQ(fault_of(text + "]"), syntax(Expected::value, end)) << name << item;
        EXPECT_EQ(fault_of(text + "tru]"), syntax(Expected::literal, end + 3)) << name << item;
        EXPECT_EQ(fault_of(text + "\"\x01\"]"), syntax(Expected::string_byte, end + 1)) << name;
        EXPECT_EQ(fault_of(text), syntax(Expected::value, end)) << name << item;
        EXPECT_EQ(fault_of(text + "\"\xD0\"").code, ErrorCode::json_utf8) << name << item;
        EXPECT_EQ(fault_of(text + "\"\xD0\"").offset, end + 1) << name << item;
      }
    }
  });
}

/// What is wrong is over when the chunk ends, but the passes see it behind that.
TEST(FaultTrail, FindsHalfAPairBeforeTheEndOfAChunk) {
  with_every_kernel([](const char* name) {
    for (std::size_t end = 16'384 - 8; end <= 16'384 + 8; ++end) {
      for (const std::size_t blanks : {std::size_t{0}, end - 9, end - 300}) {
        std::string text = "[" + std::string(blanks, ' ') + "\"";
        text.resize(end - 7, 'x');
        EXPECT_EQ(fault_of(text + "\\ud83d\",0]"), syntax(Expected::low_surrogate, end - 7))
            << name << end << " " << blanks;
      }
    }
  });
}

/// A number that is wrong from its beginning, and so long that several chunks end in it.
TEST(FaultTrail, FindsFaultsInScalarsOfAnyLength) {
  with_every_kernel([](const char* name) {
    for (const std::size_t before : {0u, 16'380u, 16'383u, 30'000u}) {
      for (const std::size_t digits : {10u, 63u, 64u, 20'000u, 70'000u}) {
        const std::string text = "[" + std::string(before, ' ');
        const std::string number = std::string(digits, '7');
        const std::size_t at = text.size();
        EXPECT_EQ(fault_of(text + "0" + number + "]"), syntax(Expected::comma_or_array_end, at + 1))
            << name << before << " " << digits;
        EXPECT_EQ(fault_of(text + number + "x" + number + "]"),
                  syntax(Expected::comma_or_array_end, at + digits))
            << name << before;
        EXPECT_EQ(fault_of(text + "1." + number + "."),
                  syntax(Expected::comma_or_array_end, at + 2 + digits))
            << name << before;
        EXPECT_EQ(fault_of(text + "tr" + number), syntax(Expected::literal, at + 2)) << name;
        EXPECT_EQ(fault_of(text + number), syntax(Expected::comma_or_array_end, at + digits));
      }
    }
  });
}

}  // namespace
}  // namespace sluice::json
