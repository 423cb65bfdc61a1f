#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/error.h"
#include "json/pointer.h"

/// What every scanner of records has in common: what to look for, and the rows it fills.
namespace sluice::json {

struct ScanOptions {
  std::uint32_t max_depth = 1024;
  /// True passes unpaired surrogates in escapes through as raw bytes instead of refusing them.
  bool pass_surrogates = false;
};

/// The fields a scan looks for, 0 to size() - 1, in the order in which the pointers were given.
/// Two equal pointers are two fields. No field at all is a scan that only checks.
class Selection {
 public:
  Selection() = default;
  explicit Selection(std::vector<Pointer> pointers) : pointers_(std::move(pointers)) {}
  std::size_t size() const { return pointers_.size(); }
  const std::vector<Pointer>& pointers() const { return pointers_; }

 private:
  std::vector<Pointer> pointers_;
};

/// A row is what a scan tells of one accepted record, as words of 64 bits:
///
///     word 0            body: start in the scanned text (low half), size in bytes (high half)
///     ceil(fields/64)   presence: bit f%64 of word 1 + f/64 is set when field f is there
///     fields            field f: start relative to the body's start (low), size (high), 0 if
///     absent
///
/// The body is the record without its line end; a field's range is its JSON text, quotes included,
/// without surrounding blanks. Among members of one name the last wins, and forgets what was found
/// below an earlier one.
constexpr std::size_t presence_words(std::size_t fields) { return (fields + 63) / 64; }
constexpr std::size_t row_words(std::size_t fields) { return 1 + presence_words(fields) + fields; }
constexpr std::uint64_t pack_range(std::uint32_t start, std::uint32_t size) {
  return start | std::uint64_t{size} << 32;
}
constexpr std::uint32_t range_start(std::uint64_t range) {
  return static_cast<std::uint32_t>(range);
}
constexpr std::uint32_t range_size(std::uint64_t range) {
  return static_cast<std::uint32_t>(range >> 32);
}

/// Bytes that must be readable behind every scanned text. Their values do not matter.
inline constexpr std::size_t kScanPadding = 64;

/// Bytes of memory that a scanner needs for the streams of one chunk, whatever the input.
/// Given by the caller, so that they are counted; aligned to 64.
inline constexpr std::size_t kStreamBytes = 24 * 1024;

}  // namespace sluice::json
