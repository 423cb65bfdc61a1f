#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "document/containers.h"
#include "document/document.h"
#include "json/pointer.h"

/// For tests: JSON values as plain trees, edited as the RFCs say, by recursion and with copies.
namespace sluice::json {

/// Objects are maps: of members of one name the last stays, and their order does not matter.
struct Plain {
  char kind = 'n';     ///< 'o', 'a' or anything else for a scalar
  std::string scalar;  ///< JSON text; strings by what they mean, behind a quote
  std::vector<Plain> elements;
  std::map<std::string, Plain> members;

  friend bool operator==(const Plain&, const Plain&) = default;
};

inline Plain plain_of(const Value& value) {
  Plain plain;
  plain.kind = value.is_object() ? 'o' : value.is_array() ? 'a' : 's';
  for (const Value element : value.elements()) plain.elements.push_back(plain_of(element));
  for (const auto& [name, member] : value.members()) {
    plain.members[std::string(name)] = plain_of(member);
  }
  if (value.is_string()) {
    plain.scalar = '"' + std::string(*value.as_string());
  } else if (plain.kind == 's') {
    plain.scalar = value.raw();
  }
  return plain;
}

inline Plain plain_of(std::string_view text) { return plain_of(Document::parse(text)->root()); }

/// RFC 7396, section 2, line by line.
inline Plain naive_merge(Plain target, const Value& patch) {
  if (!patch.is_object()) return plain_of(patch);
  if (target.kind != 'o') target = {.kind = 'o', .scalar = {}, .elements = {}, .members = {}};
  for (const auto& [key, value] : patch.members()) {
    const std::string name(key);
    if (value.is_null()) {
      target.members.erase(name);
    } else {
      target.members[name] = naive_merge(target.members[name], value);
    }
  }
  return target;
}

/// The operations of RFC 6902, section 4. False: an error.
class NaivePatch {
 public:
  explicit NaivePatch(Plain root) : root_(std::move(root)) {}
  const Plain& root() const { return root_; }

  bool apply(const Value& operation) {
    const std::string op(*operation["op"].as_string());
    const std::vector<std::string> path = steps(operation["path"]);
    if (op == "add") return add(path, plain_of(operation["value"]));
    if (op == "remove") return remove(path);
    if (op == "replace") {
      Plain* const target = find(path);
      if (target != nullptr) *target = plain_of(operation["value"]);
      return target != nullptr;
    }
    if (op == "test") {
      const Plain* const target = find(path);
      return target != nullptr && *target == plain_of(operation["value"]);
    }
    const std::vector<std::string> from = steps(operation["from"]);
    const Plain* const source = find(from);
    if (source == nullptr) return false;
    const Plain moved = *source;
    if (op == "copy") return add(path, moved);
    if (from == path) return true;
    const bool inside =
        path.size() > from.size() && std::vector(path.begin(), path.begin() + from.size()) == from;
    return !inside && remove(from) && add(path, moved);
  }

 private:
  static std::vector<std::string> steps(const Value& pointer) {
    return Pointer::parse(*pointer.as_string())->tokens();
  }
  static std::optional<std::size_t> index(const std::string& step, std::size_t behind) {
    const bool digits = !step.empty() && step.size() < 9 &&
                        step.find_first_not_of("0123456789") == std::string::npos;
    if (!digits || (step.size() > 1 && step[0] == '0')) return std::nullopt;
    const std::size_t index = std::stoul(step);
    return index < behind ? std::optional(index) : std::nullopt;
  }

  Plain* find(const std::vector<std::string>& path) {
    Plain* at = &root_;
    for (const std::string& step : path) {
      if (at->kind == 'o') {
        const auto member = at->members.find(step);
        if (member == at->members.end()) return nullptr;
        at = &member->second;
      } else if (at->kind == 'a') {
        const auto element = index(step, at->elements.size());
        if (!element) return nullptr;
        at = &at->elements[*element];
      } else {
        return nullptr;
      }
    }
    return at;
  }

  bool add(const std::vector<std::string>& path, const Plain& value) {
    if (path.empty()) {
      root_ = Plain(value);
      return true;
    }
    Plain* const parent = find({path.begin(), path.end() - 1});
    if (parent == nullptr || parent->kind == 's') return false;
    if (parent->kind == 'o') {
      parent->members[path.back()] = value;
      return true;
    }
    const std::size_t size = parent->elements.size();
    const auto at = path.back() == "-" ? std::optional(size) : index(path.back(), size + 1);
    if (at) parent->elements.insert(parent->elements.begin() + static_cast<long>(*at), value);
    return at.has_value();
  }

  bool remove(const std::vector<std::string>& path) {
    if (path.empty() || find(path) == nullptr) return false;
    Plain* const parent = find({path.begin(), path.end() - 1});
    if (parent->kind == 'o') return parent->members.erase(path.back()) == 1;
    parent->elements.erase(parent->elements.begin() + std::stol(path.back()));
    return true;
  }

  Plain root_;
};

}  // namespace sluice::json
