#include "typed/line_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sluice::json {
namespace {

struct Event {
  int id = 0;
};

/// "number@offset:id" of good lines, "number@offset!fault's offset" of bad ones.
std::vector<std::string> read_all(std::string_view text) {
  std::vector<std::string> seen;
  LineReader lines(text);
  while (lines.next()) {
    Event event;
    const Result<void> read = lines.read(event);
    seen.push_back(
        std::to_string(lines.number()) + '@' + std::to_string(lines.offset()) +
        (read ? ':' + std::to_string(event.id) : '!' + std::to_string(read.error().offset)));
  }
  return seen;
}

TEST(LineReader, KeepsAFaultToItsLine) {
  EXPECT_EQ(read_all("{\"id\":1}\n{\"id\":}\n{\"id\":\"x\"}\r\n\n \t\n{\"id\":4}"),
            (std::vector<std::string>{"1@0:1", "2@9!6", "3@17!6", "6@33:4"}));
}

TEST(LineReader, HasNothingWhereThereIsNothing) {
  EXPECT_EQ(read_all(""), std::vector<std::string>());
  EXPECT_EQ(read_all("\n\r\n  \n"), std::vector<std::string>());
}

TEST(LineReader, EndsARecordAlsoInsideAString) {
  EXPECT_EQ(read_all("\"a\n{\"id\":2}"), (std::vector<std::string>{"1@0!2", "2@3:2"}));
}

TEST(LineReader, IsAtTheBeginningBeforeTheFirst) {
  const LineReader lines("[1]\n");
  EXPECT_EQ(lines.offset(), 0u);
  EXPECT_EQ(lines.line(), "");
}

}  // namespace
}  // namespace sluice::json
