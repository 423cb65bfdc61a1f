#pragma once

#include <cstdint>
#include <span>

namespace sluice::kernel {

/// CRC-32C (Castagnoli, RFC 3720), over bytes that come in pieces of any size.
class Crc32c {
 public:
  void update(std::span<const std::uint8_t> bytes);
  /// Of all bytes so far; more may follow.
  std::uint32_t value() const { return ~state_; }

 private:
  std::uint32_t state_ = ~std::uint32_t{0};
};

/// One way to move the register over `bytes`. All give the same; tests go through every one.
using Crc32cStep = std::uint32_t (*)(std::uint32_t state, std::span<const std::uint8_t> bytes);

/// Slicing by eight; runs everywhere.
std::uint32_t crc32c_portable(std::uint32_t state, std::span<const std::uint8_t> bytes);
/// By the processor's own instruction (SSE4.2), or null where this machine has none.
Crc32cStep crc32c_instruction();

}  // namespace sluice::kernel
