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
/// `raw` has been checked by a scanner that refuses unpaired surrogates.
Unescaped unescape(std::span<const std::uint8_t> raw, std::span<std::uint8_t> out);

}  // namespace sluice::json
