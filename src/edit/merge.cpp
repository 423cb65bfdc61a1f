// RFC 7396, section 2, with a stack of its own instead of recursion.

#include <cstring>
#include <optional>
#include <vector>

#include "document/containers.h"
#include "edit/children.h"
#include "edit/tree.h"

namespace sluice::json {
namespace {

/// Tells of the values of a patch, asked in the order of its text, whether a null is in them: only
/// then must they be gone through for members that are to go. One pass over the tokens in all.
class NullFinder {
 public:
  bool is_in(const Value& value) {
    const IndexView& index = value.index();
    if (next_ < value.token()) next_ = first_null(index, value.token());
    return next_ < index.behind(value.token());
  }

 private:
  static std::uint32_t first_null(const IndexView& index, std::uint32_t from) {
    const void* const null = std::memchr(index.tokens + from, 'n', index.token_count - from);
    if (null == nullptr) return index.token_count;
    return static_cast<std::uint32_t>(static_cast<const std::uint8_t*>(null) - index.tokens);
  }

  std::uint32_t next_ = 0;  ///< the first null at or behind what was asked for
};

/// An object of the patch that is being merged, and how far it is.
struct Level {
  Node* target;
  ContainerIterator<Member> next;
};

class Merge {
 public:
  explicit Merge(NodePool& pool) : pool_(pool), levels_(pool.resource()) {}

  void run(Slot& root, const Value& patch) {
    merge_value(root, patch);
    while (!levels_.empty()) {
      Level& level = levels_.back();
      if (level.next == ContainerIterator<Member>()) {
        levels_.pop_back();
        continue;
      }
      const Value value = (*level.next).value;
      const std::string_view name = (*level.next).name;
      ++level.next;
      merge_member(*level.target, name, value);
    }
  }

 private:
  /// Values that are no objects take the target's place, and so do objects without nulls when
  /// there is nothing to merge them with.
  void merge_member(Node& target, std::string_view name, const Value& value) {
    const std::optional<ChildPlace> place = find_member(target, name);
    if (value.is_null()) {
      if (place) erase_all(target, name, *place);
      return;
    }
    if (place) return merge_value(isolate_child(target, *place), value);
    append_member(target, value.with_token(value.token() - 2), Slot{});
    Slot& fresh = target.pieces.back().slot;
    merge_value(fresh, value);
  }

  void merge_value(Slot& target, const Value& value) {
    const bool as_it_is = !value.is_object() || (!target.is_object() && !nulls_.is_in(value));
    if (as_it_is) {
      target = Slot{value, {}};
    } else {
      descend(target, value);
    }
  }

  void descend(Slot& target, const Value& patch) {
    if (!target.is_object()) target = Slot{patch, pool_.make(true)};
    levels_.push_back({&pool_.own(target), patch.members().begin()});
  }

  static void erase_all(Node& target, std::string_view name, ChildPlace place) {
    std::optional<ChildPlace> next = place;
    while (next) {
      erase_child(target, *next);
      next = find_member(target, name);
    }
  }

  NodePool& pool_;
  NullFinder nulls_;
  std::pmr::vector<Level> levels_;
};

}  // namespace

void Tree::merge(const Value& patch) { Merge(pool_).run(root_, patch); }

}  // namespace sluice::json
