#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/result.h"
#include "memory/pool.h"

namespace sluice {

/// How a body is compressed, by its Content-Encoding.
enum class Coding : std::uint8_t { identity, gzip, zstd };
/// As Accept-Encoding lists them.
inline constexpr std::string_view kCodings = "gzip, zstd";

/// Nothing for a coding that is not known, and for more than one. "" is identity.
std::optional<Coding> coding_of(std::string_view content_encoding);

/// A body that was decompressed, with `padding` readable bytes behind it.
struct DecodedBody {
  Buffer buffer;
  std::size_t size = 0;
};

/// Decompresses a whole body. Memory grows with what comes out, never beyond `most` bytes of it, so
/// that a small body which would become huge costs no more than a large one.
/// Errors: body_coding for bytes that are no such coding, cut or followed by more; body_limit;
/// budget_full.
Result<DecodedBody> decode_body(Coding coding, std::span<const std::uint8_t> body, std::size_t most,
                                std::size_t padding, Pool& pool);

}  // namespace sluice
