#include "memory/pages.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

// Under AddressSanitizer everything comes from malloc, so that an overrun is seen at once.
#if defined(__SANITIZE_ADDRESS__)
#define SLUICE_MALLOC_ONLY 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SLUICE_MALLOC_ONLY 1
#endif
#endif

namespace sluice {
namespace {

constexpr std::size_t kAlignment = 64;

bool is_paged(std::size_t capacity) {
#ifdef SLUICE_MALLOC_ONLY
  static_cast<void>(capacity);
  return false;
#else
  return capacity >= kPagedCapacity;
#endif
}

}  // namespace

std::uint8_t* allocate_memory(std::size_t capacity) {
  if (!is_paged(capacity)) {
    const std::size_t rounded = (capacity + kAlignment - 1) / kAlignment * kAlignment;
    return static_cast<std::uint8_t*>(std::aligned_alloc(kAlignment, rounded));
  }
  void* memory =
      mmap(nullptr, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<std::uint8_t*>(memory);
}

std::uint8_t* resize_memory(std::uint8_t* memory, std::size_t from, std::size_t to) {
  if (is_paged(from) && is_paged(to)) {
    void* moved = mremap(memory, from, to, MREMAP_MAYMOVE);
    return moved == MAP_FAILED ? nullptr : static_cast<std::uint8_t*>(moved);
  }
  std::uint8_t* fresh = allocate_memory(to);
  if (fresh == nullptr) return nullptr;
  std::memcpy(fresh, memory, std::min(from, to));
  free_memory(memory, from);
  return fresh;
}

bool shrink_memory(std::uint8_t* memory, std::size_t from, std::size_t to) {
  // Without pages (under AddressSanitizer) the rest is only no longer counted.
  return !is_paged(from) || mremap(memory, from, to, 0) == memory;
}

void free_memory(std::uint8_t* memory, std::size_t capacity) {
  if (is_paged(capacity)) {
    munmap(memory, capacity);
  } else {
    std::free(memory);
  }
}

}  // namespace sluice
