#pragma once

#include <cstddef>
#include <memory_resource>
#include <new>

namespace sluice::json {

/// For tests: memory of which the n-th request fails (counted from 1), and all behind it; and
/// what is outstanding.
class FailingResource final : public std::pmr::memory_resource {
 public:
  static constexpr std::size_t kNever = ~std::size_t{0};

  explicit FailingResource(std::size_t fails_at = kNever) : left_(fails_at) {}
  std::size_t outstanding_bytes() const { return outstanding_bytes_; }
  std::size_t requests() const { return requests_; }
  void fail_after(std::size_t requests) { left_ = requests; }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    ++requests_;
    if (left_ != kNever && left_-- <= 1) {
      left_ = 1;
      throw std::bad_alloc();
    }
    outstanding_bytes_ += bytes;
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
    outstanding_bytes_ -= bytes;
    std::pmr::new_delete_resource()->deallocate(memory, bytes, alignment);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  std::size_t left_;
  std::size_t requests_ = 0;
  std::size_t outstanding_bytes_ = 0;
};

}  // namespace sluice::json
