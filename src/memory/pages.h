#pragma once

#include <cstddef>
#include <cstdint>

namespace sluice {

/// Memory from the system in whole pages for buffers of this size and more: it goes back when it
/// is freed, grows by moving its pages instead of its bytes, and costs nothing until it is touched.
inline constexpr std::size_t kPagedCapacity = 16 * 1024;

/// Not initialised (pages are zero). Null when the system has none.
std::uint8_t* allocate_memory(std::size_t capacity);
/// Keeps the first min(from, to) bytes; the old memory is gone unless null is returned.
std::uint8_t* resize_memory(std::uint8_t* memory, std::size_t from, std::size_t to);
/// Gives back what is behind the first `to` bytes; the memory stays where it is. False where it
/// cannot. Requires: both sizes are at least kPagedCapacity.
bool shrink_memory(std::uint8_t* memory, std::size_t from, std::size_t to);
void free_memory(std::uint8_t* memory, std::size_t capacity);

}  // namespace sluice
