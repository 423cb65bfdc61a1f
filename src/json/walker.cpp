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
      i += take_member(tokens + i, places + i, base);
    } else {
      take(tokens[i], base + places[i]);
      ++i;
    }
  }
}

/// A name, its colon and the value's first token at once, since they are all there; returns the
/// tokens taken. Most members are short values that nobody selected.
std::uint32_t Walker::take_member(const std::uint8_t* tokens, const std::uint16_t* places,
                                  std::uint32_t base) {
  key_ = base + places[0];
  name_member(base + places[1]);
  start_ = base + places[2];
  if (tokens[2] == '{' || tokens[2] == '[') {
    open(tokens[2], start_);
    return 3;
  }
  if (node_ != PathTree::kNone) found(node_, start_, without_blanks(base + places[3]));
  if (tokens[3] == ',') {
    state_ = State::key;
    return 4;
  }
  leave_value();
  return 3;
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
      return name_member(position);
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

void Walker::name_member(std::uint32_t colon) {
  const std::uint32_t end = without_blanks(colon);
  const char* key = reinterpret_cast<const char*>(body_ + key_);
  node_ = tree_.member(levels_[depth_ - 1].node, {key, end - key_});
  state_ = State::value;
  if (key_count_ < kKeysMax) keys_[key_count_++] = {key_, end - key_};
  if (node_ != PathTree::kNone) forget(node_);
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
