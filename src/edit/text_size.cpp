#include "edit/text_size.h"

#include <algorithm>
#include <vector>

#include "document/index.h"
#include "edit/piece_text.h"

namespace sluice::json {
namespace {

struct Level {
  Node* node;
  std::size_t next;    ///< piece
  std::uint64_t size;  ///< of what is before it
};

Level first_level(Node* node) { return {node, 0, 2}; }  // the brackets

/// Adds the pieces of a node up to one that must be gone into first; null when there is none.
Node* add_pieces(Level& level) {
  for (; level.next < level.node->pieces.size(); ++level.next) {
    const Piece& piece = level.node->pieces[level.next];
    const Slot& slot = piece.slot;
    if (slot.node && slot.node->text_size == 0) return slot.node.get();
    level.size += slot.node ? slot.node->text_size : text_of(piece).size();
    if (piece.name.exists()) level.size += piece.name.raw().size() + 1;  // and the colon
    if (level.next > 0) ++level.size;                                    // the comma
  }
  return nullptr;
}

}  // namespace

std::uint64_t text_size_of(const Slot& slot) {
  if (!slot.node) return slot.value.raw().size();
  if (slot.node->text_size != 0) return slot.node->text_size;
  std::pmr::vector<Level> levels(slot.node->pool->resource());
  levels.push_back(first_level(slot.node.get()));
  while (!levels.empty()) {
    if (Node* const inner = add_pieces(levels.back())) {
      levels.push_back(first_level(inner));
    } else {
      // No sum of such sizes overflows.
      levels.back().node->text_size =
          std::min<std::uint64_t>(levels.back().size, 2 * Index::kTextMax);
      levels.pop_back();
    }
  }
  return slot.node->text_size;
}

}  // namespace sluice::json
