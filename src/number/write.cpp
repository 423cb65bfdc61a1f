#include "number/write.h"

#include <bit>
#include <cstring>

#include "base/check.h"
#include "number/digits.h"
#include "number/shortest.h"

namespace sluice::number {
namespace {

constexpr int kMantissaBits = 52;
constexpr std::uint64_t kHiddenBit = std::uint64_t{1} << kMantissaBits;
constexpr std::uint64_t kSignBit = std::uint64_t{1} << 63;
constexpr int kDigitsMax = 17;

/// A decimal brought to seventeen digits.
struct Seventeen {
  std::uint64_t digits;
  int point;
};

/// Seventeen digits as text in registers: the first, and two words of eight.
struct DigitText {
  char first;
  std::uint64_t high;
  std::uint64_t low;
  int count;  ///< digits but for zeros at their end, 1 to 17
  int point;  ///< the decimal point lies behind so many; may be beyond either end
};

/// `all`: seventeen digits.
DigitText text_of_17(std::uint64_t all, int point) {
  constexpr std::uint64_t kEight = 100'000'000;
  const std::uint64_t nine = all / kEight;
  const auto [high, low, count] = digits_of_16(static_cast<std::uint32_t>(nine % kEight),
                                               static_cast<std::uint32_t>(all % kEight));
  return {.first = static_cast<char>('0' + nine / kEight),
          .high = high | kZeroDigits,
          .low = low | kZeroDigits,
          .count = 1 + count,
          .point = point};
}

void store_digits(char* out, const DigitText& text) {
  *out = text.first;
  store_word(out + 1, text.high);
  store_word(out + 9, text.low);
}

/// 1234.5: the point among the digits. The words are stored twice, the second time moved by one;
/// later stores cover what earlier ones put too far.
char* write_mixed(char* out, const DigitText& text) {
  store_digits(out, text);
  char* const point = out + text.point;
  if (text.point <= 8) {
    store_word(point + 1, text.high >> (8 * (text.point - 1)));
    store_word(out + 10, text.low);
  } else {
    store_word(point + 1, text.low >> (8 * (text.point - 9)));
  }
  *point = '.';
  return out + text.count + 1;
}

/// 1230000.0: no digit behind the point.
char* write_integral(char* out, const DigitText& text) {
  store_digits(out, text);
  store_word(out + kDigitsMax, kZeroDigits);
  std::memcpy(out + text.point, ".0", 2);
  return out + text.point + 2;
}

/// 0.00123: the point in front of the digits.
char* write_small(char* out, const DigitText& text) {
  std::memcpy(out, "0.000000", 8);
  char* const digits = out + 2 - text.point;
  store_digits(digits, text);
  return digits + text.count;
}

/// 1.23e-45
char* write_with_exponent(char* out, const DigitText& text) {
  out[0] = text.first;
  out[1] = '.';
  store_word(out + 2, text.high);
  store_word(out + 10, text.low);
  out += text.count == 1 ? 1 : text.count + 1;
  const int exponent = text.point - 1;
  *out++ = 'e';
  *out++ = exponent < 0 ? '-' : '+';
  const int magnitude = exponent < 0 ? -exponent : exponent;
  return detail::write_up_to_8(out, static_cast<std::uint32_t>(magnitude));
}

/// Any but those of write_mixed.
[[gnu::noinline]] char* write_other(char* out, std::uint64_t digits, int point) {
  constexpr int kPlainMin = -6;
  constexpr int kPlainMax = 21;
  const DigitText text = text_of_17(digits, point);
  if (text.point > kPlainMax || text.point <= kPlainMin) return write_with_exponent(out, text);
  if (text.point <= 0) return write_small(out, text);
  return write_integral(out, text);
}

/// Most numbers have digits on both sides of the point; for them all stays in registers.
[[gnu::always_inline]] inline char* write_digits(char* out, const Seventeen& decimal) {
  const DigitText text = text_of_17(decimal.digits, decimal.point);
  const bool mixed = text.point > 0 && text.point < text.count;
  return mixed ? write_mixed(out, text) : write_other(out, decimal.digits, decimal.point);
}

/// Of any decimal with up to 17 digits.
Seventeen seventeen_of(const Shortest& decimal) {
  const auto count = static_cast<int>(detail::count_digits(decimal.digits));
  return {decimal.digits * ten_to(static_cast<unsigned>(kDigitsMax - count)),
          count + decimal.exponent};
}

/// Of one with 16 or 17, as quick_shortest makes them: a mantissa of 53 bits times 1 to 10.
Seventeen seventeen_of_normal(const Shortest& decimal) {
  const bool short_one = decimal.digits < ten_to(kDigitsMax - 1);
  return {decimal.digits * (short_one ? 10 : 1),
          kDigitsMax - (short_one ? 1 : 0) + decimal.exponent};
}

constexpr int kBias = 1023 + kMantissaBits;
constexpr int kFloatMantissaBits = 23;
constexpr int kFloatBias = 127 + kFloatMantissaBits;

/// Of a float above 0, given by its bits: the way of the doubles is one for any mantissa.
Seventeen shortest_of_float(std::uint32_t magnitude) {
  constexpr std::uint32_t kHidden = std::uint32_t{1} << kFloatMantissaBits;
  const auto field = static_cast<int>(magnitude >> kFloatMantissaBits);
  const std::uint32_t mantissa = magnitude & (kHidden - 1);
  if (field == 0) return seventeen_of(exact_shortest(mantissa, 1 - kFloatBias, false));
  const bool at_power_of_two = mantissa == 0 && field > 1;
  return seventeen_of(exact_shortest(mantissa | kHidden, field - kFloatBias, at_power_of_two));
}

[[gnu::noinline]] Seventeen exact_seventeen(int field, std::uint64_t mantissa) {
  if (field == 0) return seventeen_of(exact_shortest(mantissa, 1 - kBias, false));
  return seventeen_of(
      exact_shortest(mantissa | kHiddenBit, field - kBias, mantissa == 0 && field > 1));
}

Seventeen shortest_seventeen(std::uint64_t magnitude) {
  const auto field = static_cast<int>(magnitude >> kMantissaBits);
  const std::uint64_t mantissa = magnitude & (kHiddenBit - 1);
  if (field == 0 || mantissa == 0) [[unlikely]] {
    return exact_seventeen(field, mantissa);
  }
  const Shortest quick = quick_shortest(mantissa | kHiddenBit, field - kBias);
  if (quick.digits == 0) [[unlikely]] {
    return exact_seventeen(field, mantissa);
  }
  return seventeen_of_normal(quick);
}

}  // namespace

namespace detail {

char* write_long(char* out, std::uint64_t value) {
  constexpr std::uint64_t kEight = 100'000'000;
  const std::uint64_t top = value / kEight;
  const auto last = static_cast<std::uint32_t>(value % kEight);
  if (top >= kEight) {
    out = write_up_to_8(out, static_cast<std::uint32_t>(top / kEight));
    return write_8(write_8(out, static_cast<std::uint32_t>(top % kEight)), last);
  }
  const unsigned count = count_digits(top);
  const Digits16 digits = digits_of_16(static_cast<std::uint32_t>(top), last);
  store_word(out, (digits.high | kZeroDigits) >> (64 - 8 * count));
  store_word(out + count, digits.low | kZeroDigits);
  return out + count + 8;
}

}  // namespace detail

char* write(char* out, double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t magnitude = bits & ~kSignBit;
  SLUICE_CHECK(magnitude >> kMantissaBits != 0x7FF);
  *out = '-';
  out += bits >> 63;
  const double absolute = std::bit_cast<double>(magnitude);
  if (absolute < static_cast<double>(2 * kHiddenBit)) {
    const auto whole = static_cast<std::int64_t>(absolute);
    if (static_cast<double>(whole) == absolute) {
      out = write(out, static_cast<std::uint64_t>(whole));
      std::memcpy(out, ".0", 2);
      return out + 2;
    }
  }
  const Seventeen decimal = shortest_seventeen(magnitude);
  return write_digits(out, decimal);
}

char* write(char* out, float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & ~(std::uint32_t{1} << 31);
  SLUICE_CHECK(magnitude >> kFloatMantissaBits != 0xFF);
  if (magnitude == 0) return write(out, static_cast<double>(value));
  *out = '-';
  out += bits >> 31;
  const Seventeen decimal = shortest_of_float(magnitude);
  return write_digits(out, decimal);
}

}  // namespace sluice::number
