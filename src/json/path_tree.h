#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "json/scan.h"

namespace sluice::json {

/// The pointers of a selection as one tree, so that a scan follows all of them at once. Nodes are
/// numbers; 0 is the root, and a node's descendants are those behind it up to `subtree_end`.
class PathTree {
 public:
  using Node = std::uint32_t;
  static constexpr Node kNone = ~Node{0};

  explicit PathTree(const Selection& selection);

  bool empty() const { return nodes_.empty(); }
  bool has_children(Node node) const { return nodes_[node].subtree_end > node + 1; }
  Node subtree_end(Node node) const { return nodes_[node].subtree_end; }
  std::span<const std::uint32_t> fields(Node node) const { return nodes_[node].fields; }
  std::uint32_t levels() const { return levels_; }

  /// The child for a member; `key` is the member's name as it stands, quotes included, with eight
  /// readable bytes behind it.
  Node member(Node node, std::string_view key) const;
  /// The child for an array's element (RFC 6901: digits without leading zeros).
  Node element(Node node, std::uint64_t index) const;

 private:
  static constexpr std::uint64_t kNoIndex = ~std::uint64_t{0};

  struct Entry {
    std::uint64_t head = 0;  ///< the first eight bytes of `quoted`, zeros behind it
    std::string quoted;      ///< as a key that needs no escapes is written; empty if it needs some
    std::uint64_t index = kNoIndex;
    Node subtree_end = 0;
    std::vector<std::uint32_t> fields;
    std::string name;  ///< decoded
  };

  Node escaped_member(Node node, std::string_view key) const;
  void add(const Selection& selection, std::span<const std::uint32_t> fields, std::size_t level);

  std::vector<Entry> nodes_;
  std::uint32_t levels_ = 0;
};

}  // namespace sluice::json
