#include "writer/write_string.h"

#include <algorithm>
#include <cstring>

#include "json/utf8.h"
#include "kernel/kernel.h"

namespace sluice::json {
namespace {

/// What is escaped at once when there is little room: its longest form fits.
constexpr std::size_t kPieceMin = (Output::kRoomMax - kernel::kEscapeSlack) / kernel::kEscapeBytes;
/// And when there is plenty.
constexpr std::size_t kPieceMax = std::size_t{1} << 20;

/// As much of `text` as the output has room for, not cut within a character.
std::string_view next_piece(const Output& out, std::string_view text) {
  const std::size_t left = out.left();
  const std::size_t fits =
      left < kernel::kEscapeSlack ? 0 : (left - kernel::kEscapeSlack) / kernel::kEscapeBytes;
  std::size_t size = std::clamp(fits, kPieceMin, kPieceMax);
  if (size >= text.size()) return text;
  constexpr std::size_t kContinuationsMax = 3;
  const std::size_t least = size - kContinuationsMax;
  while (size > least && (text[size] & 0xC0) == 0x80) --size;
  return text.substr(0, size);
}

/// A piece that is not UTF-8, with U+FFFD for what is wrong. Room: as for the escape pass.
char* escape_replacing(char* at, std::string_view piece) {
  constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
  while (!piece.empty()) {
    const std::size_t size = character_size(piece);
    const std::string_view character = size == 0 ? kReplacement : piece.substr(0, size);
    const kernel::Escape escape = kernel::kEscapes[static_cast<unsigned char>(character[0])];
    if (escape != 0) {
      std::memcpy(at, &escape, sizeof escape);
      at += kernel::escape_size(escape);
    } else {
      std::memcpy(at, character.data(), character.size());
      at += character.size();
    }
    piece.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return at;
}

}  // namespace

void detail::write_any_string(Output& out, std::string_view text, IllFormed ill_formed) {
  const std::uint64_t offset = out.size();
  const auto escape = kernel::active().escape;
  out.put("\"");
  while (!text.empty()) {
    const std::string_view piece = next_piece(out, text);
    char* const at = out.room(piece.size() * kernel::kEscapeBytes + kernel::kEscapeSlack);
    if (at == nullptr) return;
    const kernel::EscapeEnd end =
        escape(reinterpret_cast<const kernel::u8*>(piece.data()),
               static_cast<kernel::u32>(piece.size()), reinterpret_cast<kernel::u8*>(at));
    if (!end.ill_formed) [[likely]] {
      out.commit(reinterpret_cast<char*>(end.out));
    } else if (ill_formed == IllFormed::replace) {
      out.commit(escape_replacing(at, piece));
    } else {
      return out.fail(ErrorCode::json_utf8, offset);
    }
    text.remove_prefix(piece.size());
  }
  out.put("\"");
}

}  // namespace sluice::json
