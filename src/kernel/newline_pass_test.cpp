#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "kernel/guarded_text.h"
#include "kernel/kernel.h"

namespace sluice::kernel {
namespace {

void expect_newlines(const std::string& text) {
  const u64 count = static_cast<u64>(std::ranges::count(text, '\n'));
  const u64 behind_last = text.rfind('\n') + 1;  // 0 where there is none
  const GuardedText guarded(text);
  for (const Kernel* kernel : supported()) {
    const NewlineCount seen = kernel->newlines(guarded.data(), text.size() / kBlockBytes);
    ASSERT_EQ(seen.count, count) << kernel->name << " " << text.size();
    ASSERT_EQ(seen.behind_last, behind_last) << kernel->name << " " << text.size();
  }
}

TEST(NewlinePass, OneNewlineInEveryBlock) {
  for (std::size_t blocks = 0; blocks < 70; ++blocks) {
    std::string text(blocks * kBlockBytes, ' ');
    expect_newlines(text);
    for (std::size_t block = 0; block < blocks; ++block) {
      const std::size_t at = block * kBlockBytes + block % kBlockBytes;
      text[at] = '\n';
      expect_newlines(text);
      text[at] = ' ';
    }
  }
}

TEST(NewlinePass, AnyNumberAnywhere) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 2000; ++round) {
    std::string text(random() % 100 * kBlockBytes, '\x8A');  // a newline but for the top bit
    for (u64 rest = text.empty() ? 0 : random() % 200; rest != 0; --rest) {
      text[random() % text.size()] = '\n';
    }
    expect_newlines(text);
  }
}

}  // namespace
}  // namespace sluice::kernel
