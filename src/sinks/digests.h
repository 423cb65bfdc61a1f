#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "kernel/crc32c.h"

namespace sluice {

/// Digests over the bytes that a sink wrote, in order; only those that were asked for cost time.
class Digests {
 public:
  struct Wanted {
    bool crc32c = false;
    bool sha256 = false;
  };

  explicit Digests(const Wanted& wanted);
  ~Digests();

  void update(std::span<const std::uint8_t> bytes);
  std::uint64_t bytes() const { return bytes_; }
  std::uint32_t crc32c() const { return crc32c_.value(); }
  /// Hexadecimal; empty when not wanted.
  std::string sha256() const;

 private:
  struct Sha256;
  bool wants_crc32c_;
  std::uint64_t bytes_ = 0;
  kernel::Crc32c crc32c_;
  std::unique_ptr<Sha256> sha256_;
};

}  // namespace sluice
