// The elements of an array as records, whole and as they arrive in pieces: rows and fault as the
// plain reader has them.

#include "array_runs.h"
#include "fuzz_support.h"
#include "kernel/kernel.h"
#include "splits.h"

using namespace sluice;
using namespace sluice::json;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const FuzzInput input(data, size);
  Bytes text = {'['};
  text.insert(text.end(), input.text.begin(), input.text.end());
  const ElementRows expected = plain_elements(text, input.options, input.selection);
  for (const kernel::Kernel* kernel : kernel::supported()) {
    expect_consistent(kernel::select(kernel->name).has_value(), "a supported kernel can be had");
    for (const auto& cuts : splits_of(text.size())) {
      const std::size_t rows = cuts.empty() ? text.size() + 1 : 1 + cuts[0] % 3;
      const ElementRows elements = scan_elements(text, input.options, input.selection, cuts, rows);
      if (elements.error != expected.error) {
        fail(std::string(kernel->name) + " says " + shown(elements.error) + " instead of " +
                 shown(expected.error),
             text);
      }
      if (elements.rows != expected.rows) fail(std::string(kernel->name) + ": other rows", text);
    }
  }
  return 0;
}
