#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "typed/read.h"

namespace {

/// Allocations that still succeed; below 0 all do.
long allocations_left = -1;

}  // namespace

// The whole test program allocates here, so that the n-th allocation can fail. Not inlined: GCC
// would then object that what comes from one operator goes to another. Inlined, news and
// deletes look to GCC 12 as if they did not fit.
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  if (allocations_left == 0) throw std::bad_alloc();
  if (allocations_left > 0) --allocations_left;
  const auto multiple = static_cast<std::size_t>(alignment);
  void* const memory = std::aligned_alloc(multiple, (size + multiple - 1) / multiple * multiple);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
[[gnu::noinline]] void* operator new(std::size_t size) {
  return operator new(size, std::align_val_t(alignof(std::max_align_t)));
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace sluice::json {
namespace {

struct Leaf {
  std::string text;
  std::optional<std::string> maybe;
};

struct Tree {
  std::vector<Leaf> leaves;
  std::map<std::string, std::unique_ptr<Leaf>> by_name;
  std::string_view view;
};

constexpr std::string_view kText =
    R"({"leaves":[{"text":"longer than what fits into a string itself"},
        {"text":"\u00e9scapes \"and\" more than fits","maybe":"and some more text as well"}],
       "by_name":{"a name that is longer than usual":{"text":"t"},"b":null},"view":"v"})";

TEST(OutOfMemory, IsAnErrorAtEachAllocationAndLosesNothing) {
  long failed = 0;
  for (long n = 0;; ++n) {
    Result<Tree> tree{Tree{}};
    allocations_left = n;
    tree = read<Tree>(kText);
    const bool all_done = allocations_left > 0;
    allocations_left = -1;
    if (tree) {
      EXPECT_TRUE(all_done || tree->leaves.size() == 2);
      EXPECT_EQ(tree->leaves[1].text, "\xC3\xA9scapes \"and\" more than fits");
      break;
    }
    ASSERT_EQ(tree.error().code, ErrorCode::out_of_memory) << "allocation " << n;
    ++failed;
  }
  // The vector, three strings, a key, two nodes of the map, a leaf; and the index.
  EXPECT_GE(failed, 9);
}

}  // namespace
}  // namespace sluice::json
