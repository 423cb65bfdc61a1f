#pragma once

#include <cstddef>
#include <memory_resource>
#include <string_view>
#include <utility>
#include <vector>

#include "edit/node.h"
#include "edit/piece_text.h"

namespace sluice::json {

/// The JSON text of an edited value, as pieces of the texts it is made of, in their order. Throws
/// std::bad_alloc. Cost: a step for each piece, whatever its size; no recursion.
class WrittenPieces {
 public:
  explicit WrittenPieces(const Slot& slot)
      : slot_(slot),
        levels_(slot.node ? slot.node->pool->resource() : std::pmr::get_default_resource()) {}

  /// Calls `take(text)` for each, until it returns false.
  template <class Take>
  void for_each(Take take) {
    if (!slot_.node) {
      take(slot_.value.raw());
      return;
    }
    if (!open(*slot_.node.get(), take)) return;
    while (!levels_.empty()) {
      Level& level = levels_.back();
      const Node& node = *level.node;
      if (level.next == node.pieces.size()) {
        if (!take(node.is_object ? "}" : "]")) return;
        levels_.pop_back();
        continue;
      }
      if (level.next > 0 && !take(",")) return;
      if (!write(node.pieces[level.next++], take)) return;
    }
  }

 private:
  struct Level {
    const Node* node;
    std::size_t next;  ///< piece
  };

  template <class Take>
  bool open(const Node& node, Take& take) {
    levels_.push_back({&node, 0});
    return take(node.is_object ? "{" : "[");
  }

  template <class Take>
  bool write(const Piece& piece, Take& take) {
    if (piece.name.exists() && !(take(piece.name.raw()) && take(":"))) return false;
    return piece.slot.node ? open(*piece.slot.node.get(), take) : take(text_of(piece));
  }

  const Slot& slot_;
  std::pmr::vector<Level> levels_;
};

}  // namespace sluice::json
