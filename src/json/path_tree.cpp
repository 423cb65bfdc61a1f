#include "json/path_tree.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "json/unescape.h"

namespace sluice::json {
namespace {

bool needs_escapes(std::string_view name) {
  return std::ranges::any_of(
      name, [](char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; });
}

/// The number an array index stands for, or `none`.
std::uint64_t parse_index(std::string_view token, std::uint64_t none) {
  const bool digits = std::ranges::all_of(token, [](char c) { return c >= '0' && c <= '9'; });
  if (!digits || token.empty() || token.size() > 18) return none;
  if (token[0] == '0' && token.size() > 1) return none;
  std::uint64_t index = 0;
  for (const char c : token) index = index * 10 + static_cast<std::uint64_t>(c - '0');
  return index;
}

/// True when what stands between the quotes of `key` decodes to `name`. Piece by piece, because a
/// key may be of any size.
bool decodes_to(std::string_view key, std::string_view name) {
  std::span<const std::uint8_t> raw{reinterpret_cast<const std::uint8_t*>(key.data()) + 1,
                                    key.size() - 2};
  std::array<std::uint8_t, 64> piece;
  while (!raw.empty()) {
    const Unescaped step = unescape(raw, piece);
    if (step.read == 0 || step.written > name.size()) return false;
    if (std::memcmp(piece.data(), name.data(), step.written) != 0) return false;
    name.remove_prefix(step.written);
    raw = raw.subspan(step.read);
  }
  return name.empty();
}

}  // namespace

PathTree::PathTree(const Selection& selection) : field_count_(selection.size()) {
  if (selection.size() == 0) return;
  std::vector<std::uint32_t> fields(selection.size());
  for (std::uint32_t i = 0; i < fields.size(); ++i) fields[i] = i;
  // Fields with a common beginning side by side, so that each node is made once.
  std::ranges::sort(fields, {}, [&](std::uint32_t field) -> const auto& {
    return selection.pointers()[field].tokens();
  });
  nodes_.emplace_back();
  add(selection, fields, 0);
  list_children();
  list_slots(selection.size());
}

void PathTree::list_children() {
  for (Node node = 0; node < nodes_.size(); ++node) {
    Entry& parent = nodes_[node];
    parent.first_child = static_cast<std::uint32_t>(children_.size());
    for (Node child = node + 1; child < parent.subtree_end; child = nodes_[child].subtree_end) {
      std::string padded = nodes_[child].quoted;
      if (padded.empty()) continue;
      padded.resize(padded.size() + sizeof(std::uint64_t));
      const KeyWords words({padded.data(), nodes_[child].quoted.size()});
      children_.push_back({words, child});
    }
    parent.child_count = static_cast<std::uint32_t>(children_.size()) - parent.first_child;
    children_.emplace_back();
  }
}

void PathTree::list_slots(std::size_t fields) {
  for (Node node = 0; node < nodes_.size(); ++node) {
    const Entry& entry = nodes_[node];
    Slot slot;
    slot.several = has_children(node) || entry.fields.size() != 1;
    if (!slot.several) {
      const std::uint32_t field = entry.fields[0];
      slot.presence_bit = std::uint64_t{1} << field % 64;
      slot.presence_word = 1 + field / 64;
      slot.range_word = static_cast<std::uint32_t>(1 + presence_words(fields) + field);
    }
    slots_.push_back(slot);
  }
}

/// Completes the last node, whose path is the first `level` tokens of all `fields`.
void PathTree::add(const Selection& selection, std::span<const std::uint32_t> fields,
                   std::size_t level) {
  const Node node = static_cast<Node>(nodes_.size() - 1);
  const auto tokens = [&](std::uint32_t field) -> const std::vector<std::string>& {
    return selection.pointers()[field].tokens();
  };
  levels_ = std::max(levels_, static_cast<std::uint32_t>(level) + 1);
  std::size_t first = 0;
  for (; first < fields.size() && tokens(fields[first]).size() == level; ++first) {
    nodes_[node].fields.push_back(fields[first]);
  }
  while (first < fields.size()) {
    const std::string& name = tokens(fields[first])[level];
    std::size_t last = first;
    while (last < fields.size() && tokens(fields[last])[level] == name) ++last;
    Entry entry;
    entry.name = name;
    if (!needs_escapes(name)) {
      entry.quoted = '"' + name + '"';
    }
    entry.index = parse_index(name, kNoIndex);
    nodes_.push_back(std::move(entry));
    add(selection, fields.subspan(first, last - first), level + 1);
    first = last;
  }
  nodes_[node].subtree_end = static_cast<Node>(nodes_.size());
}

std::vector<std::string_view> PathTree::flat_names() const {
  if (empty() || !nodes_[0].fields.empty()) return {};
  if (nodes_.size() - 1 != field_count_) return {};  // one is given twice, or lies deeper
  std::vector<std::string_view> names(field_count_);
  for (Node node = 1; node < nodes_.size(); ++node) {
    const Entry& entry = nodes_[node];
    if (has_children(node) || entry.fields.size() != 1 || entry.quoted.empty()) return {};
    names[entry.fields[0]] = entry.quoted;
  }
  return names;
}

PathTree::Node PathTree::long_or_escaped_member(Node node, std::string_view key) const {
  const bool escapes = std::memchr(key.data(), '\\', key.size()) != nullptr;
  const Node end = nodes_[node].subtree_end;
  for (Node child = node + 1; child < end; child = nodes_[child].subtree_end) {
    const Entry& entry = nodes_[child];
    if (escapes ? decodes_to(key, entry.name) : entry.quoted == key) return child;
  }
  return kNone;
}

PathTree::Node PathTree::element(Node node, std::uint64_t index) const {
  const Node end = nodes_[node].subtree_end;
  for (Node child = node + 1; child < end; child = nodes_[child].subtree_end) {
    if (nodes_[child].index == index) return child;
  }
  return kNone;
}

}  // namespace sluice::json
