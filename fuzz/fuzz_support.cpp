#include "fuzz_support.h"

#include <cstdio>
#include <cstdlib>

namespace sluice::json {
namespace {

Selection selection_by_bits(std::uint8_t bits) {
  const std::vector<std::string> pointers = {"",     "/a",     "/a/b",      "/0",
                                             "/1/0", "/a/b/0", "/\xC3\xA9", "/"};
  std::vector<std::string> chosen;
  for (std::size_t index = 0; index < pointers.size(); ++index) {
    if ((bits >> index & 1) != 0) chosen.push_back(pointers[index]);
  }
  return selection_of(chosen);
}

}  // namespace

FuzzInput::FuzzInput(const std::uint8_t* data, std::size_t size) : text(data, size) {
  constexpr std::size_t kTail = 3;
  if (size < kTail) return;
  const Text tail = text.last(kTail);
  text = text.first(size - kTail);
  // Most inputs keep the usual depth: what is too deep ends a text early.
  if (tail[0] < 64) options.max_depth = tail[0];
  options.pass_surrogates = (tail[1] & 1) != 0;
  selection = selection_by_bits(tail[2]);
}

void fail(const std::string& what, Text text) {
  std::fprintf(stderr, "%s\n%s\n", what.c_str(), shown(text).c_str());
  std::abort();
}

void expect_consistent(bool holds, const char* what) {
  if (!holds) fail(std::string("not so: ") + what, {});
}

}  // namespace sluice::json
