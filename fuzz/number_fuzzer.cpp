// Numbers: texts are read as the standard library reads them, with and without more behind them;
// eight bytes as a double or an integer are written and read back bit for bit.

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

#include "fuzz_support.h"
#include "number/read.h"
#include "number/write.h"

using namespace sluice;
using namespace sluice::json;

namespace {

void expect(bool holds, const char* what, std::string_view text) {
  if (!holds) fail(what, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

std::uint64_t bits_of(const std::optional<double>& value) {
  return std::bit_cast<std::uint64_t>(value.value_or(std::numeric_limits<double>::infinity()));
}

/// Whether the standard library knows the value; what is too small it refuses as well.
void compare_double(std::string_view text) {
  double expected = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), expected);
  const auto value = number::to_double(text.data(), text.data() + text.size());
  if (end.ec == std::errc{}) {
    expect(bits_of(value) == std::bit_cast<std::uint64_t>(expected), "another double", text);
  } else {
    expect(!value || *value == 0, "out of range is refused or zero", text);
  }
  const std::string longer = std::string(text) + "],[1234567890123456789012345";
  expect(bits_of(number::to_double(longer.data(), longer.data() + longer.size())) == bits_of(value),
         "what follows matters", text);
}

template <class T, class Read>
void compare_integer(std::string_view text, Read read) {
  T expected = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), expected);
  const bool there = end.ec == std::errc{} && end.ptr == text.data() + text.size();
  const std::optional<T> value = read(text.data(), text.data() + text.size());
  if (std::is_unsigned_v<T> && text.starts_with('-')) {
    expect(value.has_value() == (text == "-0"), "a negative number without a sign", text);
  } else {
    expect(value == (there ? std::optional<T>(expected) : std::nullopt), "another integer", text);
  }
}

void try_text(Text bytes) {
  const bool number = !bytes.empty() && (bytes[0] == '-' || (bytes[0] >= '0' && bytes[0] <= '9')) &&
                      bytes.back() > ' ' && plain_verdict(bytes, {}).code == ErrorCode::none;
  if (!number) return;
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  compare_double(text);
  compare_integer<std::int64_t>(text, number::to_int64);
  compare_integer<std::uint64_t>(text, number::to_uint64);
}

template <class T>
std::string written(T value) {
  char out[number::kNumberBytes];
  return {out, number::write(out, value)};
}

void try_bits(std::uint64_t bits) {
  const std::string integer = written(static_cast<std::int64_t>(bits));
  expect(integer == std::to_string(static_cast<std::int64_t>(bits)), "another text", integer);
  const double value = std::bit_cast<double>(bits);
  if (!std::isfinite(value)) return;
  const std::string text = written(value);
  const auto* const verdict = reinterpret_cast<const std::uint8_t*>(text.data());
  expect(plain_verdict({verdict, text.size()}, {}).code == ErrorCode::none, "no number", text);
  expect(bits_of(number::to_double(text.data(), text.data() + text.size())) == bits,
         "does not read back", text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try_text({data, size});
  for (std::size_t at = 0; at + 8 <= size; at += 8) {
    std::uint64_t bits;
    std::memcpy(&bits, data + at, sizeof bits);
    try_bits(bits);
  }
  return 0;
}
