// Reads documents as lines of hexadecimal on stdin; answers each with one line: "refused", or
// "accepted" and for every pointer given as an argument its JSON text in hexadecimal, "-" for none.

#include <array>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "json/document_scanner.h"

using namespace sluice;
using namespace sluice::json;

namespace {

struct alignas(64) StreamMemory {
  std::array<std::byte, kStreamBytes> bytes;
};

std::vector<std::uint8_t> bytes_of_hex(const std::string& text) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t index = 0; index + 1 < text.size(); index += 2) {
    bytes.push_back(static_cast<std::uint8_t>(std::stoul(text.substr(index, 2), nullptr, 16)));
  }
  return bytes;
}

void print_hex(std::span<const std::uint8_t> bytes) {
  for (const std::uint8_t byte : bytes) std::printf("%02x", byte);
}

void print_fields(std::span<const std::uint8_t> text, std::span<const std::uint64_t> row,
                  std::size_t fields) {
  for (std::size_t field = 0; field < fields; ++field) {
    std::fputs(" ", stdout);
    if ((row[1 + field / 64] >> field % 64 & 1) == 0) {
      std::fputs("-", stdout);
      continue;
    }
    const std::uint64_t range = row[1 + presence_words(fields) + field];
    print_hex(text.subspan(range_start(row[0]) + range_start(range), range_size(range)));
  }
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<Pointer> pointers;
  for (int index = 1; index < count; ++index) {
    const Result<Pointer> pointer = Pointer::parse(arguments[index]);
    if (!pointer) return 2;
    pointers.push_back(*pointer);
  }
  const Selection selection(std::move(pointers));
  static StreamMemory streams;
  DocumentScanner scanner(selection, {}, streams.bytes);
  std::vector<std::uint64_t> row(row_words(selection.size()));
  for (std::string line; std::getline(std::cin, line);) {
    std::vector<std::uint8_t> bytes = bytes_of_hex(line);
    const std::size_t size = bytes.size();
    bytes.resize(size + kScanPadding);
    const auto text = std::span<const std::uint8_t>(bytes).first(size);
    const bool accepted = scanner.scan(text, row).has_value();
    std::fputs(accepted ? "accepted" : "refused", stdout);
    if (accepted) print_fields(text, row, selection.size());
    std::fputs("\n", stdout);
  }
  return 0;
}
