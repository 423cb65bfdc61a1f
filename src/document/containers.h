#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "document/value.h"

/// Arrays and objects as ranges, in the order of the text.
///
///     for (json::Value status : document["statuses"].elements()) ...
///     for (auto [name, value] : status.members()) ...
namespace sluice::json {

/// One member of an object.
struct Member {
  /// The name as it is meant. As it is written, when it has escapes and cannot be decoded: for
  /// want of memory, or for an unpaired surrogate that was passed.
  std::string_view name;
  Value value;
};

/// Walks over what stands between commas. Lifetime: as Value.
template <class Item>
class ContainerIterator {
 public:
  using value_type = Item;
  using difference_type = std::ptrdiff_t;
  using reference = Item;
  using iterator_concept = std::forward_iterator_tag;

  ContainerIterator() = default;
  /// `token` begins an element or member; 0 is the end.
  ContainerIterator(DocumentState* state, std::uint32_t token) : state_(state), token_(token) {}

  Item operator*() const;
  ContainerIterator& operator++() {
    const IndexView& index = state_->index;
    const std::uint32_t behind = index.behind(value_token());
    token_ = index.tokens[behind] == ',' ? behind + 1 : 0;
    return *this;
  }
  ContainerIterator operator++(int) {
    ContainerIterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const ContainerIterator& a, const ContainerIterator& b) {
    return a.token_ == b.token_;
  }

 private:
  std::uint32_t value_token() const;

  DocumentState* state_ = nullptr;
  std::uint32_t token_ = 0;
};

template <>
inline std::uint32_t ContainerIterator<Value>::value_token() const {
  return token_;
}
template <>
inline Value ContainerIterator<Value>::operator*() const {
  return {state_, token_};
}
template <>
inline std::uint32_t ContainerIterator<Member>::value_token() const {
  return token_ + 2;  // behind the colon
}
template <>
[[gnu::always_inline]] inline Member ContainerIterator<Member>::operator*() const {
  const Result<std::string_view> name = Value(state_, token_).as_string();
  return {name ? *name : state_->index.string_body(token_), Value(state_, token_ + 2)};
}

/// The elements of an array or the members of an object; of a repeated member, all.
template <class Item>
class Container {
 public:
  Container() = default;
  /// Requires: a bracket of the right kind opens at `opener`.
  Container(DocumentState* state, std::uint32_t opener) : state_(state), opener_(opener) {}

  ContainerIterator<Item> begin() const { return {state_, empty() ? 0 : opener_ + 1}; }
  ContainerIterator<Item> end() const { return {}; }
  std::size_t size() const { return state_ == nullptr ? 0 : state_->index.count_of(opener_); }
  bool empty() const { return state_ == nullptr || state_->index.links[opener_] == opener_ + 1; }

 private:
  DocumentState* state_ = nullptr;
  std::uint32_t opener_ = 0;
};

class Elements : public Container<Value> {
  using Container::Container;
};
class Members : public Container<Member> {
  using Container::Container;
};

inline Elements Value::elements() const {
  return is_array() ? Elements(state_, token_) : Elements();
}
inline Members Value::members() const { return is_object() ? Members(state_, token_) : Members(); }

}  // namespace sluice::json
