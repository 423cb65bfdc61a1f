#include "case_files.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace sluice::json {
namespace {

constexpr std::array<std::string_view, 18> kExpectedNames = {"none",
                                                             "value",
                                                             "value_or_array_end",
                                                             "key_or_object_end",
                                                             "key",
                                                             "colon",
                                                             "comma_or_object_end",
                                                             "comma_or_array_end",
                                                             "end_of_text",
                                                             "digit",
                                                             "literal",
                                                             "escape",
                                                             "hex_digit",
                                                             "low_surrogate",
                                                             "string_byte",
                                                             "no_bom",
                                                             "high_surrogate",
                                                             "array"};

/// A table that cannot be read is a mistake in the table.
[[noreturn]] void refuse_table(std::string_view what) {
  std::fprintf(stderr, "tests/data: unknown %.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

std::uint16_t expected_of(std::string_view name) {
  const auto found = std::find(kExpectedNames.begin(), kExpectedNames.end(), name);
  if (found == kExpectedNames.end()) refuse_table(name);
  return static_cast<std::uint16_t>(found - kExpectedNames.begin());
}

ErrorCode code_of(std::string_view name) {
  for (const ErrorCode code :
       {ErrorCode::json_syntax, ErrorCode::json_utf8, ErrorCode::json_depth}) {
    if (name == error_name(code)) return code;
  }
  refuse_table(name);
}

ScanOptions options_of(std::istream& words) {
  ScanOptions options;
  for (std::string word; words >> word;) {
    if (word == "pass") {
      options.pass_surrogates = true;
    } else if (word.starts_with("depth=")) {
      options.max_depth = static_cast<std::uint32_t>(std::stoul(word.substr(6)));
    } else {
      refuse_table(word);
    }
  }
  return options;
}

/// Undoes <XX>. `column` counts in `text`; the byte that is written there is stored in `offset`.
Bytes bytes_of_cell(std::string_view text, std::size_t column, std::uint64_t& offset) {
  Bytes bytes;
  for (std::size_t index = 0; index < text.size(); ++index) {
    if (index == column) offset = bytes.size();
    const bool is_hex = text[index] == '<' && index + 3 < text.size() && text[index + 3] == '>';
    const std::string digits(text.substr(index + 1, 2));
    bytes.push_back(static_cast<std::uint8_t>(is_hex ? std::stoul(digits, nullptr, 16)
                                                     : static_cast<unsigned char>(text[index])));
    if (is_hex) index += 3;
  }
  if (column == text.size()) offset = bytes.size();
  return bytes;
}

std::vector<std::string> lines_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) refuse_table(path.string());
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

}  // namespace

Bytes quoted(std::span<const std::uint8_t> inside) {
  Bytes text(inside.size() + 2, '"');
  std::ranges::copy(inside, text.begin() + 1);
  return text;
}

std::string shown(std::span<const std::uint8_t> bytes) {
  constexpr std::size_t kShownMax = 400;
  std::string text;
  for (const std::uint8_t byte : bytes.first(std::min(bytes.size(), kShownMax))) {
    char hex[8];
    std::snprintf(hex, sizeof hex, "<%02X>", byte);
    text += byte >= 0x20 && byte < 0x7F ? std::string(1, static_cast<char>(byte)) : hex;
  }
  if (bytes.size() > kShownMax) text += "... (" + std::to_string(bytes.size()) + " bytes)";
  return text;
}

std::string shown(const Error& error) {
  if (error.code == ErrorCode::none) return "accepted";
  return std::string(error_name(error.code)) + " " + std::string(kExpectedNames[error.detail]) +
         " at " + std::to_string(error.offset);
}

std::vector<Case> fault_cases() {
  const std::vector<std::string> lines = lines_of(data_directory() / "faults.txt");
  std::vector<Case> cases;
  for (std::size_t index = 1; index < lines.size(); ++index) {
    const std::size_t caret = lines[index].find_first_not_of(' ');
    if (caret == std::string::npos || lines[index][caret] != '^') continue;
    std::istringstream words(lines[index].substr(caret + 1));
    std::string code;
    std::string expected;
    words >> code >> expected;
    Case& one = cases.emplace_back();
    one.line = static_cast<int>(index + 1);
    one.error = {.code = code_of(code), .detail = expected_of(expected), .offset = ~0ull};
    one.text = bytes_of_cell(lines[index - 1], caret, one.error.offset);
    one.options = options_of(words);
  }
  return cases;
}

std::vector<Case> accepted_cases() {
  const std::vector<std::string> lines = lines_of(data_directory() / "accepted.txt");
  std::vector<Case> cases;
  for (std::size_t index = 0; index < lines.size(); ++index) {
    const std::string& line = lines[index];
    if (line.starts_with("#")) continue;
    const std::size_t tab = std::min(line.find('\t'), line.size());
    std::istringstream words(line.substr(tab));
    Case& one = cases.emplace_back();
    one.line = static_cast<int>(index + 1);
    one.text = bytes_of_cell(line.substr(0, tab), 0, one.error.offset);
    one.options = options_of(words);
  }
  return cases;
}

Bytes bytes_of_hex(std::string_view text) {
  Bytes bytes;
  std::string digits;
  for (const char digit : text) {
    if (digit != ' ') digits += digit;
    if (digits.size() < 2) continue;
    bytes.push_back(static_cast<std::uint8_t>(std::stoul(digits, nullptr, 16)));
    digits.clear();
  }
  return bytes;
}

Bytes read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse_table(path.string());
  return Bytes(std::istreambuf_iterator<char>(file), {});
}

std::vector<std::filesystem::path> json_files(const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  // A test over no files would pass.
  if (files.empty()) throw std::runtime_error("no *.json in " + directory.string());
  std::sort(files.begin(), files.end());
  return files;
}

std::filesystem::path data_directory() {
  return std::filesystem::path(SLUICE_SOURCE_DIR) / "tests/data";
}

std::filesystem::path shared_directory() {
  return std::filesystem::path(SLUICE_SOURCE_DIR) / "../shared/corpora";
}

}  // namespace sluice::json
