#include "number/read.h"

#include <bit>
#include <charconv>
#include <limits>
#include <system_error>

#include "number/fraction.h"
#include "number/kept.h"
#include "number/nearest.h"

namespace sluice::number {
namespace {

constexpr unsigned kDigitsMax = 19;  ///< so many always fit into 64 bits

/// A run of digits read into a number, which may overflow when the run is long.
struct Run {
  const char* end;
  std::uint64_t value;
};

Run read_run(const char* at, const char* text_end, std::uint64_t value) {
  while (true) {
    const DigitWord word(load_word(at, text_end));
    if (word.count() == 0) return {at, value};
    value = value * ten_to(word.count()) + word.value();
    at += word.count();
    if (word.count() < 8) return {at, value};
  }
}

/// The exponent behind `e`, held at a bound that no count of digits in a text comes near.
std::int64_t read_exponent(const char* at, const char* text_end) {
  constexpr std::int64_t kBound = std::int64_t{1} << 48;
  const bool negative = *at == '-';
  if (negative || *at == '+') ++at;
  std::int64_t value = 0;
  for (; at != text_end && is_digit(*at); ++at) {
    if (value < kBound) value = value * 10 + (*at - '0');
  }
  return negative ? -value : value;
}

/// A number as digits x 10^exponent; `digits` is of use only for up to 19 of them.
struct Decimal {
  std::uint64_t digits;
  std::int64_t exponent;
  std::int64_t count;  ///< of digits, leading zeros included
  const char* end;     ///< of the digits
};

Decimal read_decimal(const char* at, const char* text_end) {
  const Run whole = read_run(at, text_end, 0);
  Decimal decimal{whole.value, 0, whole.end - at, whole.end};
  if (decimal.end != text_end && *decimal.end == '.') {
    const Run fraction = read_run(whole.end + 1, text_end, whole.value);
    decimal.digits = fraction.value;
    decimal.exponent = whole.end + 1 - fraction.end;
    decimal.count -= decimal.exponent;
    decimal.end = fraction.end;
  }
  if (decimal.end != text_end && (*decimal.end | 0x20) == 'e') [[unlikely]] {
    decimal.exponent += read_exponent(decimal.end + 1, text_end);
  }
  return decimal;
}

/// The first 19 digits behind leading zeros, of a number that has more.
struct Leading {
  std::uint64_t digits = 0;
  std::int64_t dropped = 0;  ///< digits behind those 19, which count as a power of ten
};

Leading read_leading(const char* at, const char* digits_end) {
  Leading leading;
  unsigned count = 0;
  for (; at != digits_end; ++at) {
    if (*at == '.') continue;
    if (count == kDigitsMax) {
      ++leading.dropped;
      continue;
    }
    leading.digits = leading.digits * 10 + static_cast<std::uint64_t>(*at - '0');
    if (leading.digits != 0) ++count;
  }
  return leading;
}

/// The exact way for numbers of more than 19 digits that the first 19 do not decide.
std::uint64_t exact_bits(const char* at, const char* text_end, std::uint64_t lower_bound) {
  double value = 0;
  const auto end = std::from_chars(at, text_end, value);
  if (end.ec == std::errc{}) return std::bit_cast<std::uint64_t>(value);
  // Too small and too large are one error there; the bound tells them apart.
  return lower_bound == 0 ? 0 : kInfinityBits;
}

/// Where 19 digits and what follows lie between two neighbours that round to the same double, that
/// is the answer.
[[gnu::noinline]] std::uint64_t long_bits(const char* at, const char* text_end,
                                          const Decimal& decimal) {
  const Leading leading = read_leading(at, decimal.end);
  const std::int64_t exponent = decimal.exponent + leading.dropped;
  const std::uint64_t lower = nearest_double_bits(leading.digits, exponent);
  if (leading.dropped == 0) return lower;
  const std::uint64_t upper = nearest_double_bits(leading.digits + 1, exponent);
  return lower == upper ? lower : exact_bits(at, text_end, lower);
}

/// Any number's magnitude; `at` is behind the sign.
[[gnu::noinline]] std::uint64_t any_magnitude(const char* at, const char* text_end) {
  const Decimal decimal = read_decimal(at, text_end);
  if (decimal.count > kDigitsMax) [[unlikely]] {
    return long_bits(at, text_end, decimal);
  }
  return nearest_double_bits(decimal.digits, decimal.exponent);
}

/// The same for eight digits and more; a straight line for integers of up to fifteen, which are
/// doubles as they are. Requires: sixteen bytes of text.
std::uint64_t long_magnitude(const DigitWord& first_8, const char* at, const char* text_end) {
  const DigitWord rest(load_word(at + 8));
  if (rest.count() == 8 || goes_on_as_real(rest.behind())) return any_magnitude(at, text_end);
  const std::uint64_t value = first_8.value() * ten_to(rest.count()) + rest.value_or_0();
  return std::bit_cast<std::uint64_t>(static_cast<double>(value));
}

/// The magnitude of a number that ends, without an exponent, `end` bytes into its word; one of them
/// is a dot. Digits and power of ten are doubles as they are, so that one division rounds rightly.
std::uint64_t short_real_bits(const DigitWord& word, unsigned end) {
  constexpr double kPowers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6};
  const double power = kPowers[end - word.count() - 1];
  return std::bit_cast<std::uint64_t>(static_cast<double>(word.value_without_dot(end)) / power);
}

/// The same; a straight line for what most numbers are: up to seven digits, perhaps a dot and up to
/// sixteen more, no exponent, and not at the very end of the text.
std::uint64_t magnitude_bits(const char* at, const char* text_end) {
  constexpr std::ptrdiff_t kLongest = 7 + 1 + 16 + 1;
  if (text_end - at < kLongest) [[unlikely]] {
    return any_magnitude(at, text_end);
  }
  const DigitWord whole(load_word(at));
  if (whole.count() == 8) return long_magnitude(whole, at, text_end);
  if (whole.behind() != '.') {
    if (goes_on_as_real(whole.behind())) return any_magnitude(at, text_end);
    return std::bit_cast<std::uint64_t>(static_cast<double>(whole.value()));
  }
  const unsigned end = whole.end_behind_dot();
  if (end < 8 && (whole.byte_at(end) | 0x20) != 'e') return short_real_bits(whole, end);
  const char* const start = at + whole.count() + 1;
  const Fraction fraction = read_fraction(start);
  const char behind = start[fraction.count];
  if ((behind | 0x20) == 'e' || is_digit(behind)) [[unlikely]] {
    return any_magnitude(at, text_end);
  }
  // 999 x 10^16 and 9,999,999 x 10^8 are below 2^64. No exact tie is missed by the exponent that
  // is lower than need be: below 2^49, a tie has more digits than this.
  if (whole.count() <= 3) {
    return nearest_double_bits(whole.value() * 10'000'000'000'000'000 + fraction.value(), -16);
  }
  if (fraction.count <= 8) {
    return nearest_double_bits(whole.value() * 100'000'000 + fraction.first_8, -8);
  }
  return any_magnitude(at, text_end);
}

/// The magnitude of an integer; `at` is behind the sign. nullopt: no integer, or above 2^64 - 1.
std::optional<std::uint64_t> read_magnitude(const char* at, const char* text_end) {
  if (text_end - at >= 16) {
    const DigitWord first(load_word(at));
    const DigitWord second(load_word(at + 8));
    if (first.count() == 8 && second.count() < 8 && !goes_on_as_real(second.behind())) {
      return first.value() * ten_to(second.count()) + second.value_or_0();
    }
  }
  const Run run = read_run(at, text_end, 0);
  if (run.end != text_end && goes_on_as_real(*run.end)) return std::nullopt;
  const std::int64_t count = run.end - at;
  if (count <= kDigitsMax) [[likely]]
    return run.value;
  // 2^64 - 1 has 20 digits and begins with 1. A number of 20 that begins so and overflowed came
  // out below 10^19, as it is below 2 x 10^19 and thus below 2^64 + 10^19.
  constexpr std::uint64_t kSmallest = 10'000'000'000'000'000'000u;
  if (count > kDigitsMax + 1 || *at != '1' || run.value < kSmallest) return std::nullopt;
  return run.value;
}

}  // namespace

namespace detail {

std::optional<std::int64_t> to_int64_long(const char* first, const char* text_end) {
  constexpr std::uint64_t kLimit = std::uint64_t{1} << 63;
  const bool negative = *first == '-';
  const auto magnitude = read_magnitude(first + negative, text_end);
  if (!magnitude || *magnitude > kLimit - !negative) return std::nullopt;
  return static_cast<std::int64_t>(negative ? 0 - *magnitude : *magnitude);
}

std::optional<std::uint64_t> to_uint64_long(const char* first, const char* text_end) {
  const bool negative = *first == '-';
  const auto magnitude = read_magnitude(first + negative, text_end);
  if (magnitude && negative && *magnitude != 0) return std::nullopt;
  return magnitude;
}

}  // namespace detail

std::optional<double> to_double(const char* first, const char* text_end) {
  const bool negative = *first == '-';
  const std::uint64_t bits = magnitude_bits(first + negative, text_end);
  if (bits == kInfinityBits) [[unlikely]]
    return std::nullopt;
  return std::bit_cast<double>(bits | (negative ? kSignBit : 0));
}

std::optional<Number> to_number(const char* first, const char* text_end) {
  const char* const digits = first + (*first == '-');
  const DigitWord word(load_word(digits, text_end));
  const bool short_real = word.count() < 8 && goes_on_as_real(word.behind());
  Number number;
  if (!short_real) [[likely]] {
    if (const auto integer = to_int64(first, text_end)) {
      number.int64 = *integer;
      return number;
    }
    if (const auto large = to_uint64(first, text_end)) {
      number.kind = Kind::uint64;
      number.uint64 = *large;
      return number;
    }
  }
  const auto real = to_double(first, text_end);
  if (!real) return std::nullopt;
  number.kind = Kind::real;
  number.real = *real;
  return number;
}

kernel::NumberBits to_kept(const char* first, const char* text_end) {
  const bool negative = *first == '-';
  const detail::ShortInteger integer = detail::read_short(first + negative, text_end);
  const bool minus_zero = negative && integer.value == 0;
  if (!integer.is_longer && !goes_on_as_real(integer.behind) && !minus_zero &&
      integer.value < kernel::kTaggedMax) {
    const auto value = static_cast<std::int64_t>(integer.value);
    return kernel::tagged_integer(negative ? -value : value);
  }
  return magnitude_bits(first + negative, text_end) | (negative ? kSignBit : 0);
}

}  // namespace sluice::number
