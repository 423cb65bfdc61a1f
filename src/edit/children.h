#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "edit/node.h"

/// The children of a node: found, read, changed. What changes throws std::bad_alloc, and leaves a
/// node behind that is good for nothing but to be let go.
namespace sluice::json {

/// Where a child is in its node.
struct ChildPlace {
  std::size_t piece = 0;
  std::uint32_t token = 0;    ///< in a run: of the value
  std::uint32_t skipped = 0;  ///< in a run of elements: how many stand before it
};

/// The last member of that name. Cost: looks at the members from the last on.
std::optional<ChildPlace> find_member(const Node& object, std::string_view name);
/// Cost: steps over the pieces before it, and in its run over the elements that are no scalars.
std::optional<ChildPlace> find_element(const Node& array, std::size_t index);
/// The child a step of a JSON Pointer leads to.
std::optional<ChildPlace> find_child(const Node& node, std::string_view reference);

Slot child_at(const Node& node, const ChildPlace& place);
/// The child as a piece of its own, to be changed. Valid until the node's pieces change.
Slot& isolate_child(Node& node, const ChildPlace& place);
void erase_child(Node& node, const ChildPlace& place);
/// Requires: `name` is a string, and the object has no member of that name.
void append_member(Node& object, const Value& name, Slot slot);
/// Requires: index <= size.
void insert_element(Node& array, std::size_t index, Slot slot);

}  // namespace sluice::json
