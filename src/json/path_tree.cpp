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

std::uint64_t load_word(const char* bytes) {
  std::uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

/// Whether a byte is a backslash; a wrong yes is possible.
bool may_hold_backslash(std::uint64_t word) {
  constexpr std::uint64_t kLow = 0x0101010101010101u;
  const std::uint64_t other = word ^ kLow * '\\';
  return ((other - kLow) & ~other & kLow << 7) != 0;
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

PathTree::PathTree(const Selection& selection) {
  if (selection.size() == 0) return;
  std::vector<std::uint32_t> fields(selection.size());
  for (std::uint32_t i = 0; i < fields.size(); ++i) fields[i] = i;
  // Fields with a common beginning side by side, so that each node is made once.
  std::ranges::sort(fields, {}, [&](std::uint32_t field) -> const auto& {
    return selection.pointers()[field].tokens();
  });
  nodes_.emplace_back();
  add(selection, fields, 0);
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
      std::memcpy(&entry.head, entry.quoted.data(), std::min<std::size_t>(8, entry.quoted.size()));
    }
    entry.index = parse_index(name, kNoIndex);
    nodes_.push_back(std::move(entry));
    add(selection, fields.subspan(first, last - first), level + 1);
    first = last;
  }
  nodes_[node].subtree_end = static_cast<Node>(nodes_.size());
}

PathTree::Node PathTree::member(Node node, std::string_view key) const {
  std::uint64_t head = load_word(key.data());
  if (key.size() < sizeof head) head &= ~std::uint64_t{0} >> (64 - 8 * key.size());
  const Node end = nodes_[node].subtree_end;
  for (Node child = node + 1; child < end; child = nodes_[child].subtree_end) {
    const Entry& entry = nodes_[child];
    if (entry.head != head || entry.quoted.size() != key.size()) continue;
    if (key.size() <= sizeof head || entry.quoted == key) return child;
  }
  for (std::size_t at = 0; at < key.size(); at += sizeof head) {
    if (may_hold_backslash(load_word(key.data() + at))) return escaped_member(node, key);
  }
  return kNone;
}

/// The way for keys that may have escapes: whether they have is asked here.
PathTree::Node PathTree::escaped_member(Node node, std::string_view key) const {
  if (std::memchr(key.data(), '\\', key.size()) == nullptr) return kNone;
  const Node end = nodes_[node].subtree_end;
  for (Node child = node + 1; child < end; child = nodes_[child].subtree_end) {
    if (decodes_to(key, nodes_[child].name)) return child;
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
