#pragma once

#include <algorithm>
#include <cstddef>
#include <memory_resource>
#include <utility>
#include <vector>

#include "document/resource_memory.h"

namespace sluice::json {

/// Memory that is taken piece by piece and given back all at once. Pieces are aligned for
/// pointers. Throws what the resource throws.
class Arena {
 public:
  explicit Arena(std::pmr::memory_resource* resource) : blocks_(resource) {}

  [[gnu::always_inline]] char* take(std::size_t size_bytes) {
    if (static_cast<std::size_t>(end_ - at_) < size_bytes) [[unlikely]]
      add_block(size_bytes);
    char* const piece = at_;
    shrink_last(piece + size_bytes);
    return piece;
  }
  /// What was taken last ends at `end`, which lies in it.
  void shrink_last(char* end) {
    const auto used = static_cast<std::size_t>(end - start_);
    at_ = start_ + std::min((used + kAlignment - 1) / kAlignment * kAlignment,
                            static_cast<std::size_t>(end_ - start_));
  }
  /// Forgets all, and keeps the largest block for what comes next.
  void clear() {
    if (blocks_.empty()) return;
    std::swap(blocks_.front(), blocks_.back());
    blocks_.erase(blocks_.begin() + 1, blocks_.end());
    enter_block();
  }

 private:
  static constexpr std::size_t kAlignment = alignof(void*);
  static constexpr std::size_t kFirstBlock = 4096;

  [[gnu::noinline]] void add_block(std::size_t size_bytes) {
    const std::size_t twice = blocks_.empty() ? kFirstBlock : 2 * blocks_.back().size_bytes();
    std::pmr::memory_resource* const resource = blocks_.get_allocator().resource();
    blocks_.emplace_back(resource, std::max(twice, size_bytes));
    enter_block();
  }
  void enter_block() {
    start_ = reinterpret_cast<char*>(blocks_.back().data());
    at_ = start_;
    end_ = start_ + blocks_.back().size_bytes();
  }

  std::pmr::vector<ResourceMemory> blocks_;
  char* start_ = nullptr;  ///< of the last block
  char* at_ = nullptr;
  char* end_ = nullptr;
};

}  // namespace sluice::json
