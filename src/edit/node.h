#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <utility>
#include <vector>

#include "document/value.h"

/// What an edited document is made of. Containers that no edit has touched are values of a
/// document; one that was is a node, with what is in it:
///
///     original    {"a": 1, "list": [10, 20, 30, 40], "z": {}}
///     edit        replace /list/2 by "new"
///
///     root        node of pieces:  run of "a": 1     "list": node     run of "z": {}
///     that node   node of pieces:  run of 10, 20     "new"            run of 40
///
/// So an edit makes nodes of the containers on its path, and costs the steps to its place. Nodes
/// are counted: a copy shares them, and whoever changes one that is shared takes a copy of it.
/// That is also how an edit that fails half-way is taken back: the old root still is as it was.
namespace sluice::json {

struct Node;
class NodePool;

/// A counted pointer.
class NodeRef {
 public:
  NodeRef() = default;
  explicit NodeRef(Node* node);
  NodeRef(const NodeRef& other);
  NodeRef(NodeRef&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
  NodeRef& operator=(NodeRef other) noexcept {
    std::swap(node_, other.node_);
    return *this;
  }
  ~NodeRef();

  Node* get() const { return node_; }
  Node* operator->() const { return node_; }
  explicit operator bool() const { return node_ != nullptr; }

 private:
  Node* node_ = nullptr;
};

/// A value of an edited document.
struct Slot {
  Value value;   ///< the value itself, or the container that the node began as
  NodeRef node;  ///< of a container that was touched

  bool is_object() const;
  bool is_array() const;
  bool is_container() const { return is_object() || is_array(); }
};

/// A child of a container, or a run of children that stand next to each other in a document.
struct Piece {
  Value name;                ///< of a single member: a string
  Slot slot;                 ///< of a run: the first element, or the name of the first member
  std::uint32_t behind = 0;  ///< of a run: the token behind its last value; 0: a single child
  std::uint32_t count = 1;   ///< elements; of a run of members it is not kept

  bool is_run() const { return behind != 0; }
};

struct Node {
  Node(NodePool& owner, bool object, std::pmr::memory_resource* resource)
      : pool(&owner), is_object(object), pieces(resource) {}

  NodePool* pool;
  bool is_object;
  std::uint32_t shares = 0;
  std::size_t size = 0;         ///< elements or members
  std::uint64_t text_size = 0;  ///< bytes of its JSON text; 0: not known since it was changed
  Node* next = nullptr;         ///< among those that are about to go
  std::pmr::vector<Piece> pieces;
};

/// Makes nodes and takes them back. Throws std::bad_alloc.
class NodePool {
 public:
  explicit NodePool(std::pmr::memory_resource* resource) : resource_(resource) {}
  NodePool(const NodePool&) = delete;
  NodePool& operator=(const NodePool&) = delete;

  NodeRef make(bool object);
  /// The container in `slot` as a node that nothing else shares, to be changed. Requires: it is a
  /// container, and so were those around it.
  Node& own(Slot& slot);

  std::pmr::memory_resource* resource() const { return resource_; }
  /// For NodeRef: the last reference is gone. No recursion, however deep nodes are nested.
  void take_back(Node* node);

 private:
  NodeRef open(const Value& container);
  NodeRef copy(const Node& node);

  std::pmr::memory_resource* resource_;
  Node* doomed_ = nullptr;
  bool taking_back_ = false;
};

inline NodeRef::NodeRef(Node* node) : node_(node) { ++node_->shares; }
inline NodeRef::NodeRef(const NodeRef& other) : node_(other.node_) {
  if (node_ != nullptr) ++node_->shares;
}
inline NodeRef::~NodeRef() {
  if (node_ != nullptr && --node_->shares == 0) node_->pool->take_back(node_);
}
inline bool Slot::is_object() const { return node ? node->is_object : value.is_object(); }
inline bool Slot::is_array() const { return node ? !node->is_object : value.is_array(); }

}  // namespace sluice::json
