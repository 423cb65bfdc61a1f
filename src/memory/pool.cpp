#include "memory/pool.h"

#include <algorithm>
#include <utility>

#include "memory/pages.h"

namespace sluice {

Buffer::Buffer(Buffer&& other) noexcept
    : pool_(other.pool_),
      data_(std::exchange(other.data_, nullptr)),
      capacity_(std::exchange(other.capacity_, 0)),
      region_(other.region_) {}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  if (this != &other) {
    if (data_ != nullptr) pool_->put_back(data_, capacity_, region_);
    pool_ = other.pool_;
    data_ = std::exchange(other.data_, nullptr);
    capacity_ = std::exchange(other.capacity_, 0);
    region_ = other.region_;
  }
  return *this;
}

Buffer::~Buffer() {
  if (data_ != nullptr) pool_->put_back(data_, capacity_, region_);
}

std::optional<Buffer> Pool::take(std::size_t size, Region region) {
  if (size > kLargestBuffer) return std::nullopt;
  const std::size_t capacity = capacity_of(size);
  if (std::uint8_t* kept = reuse(capacity, region)) return Buffer(*this, kept, capacity, region);
  make_room(capacity);
  if (!budget_.try_take(region, capacity)) return std::nullopt;
  std::uint8_t* memory = allocate_memory(capacity);
  if (memory == nullptr) {
    budget_.give_back(region, capacity);
    return std::nullopt;
  }
  return Buffer(*this, memory, capacity, region);
}

bool Pool::grow(Buffer& buffer, std::size_t size, Promise* promise) {
  if (size > kLargestBuffer) return false;
  const std::size_t capacity = capacity_of(size);
  if (capacity <= buffer.capacity_) return true;
  const std::size_t more = capacity - buffer.capacity_;
  make_room(more);
  const bool granted = promise != nullptr ? promise->try_take(buffer.region_, more)
                                          : budget_.try_take(buffer.region_, more);
  if (!granted) return false;
  std::uint8_t* moved = resize_memory(buffer.data_, buffer.capacity_, capacity);
  if (moved == nullptr) {
    budget_.give_back(buffer.region_, more);
    return false;
  }
  buffer.data_ = moved;
  buffer.capacity_ = static_cast<std::uint32_t>(capacity);
  return true;
}

void Pool::shrink(Buffer& buffer, std::size_t size) {
  // Pages at the end go back to the system; smaller memory would have to move.
  const std::size_t capacity = capacity_of(std::max(size, kPagedCapacity));
  if (capacity >= buffer.capacity_) return;
  if (!shrink_memory(buffer.data_, buffer.capacity_, capacity)) return;
  budget_.give_back(buffer.region_, buffer.capacity_ - capacity);
  buffer.capacity_ = static_cast<std::uint32_t>(capacity);
}

std::optional<Promise> Pool::try_promise(std::size_t bytes) {
  if (bytes > budget_.free()) drop_kept();
  return budget_.try_promise(bytes);
}

void Pool::put_back(std::uint8_t* data, std::size_t capacity, Region region) {
  Kept& kept = kept_of(capacity);
  if (kept.memory.size() < options_.kept_per_class) {
    kept.memory.push_back(data);
    budget_.move(region, Region::pool, capacity);
  } else {
    free_memory(data, capacity);
    budget_.give_back(region, capacity);
  }
}

std::uint8_t* Pool::reuse(std::size_t capacity, Region region) {
  Kept& kept = kept_of(capacity);
  if (kept.memory.empty()) return nullptr;
  std::uint8_t* memory = kept.memory.back();
  kept.memory.pop_back();
  budget_.move(Region::pool, region, capacity);
  return memory;
}

void Pool::make_room(std::size_t bytes) {
  std::uint64_t room = budget_.used() + budget_.free();
  if (options_.keeps_peak_low) room = std::min(room, budget_.peak());
  for (Kept& kept : kept_) {
    while (budget_.used() + bytes > room && !kept.memory.empty()) {
      free_memory(kept.memory.back(), kept.capacity);
      kept.memory.pop_back();
      budget_.give_back(Region::pool, kept.capacity);
    }
  }
}

void Pool::drop_kept() {
  for (Kept& kept : kept_) {
    for (std::uint8_t* memory : kept.memory) {
      free_memory(memory, kept.capacity);
      budget_.give_back(Region::pool, kept.capacity);
    }
    kept.memory.clear();
  }
}

Pool::Kept& Pool::kept_of(std::size_t capacity) {
  const auto at = std::find_if(kept_.begin(), kept_.end(),
                               [=](const Kept& each) { return each.capacity == capacity; });
  if (at != kept_.end()) return *at;
  kept_.push_back({.capacity = capacity, .memory = {}});
  kept_.back().memory.reserve(options_.kept_per_class);
  return kept_.back();
}

}  // namespace sluice
