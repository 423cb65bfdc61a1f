#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "json/has_backslash.h"
#include "json/scan.h"

namespace sluice::json {

/// The pointers of a selection as one tree, so that a scan follows all of them at once. Nodes are
/// numbers; 0 is the root, and a node's descendants are those behind it up to `subtree_end`.
class PathTree {
 public:
  using Node = std::uint32_t;
  static constexpr Node kNone = ~Node{0};  ///< all ones: the number before 0

  explicit PathTree(const Selection& selection);

  bool empty() const { return nodes_.empty(); }
  bool has_children(Node node) const { return nodes_[node].subtree_end > node + 1; }
  Node subtree_end(Node node) const { return nodes_[node].subtree_end; }
  std::span<const std::uint32_t> fields(Node node) const { return nodes_[node].fields; }
  std::uint32_t levels() const { return levels_; }
  /// The names of the fields in their order, as keys without escapes have them, when every field
  /// is a member of the record itself; else nothing.
  std::vector<std::string_view> flat_names() const;

  /// Where a value goes in a row, when it goes to one place. Values that nobody selected go to
  /// word 0, which is written when the record is done; so all are written without a question.
  struct Slot {
    std::uint64_t presence_bit = 0;
    std::uint32_t presence_word = 1;
    std::uint32_t range_word = 0;
    bool several = false;  ///< it goes to several places, or values in it do
  };
  const Slot& slot(Node node) const { return slots_[Node{node + 1}]; }

  /// The child for a member; `key` is the member's name as it stands, quotes included, with eight
  /// readable bytes behind it.
  Node member(Node node, std::string_view key) const {
    const KeyWords words(key);
    const Children children = children_of(node);
    // Without a branch on what is found: which name comes next is hard to guess.
    std::size_t place = children.count;
    for (std::size_t i = 0; i < children.count; ++i)
      place = children.at[i].words == words ? i : place;
    if (words.may_mislead()) [[unlikely]]
      return long_or_escaped_member(node, key);
    return children.at[place].node;
  }
  /// The child for an array's element (RFC 6901: digits without leading zeros).
  Node element(Node node, std::uint64_t index) const;

 private:
  static constexpr std::uint64_t kNoIndex = ~std::uint64_t{0};

  /// A name with its quotes by its first and last eight bytes, which is all of most names.
  struct KeyWords {
    std::uint64_t head = 0;
    std::uint64_t tail = 0;
    std::uint64_t size = 0;

    KeyWords() = default;
    explicit KeyWords(std::string_view key) : size(key.size()) {
      constexpr std::uint64_t kWord = sizeof head;
      std::memcpy(&head, key.data(), sizeof head);
      std::memcpy(&tail, key.data() + std::max(size, kWord) - kWord, sizeof tail);
      const std::uint64_t there = ~std::uint64_t{0} >> (64 - 8 * std::min(size, kWord));
      head &= there;
      tail &= there;
    }
    friend bool operator==(const KeyWords& a, const KeyWords& b) {
      return ((a.head ^ b.head) | (a.tail ^ b.tail) | (a.size ^ b.size)) == 0;
    }
    /// Where the name is not told from others by its words: it is longer, or has escapes.
    bool may_mislead() const {
      return size > sizeof head + sizeof tail || (backslash_bits(head) | backslash_bits(tail)) != 0;
    }
  };

  /// A child whose name needs no escapes.
  struct Child {
    KeyWords words;
    Node node = kNone;
  };

  /// `count` of them, and an entry of no node behind.
  struct Children {
    const Child* at;
    std::size_t count;
  };

  struct Entry {
    std::string quoted;  ///< as a key that needs no escapes is written; empty if it needs some
    std::uint64_t index = kNoIndex;
    Node subtree_end = 0;
    std::uint32_t first_child = 0;  ///< in `children_`
    std::uint32_t child_count = 0;
    std::vector<std::uint32_t> fields;
    std::string name;  ///< decoded
  };

  Children children_of(Node node) const {
    return {children_.data() + nodes_[node].first_child, nodes_[node].child_count};
  }
  Node long_or_escaped_member(Node node, std::string_view key) const;
  void add(const Selection& selection, std::span<const std::uint32_t> fields, std::size_t level);
  void list_children();
  void list_slots(std::size_t fields);

  std::size_t field_count_;
  std::vector<Entry> nodes_;
  std::vector<Child> children_;                     ///< of node after node
  std::vector<Slot> slots_ = std::vector<Slot>(1);  ///< of kNone, then node after node
  std::uint32_t levels_ = 0;
};

}  // namespace sluice::json
