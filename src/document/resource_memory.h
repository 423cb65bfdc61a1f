#pragma once

#include <cstddef>
#include <memory_resource>
#include <utility>

namespace sluice::json {

/// One piece of raw memory of a resource; gives it back at the end. Its bytes mean nothing yet.
class ResourceMemory {
 public:
  static constexpr std::size_t kAlignment = 64;

  explicit ResourceMemory(std::pmr::memory_resource* resource) : resource_(resource) {}
  /// Throws what the resource throws when it has no more.
  ResourceMemory(std::pmr::memory_resource* resource, std::size_t size_bytes)
      : resource_(resource),
        data_(static_cast<std::byte*>(resource->allocate(size_bytes, kAlignment))),
        size_bytes_(size_bytes) {}
  ResourceMemory(ResourceMemory&& other) noexcept
      : resource_(other.resource_),
        data_(std::exchange(other.data_, nullptr)),
        size_bytes_(std::exchange(other.size_bytes_, 0)) {}
  ResourceMemory& operator=(ResourceMemory&& other) noexcept {
    std::swap(resource_, other.resource_);
    std::swap(data_, other.data_);
    std::swap(size_bytes_, other.size_bytes_);
    return *this;
  }
  ~ResourceMemory() {
    if (data_ != nullptr) resource_->deallocate(data_, size_bytes_, kAlignment);
  }

  std::pmr::memory_resource* resource() const { return resource_; }
  std::byte* data() const { return data_; }
  std::size_t size_bytes() const { return size_bytes_; }

 private:
  std::pmr::memory_resource* resource_;
  std::byte* data_ = nullptr;
  std::size_t size_bytes_ = 0;
};

}  // namespace sluice::json
