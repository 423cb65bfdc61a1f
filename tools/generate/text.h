#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "generate/random.h"

/// Pieces of JSON text that the kinds of records are made of. All append to `out` what stands
/// between a string's quotes, or a number; none writes quotes.
namespace sluice::generate {

/// Exactly `size` bytes of English words, with an escape (\n \" \\ \t) about every 200 bytes.
void append_prose(std::string& out, Random& random, std::size_t size);

/// Exactly `size` characters of the base64 alphabet.
void append_base64(std::string& out, Random& random, std::size_t size);

/// A log message: 2 to 7 phrases, of which one in four holds an escape or letters beyond ASCII.
void append_message(std::string& out, Random& random);

/// `value` in decimal, at least `width` digits, zeros in front.
void append_padded(std::string& out, std::uint64_t value, std::size_t width);

/// The lowest `digits` hexadecimal digits of `value`, small letters.
void append_hex(std::string& out, std::uint64_t value, int digits);

/// `thousandths` / 1000 with three digits behind the point.
void append_thousandths(std::string& out, std::uint64_t thousandths);

/// An RFC 3339 time in UTC with microseconds, `microseconds` after 2026-03-01T00:00:00Z; the day
/// wraps after 28, so that every time is a date.
void append_time(std::string& out, std::uint64_t microseconds);

}  // namespace sluice::generate
