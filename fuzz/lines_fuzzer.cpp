// A text of many lines: rows and faults of every line as the plain reader has them, with room for
// one row a call and for all.

#include "fuzz_support.h"
#include "line_runs.h"

using namespace sluice;
using namespace sluice::json;

namespace {

void compare(const kernel::Kernel& kernel, const FuzzInput& input, Text text, std::size_t rows) {
  const Lines expected = plain_lines(text, input.selection);
  const Lines lines = scan_lines(kernel, text, input.selection, rows);
  const std::string way = std::string(kernel.name) + ", " + std::to_string(rows) + " rows a call";
  if (lines.faults != expected.faults) fail(way + ": other faults", text);
  if (lines.rows != expected.rows) fail(way + ": other rows", text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const FuzzInput input(data, size);
  Bytes text(input.text.begin(), input.text.end());
  text.push_back('\n');
  for (const kernel::Kernel* kernel : kernel::supported()) {
    compare(*kernel, input, text, 1);
    compare(*kernel, input, text, text.size());
  }
  return 0;
}
