#include "edit/same_number.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace sluice::json {
namespace {

/// 0.digits times ten to the exponent; the first digit is none or not 0.
struct Decimal {
  bool negative = false;
  std::string_view digits;  ///< with a point among them, and zeros at the end
  std::int64_t exponent = 0;
};

/// What stands behind the e; nothing for what is too long.
std::optional<std::int64_t> read_exponent(std::string_view text) {
  constexpr std::size_t kDigitsMax = 18;
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  while (text.starts_with('0')) text.remove_prefix(1);
  if (text.size() > kDigitsMax) return std::nullopt;
  std::int64_t exponent = 0;
  for (const char digit : text) exponent = exponent * 10 + (digit - '0');
  return negative ? -exponent : exponent;
}

/// Nothing when the exponent is too long.
std::optional<Decimal> read_decimal(std::string_view text) {
  Decimal decimal;
  decimal.negative = text.starts_with('-');
  if (decimal.negative) text.remove_prefix(1);
  const std::size_t e = text.find_first_of("eE");
  decimal.digits = text.substr(0, e);
  const std::size_t leading = decimal.digits.find_first_not_of("0.");
  if (leading == std::string_view::npos) return Decimal{};
  if (e != std::string_view::npos) {
    const std::optional<std::int64_t> exponent = read_exponent(text.substr(e + 1));
    if (!exponent) return std::nullopt;
    decimal.exponent = *exponent;
  }
  const std::size_t point = decimal.digits.find('.');
  const std::size_t whole_digits = point == std::string_view::npos ? decimal.digits.size() : point;
  decimal.digits.remove_prefix(leading);
  // Zeros before the point are at most one, 0; zeros behind it make the number smaller.
  const std::size_t zeros_behind = leading > whole_digits ? leading - whole_digits - 1 : 0;
  const std::size_t digits_before = leading < whole_digits ? whole_digits : 0;
  decimal.exponent +=
      static_cast<std::int64_t>(digits_before) - static_cast<std::int64_t>(zeros_behind);
  return decimal;
}

/// The next digit, 0 behind the last.
char take_digit(std::string_view& digits) {
  if (digits.starts_with('.')) digits.remove_prefix(1);
  if (digits.empty()) return '0';
  const char digit = digits[0];
  digits.remove_prefix(1);
  return digit;
}

}  // namespace

bool is_same_number(std::string_view a, std::string_view b) {
  if (a == b) return true;
  const std::optional<Decimal> first = read_decimal(a);
  const std::optional<Decimal> second = read_decimal(b);
  if (!first || !second) return false;
  if (first->negative != second->negative || first->exponent != second->exponent) return false;
  std::string_view left = first->digits;
  std::string_view right = second->digits;
  while (!left.empty() || !right.empty()) {
    if (take_digit(left) != take_digit(right)) return false;
  }
  return true;
}

}  // namespace sluice::json
