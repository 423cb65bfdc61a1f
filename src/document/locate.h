#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::json {

/// A place for people: both from 1 on, the column in bytes.
struct Location {
  std::uint64_t line = 1;
  std::uint64_t column = 1;

  friend bool operator==(const Location&, const Location&) = default;
};

/// Line and column of a byte; what is behind the text is taken for its end. A newline ends its
/// line and belongs to it. Cost: a few ten GB/s.
Location locate(std::string_view text, std::uint64_t offset);

/// The JSON Pointer of the innermost value that stands at `offset`, or that is to begin there. ""
/// is the whole text. Names are decoded.
/// Requires: the text is valid up to there; what follows may be anything. In any other text the
/// answer is some pointer. Cost: reads the text up to there, about a nanosecond a token and more
/// for long strings; memory for the open brackets.
std::string pointer_at(std::string_view text, std::uint64_t offset);

}  // namespace sluice::json
