#include "json/walker.h"

namespace sluice::json {

Walker::Walker(const kernel::Kernel& kernel, const PathTree& tree, std::size_t fields)
    : kernel_(kernel),
      tree_(tree),
      presence_words_(json::presence_words(fields)),
      levels_(tree.levels()) {}

void Walker::start(const std::uint8_t* body, std::uint64_t* row) {
  body_ = body;
  row_ = row;
  depth_ = 0;
  state_ = State::value;
  node_ = tree_.empty() ? PathTree::kNone : 0;
  scalar_open_ = false;
  skip_depth_ = 0;
  key_count_ = 0;
}

void Walker::feed(const std::uint8_t* tokens, const std::uint16_t* places, std::uint32_t count,
                  std::uint32_t base) {
  for (std::uint32_t i = 0; i < count;) {
    if (skip_depth_ != 0) {
      i += kernel_.skip(tokens + i, count - i, skip_depth_);
      if (skip_depth_ == 0) {
        found(node_, start_, base + places[i - 1] + 1);
        leave_value();
      }
    } else if (state_ == State::key && tokens[i] == '"' && i + 3 < count) {
      i += take_members(tokens + i, places + i, count - i, base);
    } else {
      take(tokens[i], base + places[i]);
      ++i;
    }
  }
}

/// In line, as a call for every name shows.
[[gnu::always_inline]] inline Walker::Node Walker::name_member(Node parent, std::uint32_t key,
                                                               std::uint32_t colon) {
  const std::uint32_t size = without_blanks(colon) - key;
  if (key_count_ < kKeysMax) keys_[key_count_++] = {key, size};
  return tree_.member(parent, {reinterpret_cast<const char*>(body_ + key), size});
}

/// Members whose name, colon, value and the token behind it are all there, up to a container or
/// the end of the object; returns the tokens taken. Most members are short values that nobody
/// selected; which ones are selected is hard to guess, so there is no branch on it.
std::uint32_t Walker::take_members(const std::uint8_t* tokens, const std::uint16_t* places,
                                   std::uint32_t count, std::uint32_t base) {
  const Node parent = levels_[depth_ - 1].node;
  std::uint32_t i = 0;
  for (; i + 3 < count && tokens[i] == '"'; i += 4) {
    node_ = name_member(parent, base + places[i], base + places[i + 1]);
    start_ = base + places[i + 2];
    if (tokens[i + 2] == '{' || tokens[i + 2] == '[') {
      if (node_ != PathTree::kNone) forget(node_);
      open(tokens[i + 2], start_);
      return i + 3;
    }
    found_scalar(without_blanks(base + places[i + 3]));
    if (tokens[i + 3] != ',') {
      leave_value();
      return i + 3;
    }
  }
  state_ = State::key;
  return i;
}

/// The value of `node_`, which is no container; it ends before `end`.
void Walker::found_scalar(std::uint32_t end) {
  const PathTree::Slot& slot = tree_.slot(node_);
  if (slot.several) [[unlikely]] {
    forget(node_);
    found(node_, start_, end);
    return;
  }
  row_[slot.presence_word] |= slot.presence_bit;
  row_[slot.range_word] = pack_range(start_, end - start_);
}

void Walker::take(std::uint8_t token, std::uint32_t position) {
  if (scalar_open_) {
    scalar_open_ = false;
    found(node_, start_, without_blanks(position));
    leave_value();
  }
  switch (token) {
    case '{':
    case '[':
      return open(token, position);
    case '}':
    case ']':
      return close(position);
    case ':':
      node_ = name_member(levels_[depth_ - 1].node, key_, position);
      state_ = State::value;
      if (node_ != PathTree::kNone) forget(node_);
      return;
    case ',':
      return next_element();
    case '\n':
      return;
    default:
      break;
  }
  if (state_ == State::key) {
    key_ = position;
  } else {
    start_ = position;
    scalar_open_ = true;
  }
}

void Walker::open(std::uint8_t token, std::uint32_t position) {
  if (node_ == PathTree::kNone || !tree_.has_children(node_)) {
    start_ = position;
    skip_depth_ = 1;
    return;
  }
  const bool array = token == '[';
  levels_[depth_++] = {node_, position, 0, array};
  state_ = array ? State::value : State::key;
  if (array) node_ = tree_.element(node_, 0);
}

/// An empty array was about to have an element and an object to have a key; both just end.
void Walker::close(std::uint32_t position) {
  const Level& level = levels_[--depth_];
  found(level.node, level.start, position + 1);
  leave_value();
}

void Walker::next_element() {
  Level& level = levels_[depth_ - 1];
  state_ = level.array ? State::value : State::key;
  if (level.array) node_ = tree_.element(level.node, ++level.index);
}

/// An earlier member of the same name does not count any more, nor what was found in it.
void Walker::forget(Node node) {
  for (Node below = node; below < tree_.subtree_end(node); ++below) {
    for (const std::uint32_t field : tree_.fields(below)) {
      row_[1 + field / 64] &= ~(std::uint64_t{1} << field % 64);
      row_[1 + presence_words_ + field] = 0;
    }
  }
}

void Walker::found(Node node, std::uint32_t start, std::uint32_t end) {
  if (node == PathTree::kNone) return;
  for (const std::uint32_t field : tree_.fields(node)) {
    row_[1 + field / 64] |= std::uint64_t{1} << field % 64;
    row_[1 + presence_words_ + field] = pack_range(start, end - start);
  }
}

void Walker::leave_value() { state_ = depth_ == 0 ? State::done : State::after_value; }

std::uint32_t Walker::without_blanks(std::uint32_t end) const {
  while (body_[end - 1] <= ' ') --end;
  return end;
}

}  // namespace sluice::json
