#pragma once

#include <array>

#include "case_files.h"
#include "json/scan.h"

namespace sluice::json {

/// A text in memory of exactly its size and the padding, in which every byte would mislead.
class Padded {
 public:
  explicit Padded(std::span<const std::uint8_t> text)
      : bytes_(text.begin(), text.end()), size_(text.size()) {
    for (std::size_t index = 0; index < kScanPadding; ++index) {
      bytes_.push_back(static_cast<std::uint8_t>("\"]}\\\xFF"[index % 5]));
    }
    bytes_.shrink_to_fit();
  }
  std::span<const std::uint8_t> text() const { return std::span(bytes_).first(size_); }

 private:
  Bytes bytes_;
  std::size_t size_;
};

struct alignas(64) StreamMemory {
  std::array<std::byte, kStreamBytes> bytes;
};

}  // namespace sluice::json
