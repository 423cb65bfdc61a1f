// One document through every way into the reader: the verdict of the exact machine, and on good
// texts the fields of the plain selection.

#include "fuzz_support.h"

using namespace sluice;
using namespace sluice::json;

namespace {

void compare(const EntryPoint& entry, const FuzzInput& input, const Error& expected) {
  const Error error = entry.verdict(input.text, input.options, input.selection);
  if (error != expected) {
    fail(entry.name + " says " + shown(error) + " instead of " + shown(expected), input.text);
  }
  if (error.code != ErrorCode::none || !entry.select) return;
  if (entry.select(input.text, input.options, input.selection) !=
      plain_fields(input.text, input.selection)) {
    fail(entry.name + " finds other fields", input.text);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const FuzzInput input(data, size);
  const Error expected = plain_verdict(input.text, input.options);
  for (const EntryPoint& entry : entry_points()) {
    if (entry.takes(input.text)) compare(entry, input, expected);
  }
  return 0;
}
