#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sluice {

/// Reads a size in bytes: digits and one of B, KiB MiB GiB (powers of 1,024), KB MB GB (powers of
/// 1,000), or digits alone. Nothing for anything else, and for more than 2^63 - 1.
std::optional<std::uint64_t> parse_size(std::string_view text);

/// Reads a duration in nanoseconds: a decimal number and one of ns us ms s m h. No bare numbers.
std::optional<std::uint64_t> parse_duration_ns(std::string_view text);

/// "1.5 MiB", "340 B": three significant digits, for people.
std::string format_size(std::uint64_t bytes);

/// "1.25 s", "8.00 ms": three significant digits, for people.
std::string format_duration(std::uint64_t ns);

/// "1,234,567"
std::string format_count(std::uint64_t count);

}  // namespace sluice
