#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <string>

#include "writer/writer.h"

namespace {

/// Allocations that still succeed; below 0 all do.
long allocations_left = -1;

}  // namespace

// The whole test program allocates here, so that the n-th allocation can fail.
void* operator new(std::size_t size) {
  if (allocations_left == 0) throw std::bad_alloc();
  if (allocations_left > 0) --allocations_left;
  void* const memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace sluice::json {
namespace {

constexpr std::uint32_t kDepth = 300;  // levels that need memory of their own

void write_all(Writer& writer, std::string_view long_text) {
  for (std::uint32_t level = 0; level < kDepth; ++level) writer.begin_array();
  writer.value(long_text);
  writer.raw(long_text);
  for (int number = 0; number < 2000; ++number) writer.value(number);
  for (std::uint32_t level = 0; level < kDepth; ++level) writer.end_array();
}

TEST(OutOfMemory, IsAnErrorAtEachAllocationAndTheStringIsAsBefore) {
  const std::string long_text = '"' + std::string(20000, 'x') + '"';
  long failed = 0;
  for (long n = 0;; ++n) {
    std::string text = "before";
    StringOutput out(text);
    Writer writer(out);
    allocations_left = n;
    write_all(writer, long_text);
    const Result<void> end = writer.close();
    allocations_left = -1;
    if (end) break;
    ++failed;
    ASSERT_EQ(end.error().code, ErrorCode::out_of_memory) << "allocation " << n;
    ASSERT_EQ(text, "before");
  }
  EXPECT_GT(failed, 5);
}

}  // namespace
}  // namespace sluice::json
