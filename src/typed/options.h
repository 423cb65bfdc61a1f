#pragma once

#include <cstdint>

#include "json/scan.h"

namespace sluice::json {

enum class Unknown : std::uint8_t { ignore, refuse };
enum class Missing : std::uint8_t { refuse, keep };
enum class Duplicates : std::uint8_t { refuse, last_wins };

/// How JSON becomes structs.
struct ReadOptions {
  ScanOptions scan{};
  /// Members of the text that the struct does not have.
  Unknown unknown = Unknown::ignore;
  /// Members of the struct that the text does not have; those that may be absent (std::optional,
  /// pointers) always can be. `keep` leaves them as they were.
  Missing missing = Missing::refuse;
  /// A member of the struct that comes twice.
  Duplicates duplicates = Duplicates::refuse;
  /// Arrays, maps and structs inside each other. What is nested deeper in the text, in a type that
  /// contains itself, is refused (json_depth), so that the stack has a bound. (Time has one, too:
  /// json_depth also ends the search through alternatives that begin alike inside each other.)
  std::uint32_t levels_max = 256;
};

}  // namespace sluice::json
