#pragma once

#include <cstddef>
#include <memory_resource>
#include <new>

#include "memory/budget.h"

namespace sluice {

/// The heap for containers that take a memory resource, counted against a budget; throws
/// std::bad_alloc where the budget, or the heap, refuses. One thread.
class BudgetResource final : public std::pmr::memory_resource {
 public:
  /// `budget` outlives it.
  BudgetResource(Budget& budget, Region region) : budget_(budget), region_(region) {}

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (!budget_.try_take(region_, bytes)) throw std::bad_alloc();
    try {
      return std::pmr::new_delete_resource()->allocate(bytes, alignment);
    } catch (const std::bad_alloc&) {
      budget_.give_back(region_, bytes);
      throw;
    }
  }
  void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
    std::pmr::new_delete_resource()->deallocate(memory, bytes, alignment);
    budget_.give_back(region_, bytes);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  Budget& budget_;
  Region region_;
};

}  // namespace sluice
