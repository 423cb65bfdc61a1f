#include "base/sizes.h"

#include <array>
#include <charconv>
#include <cstdio>
#include <limits>

namespace sluice {
namespace {

struct Unit {
  std::string_view name;
  std::uint64_t factor;
};

constexpr std::uint64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::array kSizeUnits{
    Unit{"", 1},
    Unit{"B", 1},
    Unit{"KiB", 1ull << 10},
    Unit{"MiB", 1ull << 20},
    Unit{"GiB", 1ull << 30},
    Unit{"KB", 1'000},
    Unit{"MB", 1'000'000},
    Unit{"GB", 1'000'000'000},
};
constexpr std::array kDurationUnits{
    Unit{"ns", 1},
    Unit{"us", 1'000},
    Unit{"ms", 1'000'000},
    Unit{"s", 1'000'000'000},
    Unit{"m", 60'000'000'000},
    Unit{"h", 3'600'000'000'000},
};

template <std::size_t N>
std::optional<std::uint64_t> factor_of(std::string_view name, const std::array<Unit, N>& units) {
  for (const Unit& unit : units) {
    if (unit.name == name) return unit.factor;
  }
  return std::nullopt;
}

std::string with_digits(double value, const char* unit) {
  std::array<char, 48> text;
  const int decimals = value < 10 ? 2 : value < 100 ? 1 : 0;
  const int size = std::snprintf(text.data(), text.size(), "%.*f %s", decimals, value, unit);
  return {text.data(), static_cast<std::size_t>(size)};
}

}  // namespace

std::optional<std::uint64_t> parse_size(std::string_view text) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{}) return std::nullopt;
  const auto factor = factor_of({rest, static_cast<std::size_t>(end - rest)}, kSizeUnits);
  if (!factor || value > kMax / *factor) return std::nullopt;
  return value * *factor;
}

std::optional<std::uint64_t> parse_duration_ns(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value, std::chars_format::fixed);
  if (error != std::errc{} || !(value >= 0)) return std::nullopt;
  const auto factor = factor_of({rest, static_cast<std::size_t>(end - rest)}, kDurationUnits);
  if (!factor || value > static_cast<double>(kMax / 2) / static_cast<double>(*factor)) {
    return std::nullopt;
  }
  return static_cast<std::uint64_t>(value * static_cast<double>(*factor) + 0.5);
}

std::string format_size(std::uint64_t bytes) {
  if (bytes < 1024) return std::to_string(bytes) + " B";
  const auto value = static_cast<double>(bytes);
  if (bytes < 1024 * 1000) return with_digits(value / 1024, "KiB");
  if (bytes < 1024ull * 1024 * 1000) return with_digits(value / (1024.0 * 1024), "MiB");
  return with_digits(value / (1024.0 * 1024 * 1024), "GiB");
}

std::string format_duration(std::uint64_t ns) {
  const auto value = static_cast<double>(ns);
  if (ns < 1'000'000) return with_digits(value / 1e3, "us");
  if (ns < 1'000'000'000) return with_digits(value / 1e6, "ms");
  return with_digits(value / 1e9, "s");
}

std::string format_count(std::uint64_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, 1, ',');
  }
  return digits;
}

}  // namespace sluice
