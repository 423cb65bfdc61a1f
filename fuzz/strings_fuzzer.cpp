// Pointers of any bytes, and strings decoded with little room: the same text as with plenty, valid
// UTF-8, never longer than what it was made of.

#include <algorithm>

#include "fuzz_support.h"
#include "json/pointer.h"
#include "json/unescape.h"

using namespace sluice;
using namespace sluice::json;

namespace {

Bytes decoded(Text raw, std::size_t room) {
  Bytes text;
  while (!raw.empty()) {
    Bytes out(std::min(room, raw.size() + 4));
    const Unescaped step = unescape(raw, out);
    if (step.read == 0 || step.written > step.read) fail("decoding does not get on", raw);
    text.insert(text.end(), out.begin(), out.begin() + static_cast<std::ptrdiff_t>(step.written));
    raw = raw.subspan(step.read);
  }
  return text;
}

void try_string(Text raw) {
  if (plain_verdict(quoted(raw), {}).code != ErrorCode::none) return;
  const Bytes text = decoded(raw, raw.size() + 4);
  for (const std::size_t room : {4, 5, 7, 64}) {
    if (decoded(raw, room) != text) fail("decoding depends on the room", raw);
  }
  Bytes in_place(raw.begin(), raw.end());
  in_place.resize(unescape(in_place, in_place).written);
  if (in_place != text) fail("decoding in place differs", raw);
  // Escaping nothing but what must be escaped makes a valid string again.
  Bytes escaped;
  for (const std::uint8_t byte : text) {
    if (byte < 0x20 || byte == '"' || byte == '\\') return;
    escaped.push_back(byte);
  }
  if (plain_verdict(quoted(escaped), {}).code != ErrorCode::none) fail("not UTF-8", raw);
}

void try_pointer(Text text) {
  const std::string_view view(reinterpret_cast<const char*>(text.data()), text.size());
  const Result<Pointer> pointer = Pointer::parse(view);
  if (!pointer) {
    if (pointer.error().offset > text.size()) fail("a fault behind the pointer", text);
    return;
  }
  std::string again;
  for (const std::string& token : pointer->tokens()) {
    again += '/';
    for (const char byte : token) {
      again += byte == '~' ? "~0" : byte == '/' ? "~1" : std::string(1, byte);
    }
  }
  if (again != view) fail("a pointer does not come back", text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Text text(data, size);
  try_string(text);
  try_pointer(text);
  // Whatever bytes there are, a sentence can be made of them.
  const Error error = plain_verdict(text, {});
  if (error.code != ErrorCode::none && describe(error, text).empty()) fail("no sentence", text);
  return 0;
}
