#pragma once

#include <cstdint>

namespace sluice::generate {

/// Seeded numbers that are the same on every machine and with every compiler, which the standard
/// library's distributions are not. The generator is splitmix64 (Steele, Lea and Flood, 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  /// 0 to limit - 1; `limit` is 1 to 2^32. The bias is below limit / 2^32.
  std::uint64_t below(std::uint64_t limit) { return ((next() >> 32) * limit) >> 32; }

  /// True once in `limit` times on average.
  bool one_in(std::uint64_t limit) { return below(limit) == 0; }

  /// An element of an array.
  template <class T, std::size_t N>
  const T& pick(const T (&choices)[N]) {
    return choices[below(N)];
  }

 private:
  std::uint64_t state_;
};

}  // namespace sluice::generate
