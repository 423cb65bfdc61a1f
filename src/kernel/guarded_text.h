#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "base/check.h"

namespace sluice::kernel {

/// For tests: a text that ends right before a page that nobody may touch, so that a read or write
/// beyond its end is a crash and not a guess.
class GuardedText {
 public:
  explicit GuardedText(std::string_view text) : size_(text.size()) {
    pages_ = (size_ + kPageBytes - 1) / kPageBytes * kPageBytes;
    void* memory = mmap(nullptr, pages_ + kPageBytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    SLUICE_CHECK(memory != MAP_FAILED);
    base_ = static_cast<std::uint8_t*>(memory);
    SLUICE_CHECK(mprotect(base_ + pages_, kPageBytes, PROT_NONE) == 0);
    std::memcpy(base_ + pages_ - size_, text.data(), size_);
  }
  ~GuardedText() { munmap(base_, pages_ + kPageBytes); }
  GuardedText(const GuardedText&) = delete;
  GuardedText& operator=(const GuardedText&) = delete;

  std::span<std::uint8_t> bytes() const { return {base_ + pages_ - size_, size_}; }
  const std::uint8_t* data() const { return bytes().data(); }

 private:
  static constexpr std::size_t kPageBytes = 4096;

  std::size_t size_;
  std::size_t pages_;
  std::uint8_t* base_;
};

}  // namespace sluice::kernel
