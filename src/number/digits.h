#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

/// Decimal digits in text, eight a step within a 64-bit word.
namespace sluice::number {

static_assert(std::endian::native == std::endian::little, "the first digit is the lowest byte");

/// Eight bytes of text as one word, the first in the lowest byte.
inline std::uint64_t load_word(const char* at) {
  std::uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

/// As load_word, for fewer than eight bytes; behind them are zeros, which are no digits.
[[gnu::noinline, gnu::cold]] inline std::uint64_t load_last_word(const char* at,
                                                                 const char* text_end) {
  std::uint64_t word = 0;
  for (int shift = 0; at != text_end; ++at, shift += 8) {
    word |= static_cast<std::uint64_t>(static_cast<unsigned char>(*at)) << shift;
  }
  return word;
}

inline std::uint64_t load_word(const char* at, const char* text_end) {
  if (text_end - at >= 8) [[likely]] {
    return load_word(at);
  }
  return load_last_word(at, text_end);
}

/// The digits that a word begins with.
class DigitWord {
 public:
  explicit DigitWord(std::uint64_t word) : word_(word), values_(word ^ kEach * '0') {
    // A byte of values_ above 9 gets its top bit by adding 0x76. What a byte above 0x7F carries
    // goes into later bytes only, and the first that is no digit decides.
    others_ = ((values_ + kEach * 0x76) | values_) & kEach * 0x80;
    count_ = static_cast<unsigned>(std::countr_zero(others_)) / 8;
  }

  /// 0 to 8.
  unsigned count() const { return count_; }
  /// The byte behind the digits. Requires: count() < 8.
  char behind() const { return static_cast<char>(word_ >> (8 * count_)); }
  /// The number that the digits are. Requires: count() > 0.
  std::uint64_t value() const { return joined(values_ << (64 - 8 * count_)); }
  /// The same, 0 without digits. Requires: count() < 8.
  std::uint64_t value_or_0() const { return joined(values_ << 1 << (63 - 8 * count_)); }

  /// Bytes up to the second one that is no digit; 8 when there is none.
  unsigned end_behind_dot() const {
    return static_cast<unsigned>(std::countr_zero(others_ & (others_ - 1))) / 8;
  }
  /// The number that the digits are when the first byte that is none, a dot, is left out.
  /// Requires: count() > 0, end == end_behind_dot() < 8.
  std::uint64_t value_without_dot(unsigned end) const {
    const std::uint64_t before_dot = ((others_ & (0 - others_)) >> 7) - 1;
    const std::uint64_t digits = (values_ & before_dot) | (values_ >> 8 & ~before_dot);
    return joined(digits << (72 - 8 * end));
  }
  /// The byte at `place`, below 8.
  char byte_at(unsigned place) const { return static_cast<char>(word_ >> (8 * place)); }

 private:
  static constexpr std::uint64_t kEach = 0x0101010101010101;

  /// Eight digits, one a byte, to a number: neighbours are joined, 8 x 1 digit to 4 x 2, and those,
  /// weighted and summed within one product each, to one of 8.
  static std::uint64_t joined(std::uint64_t digits) {
    const std::uint64_t pairs = digits * 10 + (digits >> 8);
    constexpr std::uint64_t kPairs = 0x000000FF000000FF;
    constexpr std::uint64_t kFirstAndThird = 100 + (std::uint64_t{1000000} << 32);
    constexpr std::uint64_t kSecondAndFourth = 1 + (std::uint64_t{10000} << 32);
    return ((pairs & kPairs) * kFirstAndThird + (pairs >> 16 & kPairs) * kSecondAndFourth) >> 32;
  }

  std::uint64_t word_;
  std::uint64_t values_;
  std::uint64_t others_;  ///< the top bit of each byte that is no digit
  unsigned count_;
};

/// 10^0 to 10^19, all that 64 bits hold.
inline constexpr auto kTens = [] {
  std::array<std::uint64_t, 20> tens{1};
  for (std::size_t i = 1; i < tens.size(); ++i) tens[i] = tens[i - 1] * 10;
  return tens;
}();

/// An entry of kTens without the look at the index that a checked library takes.
inline std::uint64_t ten_to(unsigned exponent) { return kTens.data()[exponent]; }

inline bool is_digit(char byte) { return static_cast<unsigned char>(byte - '0') < 10; }

/// Whether the byte behind an integer's digits makes it a number with a fraction or an exponent.
inline bool goes_on_as_real(char byte) { return byte == '.' || (byte | 0x20) == 'e'; }

}  // namespace sluice::number
