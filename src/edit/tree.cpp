#include "edit/tree.h"

#include <optional>

#include "document/names.h"
#include "edit/children.h"

namespace sluice::json {
namespace {

/// One step down from a value.
bool step_to(Slot& at, std::string_view reference) {
  if (at.node) {
    const std::optional<ChildPlace> place = find_child(*at.node.get(), reference);
    if (!place) return false;
    at = child_at(*at.node.get(), *place);
    return true;
  }
  if (!at.is_container()) return false;
  at.value = at.value.step(reference);
  return at.value.exists();
}

/// Where in an array an element is to be inserted; "-" is its end.
std::optional<std::size_t> insertion_index(const Node& array, std::string_view reference) {
  if (reference == "-") return array.size;
  const std::optional<std::uint32_t> index = index_of(reference);
  if (!index || *index > array.size) return std::nullopt;
  return *index;
}

}  // namespace

bool Tree::find(Steps place, Slot& found) const {
  found = root_;
  for (const std::string& reference : place) {
    if (!step_to(found, reference)) return false;
  }
  return true;
}

/// The container there, as a node that may be changed, as are all on the way; null when there is
/// none.
Node* Tree::reach(Steps place) {
  Slot* slot = &root_;
  for (const std::string& reference : place) {
    if (!slot->is_container()) return nullptr;
    Node& node = pool_.own(*slot);
    const std::optional<ChildPlace> child = find_child(node, reference);
    if (!child) return nullptr;
    slot = &isolate_child(node, *child);
  }
  return slot->is_container() ? &pool_.own(*slot) : nullptr;
}

bool Tree::add(Steps place, const Value& name, Slot slot) {
  if (place.empty()) {
    root_ = std::move(slot);
    return true;
  }
  Node* const parent = reach(place.first(place.size() - 1));
  if (parent == nullptr) return false;
  if (!parent->is_object) {
    const std::optional<std::size_t> index = insertion_index(*parent, place.back());
    if (index) insert_element(*parent, *index, std::move(slot));
    return index.has_value();
  }
  if (const std::optional<ChildPlace> member = find_member(*parent, place.back())) {
    isolate_child(*parent, *member) = std::move(slot);
  } else {
    append_member(*parent, name, std::move(slot));
  }
  return true;
}

/// Of members of one name all go: the place is to be empty.
bool Tree::remove(Steps place) {
  if (place.empty()) return false;
  Node* const parent = reach(place.first(place.size() - 1));
  if (parent == nullptr) return false;
  std::optional<ChildPlace> child = find_child(*parent, place.back());
  if (!child) return false;
  erase_child(*parent, *child);
  if (!parent->is_object) return true;
  while ((child = find_member(*parent, place.back()))) erase_child(*parent, *child);
  return true;
}

bool Tree::replace(Steps place, Slot slot) {
  if (place.empty()) {
    root_ = std::move(slot);
    return true;
  }
  Node* const parent = reach(place.first(place.size() - 1));
  if (parent == nullptr) return false;
  const std::optional<ChildPlace> child = find_child(*parent, place.back());
  if (child) isolate_child(*parent, *child) = std::move(slot);
  return child.has_value();
}

}  // namespace sluice::json
