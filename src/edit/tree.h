#pragma once

#include <memory_resource>
#include <span>
#include <string>
#include <utility>

#include "edit/node.h"

namespace sluice::json {

/// A document with edits: the operations of RFC 6902 on places that are given by the steps of a
/// JSON Pointer. False: there is no such place; the tree is then half changed, and whoever cares
/// has kept its root. All throw std::bad_alloc, with the same consequence.
class Tree {
 public:
  using Steps = std::span<const std::string>;

  Tree(const Value& root, std::pmr::memory_resource* resource) : pool_(resource), root_{root, {}} {}

  const Slot& root() const { return root_; }
  void set_root(Slot root) { root_ = std::move(root); }
  std::pmr::memory_resource* resource() const { return pool_.resource(); }

  /// What stands there.
  bool find(Steps place, Slot& found) const;
  /// `name` is the last step as a string of a document, for a member that is new.
  bool add(Steps place, const Value& name, Slot slot);
  bool remove(Steps place);
  bool replace(Steps place, Slot slot);
  /// RFC 7396. Of `patch` what has no null in it is kept as it stands.
  void merge(const Value& patch);

 private:
  Node* reach(Steps place);

  NodePool pool_;
  Slot root_;
};

}  // namespace sluice::json
