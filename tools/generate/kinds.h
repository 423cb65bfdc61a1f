#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "generate/random.h"

namespace sluice::generate {

/// A kind of sample record. Its rules are in docs/sample-data.md.
struct Kind {
  std::string_view name;
  std::string_view summary;
  std::uint64_t records;  ///< how many are made when nobody says
  /// Appends record `index`, without a line end. Draws from `random` only, so that a longer file
  /// begins with the shorter one of the same seed.
  void (*append)(std::string& out, Random& random, std::uint64_t index);
};

std::span<const Kind> all_kinds();

/// The kind of that name, or null.
const Kind* find_kind(std::string_view name);

}  // namespace sluice::generate
