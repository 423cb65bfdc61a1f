#include "json/has_backslash.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "kernel/guarded_text.h"

namespace sluice::json {
namespace {

/// Every size and place, with backslashes behind the text, and with nothing readable there.
TEST(HasBackslash, AtEveryPlaceOfEverySize) {
  for (std::size_t size = 0; size <= 40; ++size) {
    for (std::size_t place = 0; place <= size; ++place) {
      for (const char other : {'x', '[', ']', '\x5D', '\x00', '\xDC', '\xFF'}) {
        std::string text(size, other);
        if (place < size) text[place] = '\\';
        const std::string longer = text + std::string(16, '\\');
        const std::string_view view(longer.data(), size);
        EXPECT_EQ(has_backslash(view), place < size);
        EXPECT_EQ(has_backslash(view, longer.data() + longer.size()), place < size);
        EXPECT_EQ(has_backslash(view, view.data() + size), place < size);
      }
    }
  }
}

TEST(HasBackslash, ReadsNothingBehindTheEnd) {
  for (std::size_t size = 0; size <= 20; ++size) {
    const kernel::GuardedText guarded(std::string(size, 'x'));
    const auto* const start = reinterpret_cast<const char*>(guarded.bytes().data());
    EXPECT_FALSE(has_backslash({start, size}, start + size));
  }
}

}  // namespace
}  // namespace sluice::json
