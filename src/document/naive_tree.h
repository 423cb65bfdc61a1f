#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"

/// For tests: a tree made byte by byte, without a thought for speed, to compare documents with.
namespace sluice::json {

struct NaiveNode {
  std::string_view raw;
  std::vector<std::size_t> children;   ///< nodes
  std::vector<std::string_view> keys;  ///< of the members, as written between the quotes
};

/// The nodes of one valid text, node 0 at its root; and how many tokens there are.
class NaiveTree {
 public:
  /// Requires: a valid text.
  explicit NaiveTree(std::string_view text) : text_(text) {
    while (at_ < text.size()) take(text[at_]);
    SLUICE_CHECK(open_.empty() && !nodes_.empty());
  }
  const NaiveNode& node(std::size_t index) const { return nodes_[index]; }
  std::size_t size() const { return nodes_.size(); }
  std::size_t token_count() const { return tokens_; }

 private:
  static bool is_blank(char byte) { return std::string_view(" \t\r\n").contains(byte); }
  static bool is_structure(char byte) { return std::string_view("{}[]:,").contains(byte); }

  void take(char byte) {
    if (!is_blank(byte)) ++tokens_;
    if (is_blank(byte) || byte == ':' || byte == ',') {
      ++at_;
    } else if (byte == '{' || byte == '[') {
      const std::size_t node = add(1);
      open_.push_back(node);
      ++at_;
    } else if (byte == '}' || byte == ']') {
      NaiveNode& node = nodes_[open_.back()];
      node.raw = text_.substr(static_cast<std::size_t>(node.raw.data() - text_.data()));
      node.raw = node.raw.substr(0, static_cast<std::size_t>(&text_[at_] - node.raw.data()) + 1);
      open_.pop_back();
      ++at_;
    } else if (byte == '"' && wants_key()) {
      nodes_[open_.back()].keys.push_back(text_.substr(at_ + 1, string_size() - 2));
      at_ += string_size();
    } else {
      const std::size_t size = byte == '"' ? string_size() : scalar_size();
      add(size);
      at_ += size;
    }
  }

  bool wants_key() const {
    if (open_.empty()) return false;
    const NaiveNode& node = nodes_[open_.back()];
    return node.raw[0] == '{' && node.keys.size() == node.children.size();
  }
  std::size_t add(std::size_t size) {
    nodes_.push_back({text_.substr(at_, size), {}, {}});
    if (!open_.empty()) nodes_[open_.back()].children.push_back(nodes_.size() - 1);
    return nodes_.size() - 1;
  }
  std::size_t string_size() const {
    std::size_t size = 1;
    while (text_[at_ + size] != '"') size += text_[at_ + size] == '\\' ? 2 : 1;
    return size + 1;
  }
  std::size_t scalar_size() const {
    std::size_t size = 1;
    while (at_ + size < text_.size() && !is_blank(text_[at_ + size]) &&
           !is_structure(text_[at_ + size])) {
      ++size;
    }
    return size;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t tokens_ = 0;
  std::vector<NaiveNode> nodes_;
  std::vector<std::size_t> open_;
};

}  // namespace sluice::json
