#pragma once

#include <cstdint>
#include <memory_resource>
#include <string>
#include <string_view>

#include "base/result.h"
#include "document/decoded_strings.h"
#include "document/index.h"

namespace sluice::json {

/// When numbers are converted, and strings that have escapes decoded.
enum class Decode : std::uint8_t {
  when_asked,
  at_once,  ///< while the text is read: nothing is written later
};

/// What a document is made of. Stays where it is while the `Document` moves, so that values may
/// point at it.
struct DocumentState {
  DocumentState(const ScanOptions& scan_options, Decode when, std::pmr::memory_resource* memory)
      : options(scan_options), decode(when), resource(memory), storage(memory), strings(memory) {}

  /// Checks and indexes `text`, which stays where it is. Errors: those of Index::build; then the
  /// index is empty.
  Result<void> build(std::string_view text);
  /// The string at `token`, which has escapes. Errors: those of DecodedStrings, at the string.
  Result<std::string_view> decoded(std::uint32_t token);
  /// Decodes every string that has escapes. Errors: out_of_memory.
  Result<void> decode_all();

  IndexView index;           ///< first: every access begins here
  char* writable = nullptr;  ///< the text, where strings may be decoded over themselves
  ScanOptions options;
  Decode decode;
  std::pmr::memory_resource* resource;
  Index storage;
  DecodedStrings strings;
  std::string owned_text;
};

}  // namespace sluice::json
