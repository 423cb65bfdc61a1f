#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <string>
#include <string_view>

#include "document/containers.h"
#include "edit/edited_document.h"

namespace {

/// Requests for memory that still succeed; below 0 all do.
long requests_left = -1;

[[gnu::noinline]] void* take(std::size_t size, std::size_t alignment) {
  if (requests_left == 0) throw std::bad_alloc();
  if (requests_left > 0) --requests_left;
  void* const memory = std::aligned_alloc(alignment, (size + alignment - 1) & ~(alignment - 1));
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

// The whole test program takes its memory here, so that any request can fail.
void* operator new(std::size_t size) { return take(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return take(size, static_cast<std::size_t>(alignment));
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

constexpr std::string_view kText =
    R"({"a": [1, {"b": [2, 3]}, "x\u00e9"], "a long name for the heap\t": {"c": {"d": null}}})";

constexpr std::string_view kPatch = R"([
  {"op": "test", "path": "/a/2", "value": "x\u00e9"},
  {"op": "test", "path": "/a", "value": [1, {"b": [2.0, 3]}, "x\u00e9"]},
  {"op": "add", "path": "/a/1/b/1", "value": {"e": [ ]}},
  {"op": "copy", "from": "/a", "path": "/another name that is long enough for the heap"},
  {"op": "move", "from": "/a/1/b", "path": "/a long name for the heap\t/c/d"},
  {"op": "remove", "path": "/a/0"}])";
constexpr std::string_view kPatched =
    R"({"a":[{},"x\u00e9"],"a long name for the heap\t":{"c":{"d":[2,{"e":[]},3]}},)"
    R"("another name that is long enough for the heap":[1,{"b":[2,{"e":[]},3]},"x\u00e9"]})";

constexpr std::string_view kMergePatch =
    R"({"a long name for the heap\t": {"c": {"d": 1, "f": {"g": null}}, "h": [0]}, "a": null})";
constexpr std::string_view kMerged =
    R"({"a long name for the heap\t":{"c":{"d":1,"f":{}},"h":[0]}})";

/// Does it with ever more memory until it succeeds; before, nothing may have changed.
template <class Edit>
void expect_all_or_nothing(Edit edit, std::string_view expected) {
  const Document document = *Document::parse(kText);
  for (long requests = 0; requests < 1000; ++requests) {
    EditedDocument edited(document);
    requests_left = requests;
    const Result<void> done = edit(edited);
    const Result<std::string> text = done ? edited.text() : std::string();
    requests_left = -1;
    if (!done) {
      ASSERT_EQ(done.error().code, ErrorCode::out_of_memory);
      ASSERT_EQ(*edited.text(), kText);
    } else if (!text) {
      ASSERT_EQ(text.error().code, ErrorCode::out_of_memory);
    } else {
      EXPECT_EQ(*text, expected);
      EXPECT_GT(requests, 10);
      return;
    }
  }
  FAIL() << "never had enough";
}

TEST(EditsOutOfMemory, Patch) {
  const Document patch = *Document::parse(kPatch);
  expect_all_or_nothing([&](EditedDocument& edited) { return edited.apply(patch.root()); },
                        kPatched);
}

TEST(EditsOutOfMemory, MergePatch) {
  const Document patch = *Document::parse(kMergePatch);
  expect_all_or_nothing([&](EditedDocument& edited) { return edited.merge(patch.root()); },
                        kMerged);
}

TEST(EditsOutOfMemory, SingleOperation) {
  expect_all_or_nothing(
      [](EditedDocument& edited) { return edited.add("/a", R"(["a value as long as it takes"])"); },
      R"({"a":["a value as long as it takes"],"a long name for the heap\t": {"c": {"d": null}}})");
}

TEST(EditsOutOfMemory, LookUps) {
  const Document document = *Document::parse(kText);
  EditedDocument edited(document);
  ASSERT_TRUE(edited.merge(Document::parse(kMergePatch)->root()));
  for (long requests = 0; requests < 100; ++requests) {
    requests_left = requests;
    const Result<std::int64_t> number = edited.at("/a long name for the heap\t/c/d").as_int64();
    requests_left = -1;
    if (number) {
      EXPECT_EQ(*number, 1);
      EXPECT_GT(requests, 0);
      return;
    }
    ASSERT_EQ(number.error().code, ErrorCode::out_of_memory);
  }
  FAIL() << "never had enough";
}

}  // namespace
}  // namespace sluice::json
