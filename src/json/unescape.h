#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace sluice::json {

struct Unescaped {
  std::size_t read = 0;
  std::size_t written = 0;
};

/// Decodes what stands between a checked string's quotes, as much as `out` holds; call again with
/// the rest. Never splits a character; with an `out` of at least 4 bytes every call gets on.
/// Requires: `raw` was checked by a scanner that refuses unpaired surrogates. Where one was let
/// through, decoding stops in front of it for good: nothing is read though `out` has room.
/// `out` may begin where `raw` begins: decoded text is never longer, and never overtakes.
Unescaped unescape(std::span<const std::uint8_t> raw, std::span<std::uint8_t> out);

}  // namespace sluice::json
