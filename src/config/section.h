#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/problems.h"
#include "config/tree.h"

namespace sluice {

/// Reads the keys of one table, and knows afterwards which of them nobody asked for. What is wrong
/// becomes a problem with its place, and the value stays as it was.
class Section {
 public:
  /// `name` as sentences call it, e.g. "[budget]". `table` is one, or the section is empty.
  Section(const ConfigNode& table, std::string name, ConfigProblems& problems)
      : table_(table), name_(std::move(name)), problems_(problems) {}

  bool has(std::string_view key) const { return table_.find(key) != nullptr; }
  /// Null when the key is not there.
  const ConfigMember* get(std::string_view key);
  /// As get; null also when the value is of another kind, which is a problem. `wanted` in words.
  const ConfigMember* get(std::string_view key, ConfigNode::Kind kind, std::string_view wanted);
  bool text(std::string_view key, std::string& into, std::string_view wanted = "a text");
  void boolean(std::string_view key, bool& into);
  /// A size such as "64MiB", or a whole number of bytes.
  bool size(std::string_view key, std::uint64_t& into);
  bool duration(std::string_view key, std::uint64_t& into_ns);
  bool count(std::string_view key, std::uint64_t& into, std::uint64_t least, std::uint64_t most);
  /// A list of texts, or one text.
  const ConfigMember* texts(std::string_view key, std::vector<std::string>& into);
  /// Which of `words` the key gives; nothing when it is not there or gives none of them.
  std::optional<std::size_t> word(std::string_view key,
                                  std::initializer_list<std::string_view> words);
  /// Keys that a later version knows: "'where' is not there yet: leave it out".
  void later(std::initializer_list<std::string_view> keys);

  void problem(const ConfigPlace& place, const std::string& message) {
    problems_.add(place, name_ + ": " + message);
  }
  /// Where a key's value stands; where the table does, when the key is not there.
  ConfigPlace place_of(std::string_view key) const;
  /// Tells of all keys that nobody asked for.
  void finish();

 private:
  const ConfigNode& table_;
  std::string name_;
  ConfigProblems& problems_;
  std::vector<std::string> known_;
};

/// ": did you mean 'service'?", or what there is where nothing is near.
std::string hint(std::string_view name, const std::vector<std::string>& known);

}  // namespace sluice
