#include "edit/node.h"

namespace sluice::json {

NodeRef NodePool::make(bool object) {
  std::pmr::polymorphic_allocator<> allocator(resource_);
  return NodeRef(allocator.new_object<Node>(*this, object, resource_));
}

NodeRef NodePool::open(const Value& container) {
  NodeRef node = make(container.is_object());
  node->size = container.size();
  if (node->size == 0) return node;
  Piece all;
  all.slot.value = container.with_token(container.token() + 1);
  all.behind = container.index().links[container.token()];
  all.count = static_cast<std::uint32_t>(node->size);
  node->pieces.push_back(std::move(all));
  return node;
}

NodeRef NodePool::copy(const Node& node) {
  NodeRef copied = make(node.is_object);
  copied->size = node.size;
  copied->pieces = node.pieces;
  return copied;
}

Node& NodePool::own(Slot& slot) {
  if (!slot.node) {
    slot.node = open(slot.value);
  } else if (slot.node->shares > 1) {
    slot.node = copy(*slot.node.get());
  }
  slot.node->text_size = 0;
  return *slot.node.get();
}

/// A node that goes lets its children go, which comes here again: those wait in a list.
void NodePool::take_back(Node* node) {
  node->next = doomed_;
  doomed_ = node;
  if (taking_back_) return;
  taking_back_ = true;
  while (doomed_ != nullptr) {
    Node* const each = std::exchange(doomed_, doomed_->next);
    std::pmr::polymorphic_allocator<>(resource_).delete_object(each);
  }
  taking_back_ = false;
}

}  // namespace sluice::json
