#include "edit/equal.h"

#include <algorithm>
#include <cstddef>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

#include "document/containers.h"
#include "edit/cursor.h"
#include "edit/same_number.h"

namespace sluice::json {
namespace {

/// A member; `place` is where in its object.
struct NamedSlot {
  std::string_view name;
  std::size_t place;
  Slot slot;
};

/// A string as it is meant; one that cannot be decoded, for an unpaired surrogate, as written.
std::string_view text_of(const Value& string) {
  const Result<std::string_view> text = string.as_string();
  if (text) return *text;
  if (text.error().code == ErrorCode::out_of_memory) throw std::bad_alloc();
  return string.raw();
}

class Comparison {
 public:
  explicit Comparison(std::pmr::memory_resource* resource) : resource_(resource), rest_(resource) {}

  bool run(const Slot& a, const Value& b) {
    rest_.emplace_back(a, b);
    while (!rest_.empty()) {
      const auto [left, right] = std::move(rest_.back());
      rest_.pop_back();
      if (!compare(left, right)) return false;
    }
    return true;
  }

 private:
  using Names = std::pmr::vector<NamedSlot>;

  bool compare(const Slot& a, const Value& b) {
    if (b.is_object()) return a.is_object() && compare_objects(a, b);
    if (b.is_array()) return a.is_array() && compare_arrays(a, b);
    if (a.node) return false;
    if (b.is_number()) return a.value.is_number() && is_same_number(a.value.raw(), b.raw());
    if (b.is_string()) return a.value.is_string() && text_of(a.value) == text_of(b);
    return a.value.kind() == b.kind();
  }

  bool compare_arrays(const Slot& a, const Value& b) {
    Cursor left(a);
    if (left.size() != b.size()) return false;
    for (const Value right : b.elements()) {
      rest_.emplace_back(left.slot(), right);
      left.advance();
    }
    return true;
  }

  bool compare_objects(const Slot& a, const Value& b) {
    const Names left = names_of(a);
    const Names right = names_of({b, {}});
    if (left.size() != right.size()) return false;
    for (std::size_t at = 0; at < left.size(); ++at) {
      if (left[at].name != right[at].name) return false;
      rest_.emplace_back(left[at].slot, right[at].slot.value);
    }
    return true;
  }

  /// Sorted, each name once.
  Names names_of(const Slot& object) {
    Names names(resource_);
    Cursor cursor(object);
    names.reserve(cursor.size());
    for (; !cursor.at_end(); cursor.advance()) {
      names.push_back({text_of(cursor.name()), names.size(), cursor.slot()});
    }
    const auto last_first = [](const NamedSlot& one, const NamedSlot& other) {
      return one.name != other.name ? one.name < other.name : one.place > other.place;
    };
    std::sort(names.begin(), names.end(), last_first);
    const auto same_name = [](const NamedSlot& one, const NamedSlot& other) {
      return one.name == other.name;
    };
    names.erase(std::unique(names.begin(), names.end(), same_name), names.end());
    return names;
  }

  std::pmr::memory_resource* resource_;
  std::pmr::vector<std::pair<Slot, Value>> rest_;
};

}  // namespace

bool is_equal(const Slot& a, const Value& b, std::pmr::memory_resource* resource) {
  return Comparison(resource).run(a, b);
}

}  // namespace sluice::json
