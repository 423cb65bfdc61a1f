// The body of a chunked request: whatever the bytes, whole or in pieces, it is the same body or the
// same refusal; and what a plain decoder takes apart as a valid body is that body.

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "http/http_test_support.h"

using namespace sluice;
using namespace sluice::http;

namespace {

constexpr std::string_view kHead =
    "POST /e HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";

/// The plainest form of a chunked body: sizes without extensions, no trailers, nothing behind.
std::optional<std::string> decode_plainly(std::string_view raw) {
  std::string body;
  while (true) {
    const std::size_t end = raw.find("\r\n");
    if (end == raw.npos || end == 0 || end > 8) return std::nullopt;
    std::uint64_t size = 0;
    const auto read = std::from_chars(raw.data(), raw.data() + end, size, 16);
    if (read.ec != std::errc{} || read.ptr != raw.data() + end) return std::nullopt;
    raw.remove_prefix(end + 2);
    if (size == 0) return raw == "\r\n" ? std::optional(body) : std::nullopt;
    if (raw.size() < size + 2 || raw.substr(size, 2) != "\r\n") return std::nullopt;
    body += raw.substr(0, size);
    raw.remove_prefix(size + 2);
  }
}

std::vector<std::string> bodies_of(std::string_view raw, std::size_t step) {
  Line line;
  line.space.limits.chunk_extras = 1 << 20;  // is met earlier in pieces, by a few bytes
  line.receive(kHead);
  while (!raw.empty() && !line.closing()) {
    line.receive(raw.substr(0, step));
    raw.remove_prefix(std::min(step, raw.size()));
  }
  return line.application.bodies;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view raw(reinterpret_cast<const char*>(data), size - 1);
  const std::vector<std::string> whole = bodies_of(raw, raw.size() + 1);
  if (whole != bodies_of(raw, 1 + data[size - 1])) std::abort();
  const std::optional<std::string> plain = decode_plainly(raw);
  if (plain && whole != std::vector{*plain}) std::abort();
  return 0;
}
