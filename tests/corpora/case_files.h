#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "json/error_text.h"
#include "json/scan.h"

/// Reads what the tests compare with: files of texts, and tables of texts with their faults.
namespace sluice::json {

using Bytes = std::vector<std::uint8_t>;

inline Bytes bytes_of(std::string_view text) { return Bytes(text.begin(), text.end()); }

/// `inside` between quotes, as it is.
Bytes quoted(std::span<const std::uint8_t> inside);

/// For messages: what cannot be printed as <XX>, long texts cut.
std::string shown(std::span<const std::uint8_t> bytes);
/// For messages: "accepted" or code, expectation and offset.
std::string shown(const Error& error);

struct Case {
  Bytes text;
  ScanOptions options;
  Error error;   ///< code none: accepted
  int line = 0;  ///< in its file
};

/// tests/data/faults.txt and tests/data/accepted.txt; their heads tell the format.
std::vector<Case> fault_cases();
std::vector<Case> accepted_cases();

/// "12 3a" as bytes.
Bytes bytes_of_hex(std::string_view text);

Bytes read_file(const std::filesystem::path& path);
/// The *.json files of a directory, in the order of their names.
std::vector<std::filesystem::path> json_files(const std::filesystem::path& directory);

std::filesystem::path data_directory();
/// Where the big public corpora lie, if they lie there at all.
std::filesystem::path shared_directory();

}  // namespace sluice::json
