#pragma once

#include <bit>
#include <cstddef>

namespace sluice {

/// The capacities that buffers come in.
enum class SizeClasses {
  four_a_doubling,  ///< 64, 80, 96, 112, 128, 160, ...: at most a fifth is lost
  powers_of_two,    ///< 64, 128, 256, ...: what the study of retention policies used
};

inline constexpr std::size_t kSmallestCapacity = 64;

/// The smallest capacity that holds `size` bytes.
constexpr std::size_t capacity_for(std::size_t size, SizeClasses classes) {
  if (size <= kSmallestCapacity) return kSmallestCapacity;
  const std::size_t power = std::bit_ceil(size);
  if (classes == SizeClasses::powers_of_two) return power;
  const std::size_t step = power / 8;  // between power/2 and power there are four steps
  return (size + step - 1) / step * step;
}

}  // namespace sluice
