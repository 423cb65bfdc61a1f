#include "random_json.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace sluice::json {
namespace {

const std::vector<const char*> kNames = {"a",
                                         "b",
                                         "c",
                                         "0",
                                         "1",
                                         "",
                                         "long_name_of_more_than_sixteen",
                                         "\\u0061",
                                         "b\\/d",
                                         "\\u0062/d",
                                         "m~n",
                                         "\xC3\xA9",
                                         "\\u00e9",
                                         "q\\\"\\\\",
                                         "\\uD83D\\uDE00",
                                         "\xF0\x9F\x98\x80"};

const std::vector<const char*> kTokens = {"a",
                                          "b",
                                          "c",
                                          "0",
                                          "1",
                                          "",
                                          "long_name_of_more_than_sixteen",
                                          "b~1d",
                                          "m~0n",
                                          "\xC3\xA9",
                                          "q\"\\",
                                          "\xF0\x9F\x98\x80",
                                          "-",
                                          "01",
                                          "2"};

const std::vector<const char*> kScalars = {
    "null",
    "true",
    "false",
    "0",
    "-0",
    "-1.5e+10",
    "12345678901234567890",
    "1E5",
    "0.001",
    R"("")",
    R"("plain text")",
    R"("}],{[:")",
    R"("\"\\\/\b\f\n\r\t")",
    R"("\u0000\ud834\udd1e")",
    "\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\"",
    R"("\\")",
    R"("\\\\\"")",
    R"("a string that is longer than one block of sixty-four bytes, to cross a border of them")"};

}  // namespace

int rounds(int usual) {
  const char* factor = std::getenv("SLUICE_SOAK");
  return factor == nullptr ? usual : usual * std::max(1, std::atoi(factor));
}

std::string RandomJson::document(int values, bool newlines) {
  newlines_ = newlines;
  std::string text;
  append_blanks(text);
  append_value(text, values, 0);
  append_blanks(text);
  return text;
}

std::string RandomJson::pointer() {
  std::string pointer;
  for (std::size_t depth = below(5); depth > 0; --depth) {
    pointer += '/';
    pointer += any_of(kTokens);
  }
  return pointer;
}

void RandomJson::append_blanks(std::string& text) {
  if (below(4) != 0) return;
  for (std::size_t count = below(10) == 0 ? 70 : 1 + below(3); count > 0; --count) {
    text += newlines_ ? " \t\r\n"[below(4)] : " \t"[below(2)];
  }
}

void RandomJson::append_value(std::string& text, int& budget, int depth) {
  constexpr int kDepthMax = 12;
  --budget;
  const std::size_t kind = depth == 0 ? 1 + below(10) : below(10);
  if (budget <= 0 || depth > kDepthMax || kind < 3) {
    text += any_of(kScalars);
  } else if (kind < 8) {
    append_object(text, budget, depth);
  } else {
    append_array(text, budget, depth);
  }
}

void RandomJson::append_object(std::string& text, int& budget, int depth) {
  text += '{';
  append_blanks(text);
  for (std::size_t members = below(7); members > 0; --members) {
    text += std::string("\"") + any_of(kNames) + '"';
    append_blanks(text);
    text += ':';
    append_blanks(text);
    append_value(text, budget, depth + 1);
    append_blanks(text);
    if (members > 1) text += ',';
    append_blanks(text);
  }
  text += '}';
}

void RandomJson::append_array(std::string& text, int& budget, int depth) {
  text += '[';
  append_blanks(text);
  for (std::size_t elements = below(5); elements > 0; --elements) {
    append_value(text, budget, depth + 1);
    append_blanks(text);
    if (elements > 1) text += ',';
    append_blanks(text);
  }
  text += ']';
}

Bytes RandomJson::mutated(std::string_view text) {
  using std::string_view_literals::operator""sv;
  constexpr std::string_view kSpoilers =
      "\"\\{}[]:,0-.eEu\x00\x1F\x7F\x80\xBF\xC3\xED\xF4\xFFtfn \t"sv;
  Bytes bytes = bytes_of(text);
  for (std::size_t changes = 1 + below(3); changes > 0 && !bytes.empty(); --changes) {
    const std::size_t place = below(bytes.size());
    const auto spoiler = static_cast<std::uint8_t>(kSpoilers[below(kSpoilers.size())]);
    switch (below(5)) {
      case 0:
        bytes[place] = spoiler;
        break;
      case 1:
        bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(place), spoiler);
        break;
      case 2:
        bytes.erase(bytes.begin() + static_cast<std::ptrdiff_t>(place));
        break;
      case 3:
        std::swap(bytes[place], bytes[below(bytes.size())]);
        break;
      default:
        if (below(4) == 0) bytes.resize(place);
    }
  }
  return bytes;
}

}  // namespace sluice::json
