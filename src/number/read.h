#pragma once

#include <cstdint>
#include <optional>

#include "number/digits.h"

/// Numbers of JSON text to numbers of the machine.
///
/// In all of these the number begins at `first` and was checked by a scanner; it ends at the first
/// byte that cannot go on, or at `text_end`. Nothing at or behind `text_end` is read. An integer is
/// a number without fraction and exponent: `1.0` and `1E2` are none. `-0` is the integer 0, and the
/// double -0.
namespace sluice::number {

namespace detail {
std::optional<std::int64_t> to_int64_long(const char* first, const char* text_end);
std::optional<std::uint64_t> to_uint64_long(const char* first, const char* text_end);
}  // namespace detail

namespace detail {

/// Up to fifteen digits and the byte behind them, 0 at the end of the text.
struct ShortInteger {
  std::uint64_t value;
  char behind;
  bool is_longer;  ///< there are more digits; the rest means nothing then
};

[[gnu::always_inline]] inline ShortInteger read_short(const char* first, const char* text_end) {
  const DigitWord word(load_word(first, text_end));
  if (word.count() < 8) return {word.value(), word.behind(), false};
  const DigitWord rest(load_word(first + 8, text_end));
  if (rest.count() == 8) [[unlikely]]
    return {0, 0, true};
  return {word.value() * ten_to(rest.count()) + rest.value_or_0(), rest.behind(), false};
}

}  // namespace detail

/// nullopt: not an integer, or out of range. Cost: 1 to 3 ns for up to fifteen digits.
inline std::optional<std::int64_t> to_int64(const char* first, const char* text_end) {
  const bool negative = *first == '-';
  const detail::ShortInteger integer = detail::read_short(first + negative, text_end);
  if (integer.is_longer) [[unlikely]]
    return detail::to_int64_long(first, text_end);
  if (goes_on_as_real(integer.behind)) [[unlikely]]
    return std::nullopt;
  const auto value = static_cast<std::int64_t>(integer.value);
  return negative ? -value : value;
}

/// nullopt: not an integer, or out of range (negative ones but -0 too). Cost: as to_int64.
inline std::optional<std::uint64_t> to_uint64(const char* first, const char* text_end) {
  if (*first == '-') [[unlikely]]
    return detail::to_uint64_long(first, text_end);
  const detail::ShortInteger integer = detail::read_short(first, text_end);
  if (integer.is_longer) [[unlikely]]
    return detail::to_uint64_long(first, text_end);
  if (goes_on_as_real(integer.behind)) [[unlikely]]
    return std::nullopt;
  return integer.value;
}

/// The nearest double, ties to even. nullopt: beyond the largest. What is too small is 0 or -0.
/// Cost: 5 to 8 ns for up to 19 digits; longer ones, rarely, up to a microsecond.
std::optional<double> to_double(const char* first, const char* text_end);

enum class Kind : std::uint8_t { int64, uint64, real };

/// A number as the narrowest of the three kinds: int64 where it fits, uint64 for integers above
/// that, real for the rest, which are fractions, exponents and larger integers.
struct Number {
  Kind kind = Kind::int64;
  union {
    std::int64_t int64 = 0;
    std::uint64_t uint64;
    double real;
  };
};

/// nullopt: beyond the largest double. `-0` comes as the int64 0; whoever wants the double of an
/// integer asks for it by to_double.
std::optional<Number> to_number(const char* first, const char* text_end);

}  // namespace sluice::number
