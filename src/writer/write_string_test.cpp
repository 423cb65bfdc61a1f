#include "writer/write_string.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernel/guarded_text.h"
#include "kernel/kernel.h"

namespace sluice::json {
namespace {

using namespace std::string_view_literals;

/// The text as a JSON string, or the error's name; read from right before a page nobody may touch,
/// on every kernel alike.
std::string written(std::string_view text, IllFormed ill_formed = IllFormed::refuse) {
  const kernel::GuardedText guarded(text);
  const std::string_view view(reinterpret_cast<const char*>(guarded.data()), text.size());
  std::string first;
  for (const kernel::Kernel* kernel : kernel::supported()) {
    EXPECT_TRUE(kernel::select(kernel->name));
    std::string result;
    StringOutput out(result);
    write_string(out, view, ill_formed);
    const Result<void> end = out.close();
    if (!end) result = error_name(end.error().code);
    if (kernel == kernel::supported().front()) first = result;
    EXPECT_EQ(result, first) << kernel->name;
  }
  return first;
}

TEST(WriteString, PlainTextOfEverySize) {
  for (std::size_t size = 0; size < 300; ++size) {
    const std::string text(size, 'p');
    ASSERT_EQ(written(text), '"' + text + '"');
  }
}

TEST(WriteString, EveryByteAtEveryPlaceOfShortTexts) {
  for (std::size_t size = 1; size < 40; ++size) {
    for (std::size_t at = 0; at < size; ++at) {
      for (const auto& [byte, escape] :
           std::vector<std::pair<char, std::string>>{{'"', "\\\""},
                                                     {'\\', "\\\\"},
                                                     {'\n', "\\n"},
                                                     {'\x1F', "\\u001f"},
                                                     {'\0', "\\u0000"},
                                                     {' ', " "},
                                                     {'!', "!"},
                                                     {'#', "#"},
                                                     {'[', "["},
                                                     {']', "]"},
                                                     {'\x7F', "\x7F"}}) {
        std::string text(size, 'q');
        text[at] = byte;
        std::string expected(size - 1, 'q');
        expected.insert(at, escape);
        ASSERT_EQ(written(text), '"' + expected + '"') << size << " " << at;
      }
      std::string text(size, 'q');
      text[at] = '\x80';
      ASSERT_EQ(written(text), "json_utf8");
    }
  }
}

TEST(WriteString, OtherScriptsStayAsTheyAre) {
  const std::string text =
      "Z\xC3\xBCrich \xD0\x9C\xD0\xBE \xE6\x9D\xB1\xE4\xBA\xAC \xF0\x9F\x98\x80";
  EXPECT_EQ(written(text), '"' + text + '"');
}

// The pieces of a long text are not cut within a character, wherever it lies.
TEST(WriteString, LongTextsOfCharactersOfEverySize) {
  for (const std::string_view character : {"\xC3\xA9"sv, "\xE2\x82\xAC"sv, "\xF0\x9F\x98\x80"sv}) {
    for (std::size_t shift = 0; shift < 4; ++shift) {
      std::string text(shift, 'x');
      while (text.size() < 9000) text += character;
      EXPECT_EQ(written(text), '"' + text + '"');
      text.resize(text.size() - 1);
      EXPECT_EQ(written(text), "json_utf8");
    }
  }
}

TEST(WriteString, ReplacesEachByteThatIsNoPartOfACharacter) {
  const auto replaced = [](std::string_view text) { return written(text, IllFormed::replace); };
  const std::string mark = "\xEF\xBF\xBD";
  EXPECT_EQ(replaced("a\xFFz"), "\"a" + mark + "z\"");
  EXPECT_EQ(replaced("\xC3\xA9\xC3"), "\"\xC3\xA9" + mark + "\"");
  EXPECT_EQ(replaced("\xED\xA0\x80\""), '"' + mark + mark + mark + "\\\"\"");
  EXPECT_EQ(replaced("\xC0\xAF"), '"' + mark + mark + '"');
  EXPECT_EQ(replaced("\xF4\x90\x80\x80"), '"' + mark + mark + mark + mark + '"');
  EXPECT_EQ(replaced("\xE2\x82\n"), '"' + mark + mark + "\\n\"");
  EXPECT_EQ(replaced("well formed \xF0\x9F\x98\x80"), "\"well formed \xF0\x9F\x98\x80\"");
  std::string many;
  for (int round = 0; round < 3000; ++round) many += mark;
  EXPECT_EQ(replaced(std::string(3000, '\x80')), '"' + many + '"');
}

TEST(WriteString, TheOffsetIsThatOfTheString) {
  std::string result;
  StringOutput out(result);
  out.put("[");
  write_string(out, "ok");
  out.put(",");
  write_string(out, std::string(5000, 'x') + "\xFF");
  const Result<void> end = out.close();
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error(), (Error{ErrorCode::json_utf8, 0, 0, 6}));
}

}  // namespace
}  // namespace sluice::json
