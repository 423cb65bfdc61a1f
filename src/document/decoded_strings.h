#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "base/result.h"

namespace sluice::json {

/// The strings of a document that have escapes and were asked for, as they are meant.
class DecodedStrings {
 public:
  explicit DecodedStrings(std::pmr::memory_resource* resource)
      : arena_(resource), strings_(&arena_) {}

  /// The string at `token`, of which `body` is what stands between the quotes; decoded the first
  /// time it is asked for. `writable`: the body itself, where it may be decoded over itself, else
  /// nullptr; requires that unpaired surrogates were refused.
  /// Writes nothing here when it was asked for before. Lifetime: until `clear`. Errors:
  /// out_of_memory; json_type for an unpaired surrogate that a scanner was told to pass. Their
  /// offset is open.
  Result<std::string_view> get(std::uint32_t token, std::string_view body, char* writable);
  /// Forgets all and gives the memory back.
  void clear();

 private:
  std::pmr::monotonic_buffer_resource arena_;
  std::pmr::unordered_map<std::uint32_t, std::string_view> strings_;  ///< nullptr: no text
};

/// Decodes a string's `body` to `to`, which has room for as much and may be the body itself.
/// Returns the size, or nothing for an unpaired surrogate.
std::optional<std::size_t> decode_string(std::string_view body, char* to);

}  // namespace sluice::json
