#pragma once

#include <cstddef>
#include <string_view>

#include "edit/node.h"

namespace sluice::json {

/// The JSON text of a piece that is no node, without the name of a single member; of a run, with
/// the names and what stands between its children.
inline std::string_view text_of(const Piece& piece) {
  const std::string_view first = piece.slot.value.raw();
  if (!piece.is_run()) return first;
  const std::string_view last = piece.slot.value.index().raw(piece.behind - 1);
  return {first.data(), static_cast<std::size_t>(last.data() + last.size() - first.data())};
}

}  // namespace sluice::json
