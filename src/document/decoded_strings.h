#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "document/arena.h"

namespace sluice::json {

/// The strings of a document that have escapes and were asked for, as they are meant.
///
/// Where each one is stands in pages, which are made when they are needed: of two tokens that
/// stand next to each other one is no string, so they share an entry. (A hash table took three
/// times as long, 50 ns a string.)
/// Memory: that of the strings; at most 4 bytes a token, where strings have escapes.
class DecodedStrings {
 public:
  explicit DecodedStrings(std::pmr::memory_resource* resource)
      : arena_(resource), pages_(resource) {}

  /// The string at `token`, of which `body` is what stands between the quotes; decoded the first
  /// time it is asked for. `writable`: the body itself, where it may be decoded over itself, else
  /// nullptr; requires that unpaired surrogates were refused.
  /// Writes nothing here when it was asked for before. Lifetime: until `clear`. Errors:
  /// out_of_memory; json_type for an unpaired surrogate that a scanner was told to pass. Their
  /// offset is open.
  Result<std::string_view> get(std::uint32_t token, std::string_view body, char* writable);
  /// Forgets all; the memory is used again.
  void clear();

 private:
  static constexpr std::uint32_t kPageEntries = 256;
  static constexpr std::uint32_t kPageTokens = 2 * kPageEntries;

  /// Characters of a string, with their number in front as 32 bits; null: not asked for yet.
  using Entry = const char*;

  Entry& entry_of(std::uint32_t token) {
    const std::size_t page = token / kPageTokens;
    Entry* const there = page < pages_.size() ? pages_[page] : nullptr;
    return (there != nullptr ? there : make_page(page))[token % kPageTokens / 2];
  }
  Entry* make_page(std::size_t page);
  Entry decode(std::string_view body);

  Arena arena_;
  std::pmr::vector<Entry*> pages_;
};

/// Decodes a string's `body` to `to`, which has room for as much and may be the body itself.
/// Returns the size, or nothing for an unpaired surrogate.
std::optional<std::size_t> decode_string(std::string_view body, char* to);

}  // namespace sluice::json
