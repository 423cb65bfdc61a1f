#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "json/path_tree.h"
#include "kernel/kernel.h"

namespace sluice::json {

/// A member's name, quotes included, from the start of the record.
struct KeyRange {
  std::uint32_t start;
  std::uint32_t size;
};

/// Follows a selection through the tokens of one record and fills its row. Takes the tokens in
/// pieces of any size, as long as the text they come from stays where it is.
/// Requires: the token pass has accepted every token before it comes here.
class Walker {
 public:
  Walker(const kernel::Kernel& kernel, const PathTree& tree, std::size_t fields);

  /// Begins a record: `body` is its first byte, and kScanPadding bytes are readable behind it;
  /// `row` has been cleared; word 0 is the caller's, once the record is done.
  void start(const std::uint8_t* body, std::uint64_t* row);
  /// Takes `count` more tokens; token i stands at body[base + places[i]], modulo 2^32. The last
  /// one of a record is a newline, wherever it stands behind the value.
  void feed(const std::uint8_t* tokens, const std::uint16_t* places, std::uint32_t count,
            std::uint32_t base);
  /// Names of all members of the objects in which something was looked for, in order: those of
  /// the record fed last, the first kKeysMax of them.
  std::span<const KeyRange> keys() const { return {keys_.data(), key_count_}; }
  bool has_all_keys() const { return key_count_ < kKeysMax; }

 private:
  using Node = PathTree::Node;

  static constexpr std::size_t kKeysMax = kernel::kShapeTokens / 4 + 1;

  enum class State : std::uint8_t { value, key, after_value, done };

  /// A container on a selected path.
  struct Level {
    Node node;
    std::uint32_t start;
    std::uint64_t index;  ///< of the element, in an array
    bool array;
  };

  void take(std::uint8_t token, std::uint32_t position);
  std::uint32_t take_members(const std::uint8_t* tokens, const std::uint16_t* places,
                             std::uint32_t count, std::uint32_t base);
  void open(std::uint8_t token, std::uint32_t position);
  void close(std::uint32_t position);
  Node name_member(Node parent, std::uint32_t key, std::uint32_t colon);
  void found_scalar(std::uint32_t end);
  void next_element();
  void forget(Node node);
  void found(Node node, std::uint32_t start, std::uint32_t end);
  void leave_value();
  std::uint32_t without_blanks(std::uint32_t end) const;

  const kernel::Kernel& kernel_;
  const PathTree& tree_;
  std::size_t presence_words_;

  const std::uint8_t* body_ = nullptr;
  std::uint64_t* row_ = nullptr;
  std::vector<Level> levels_;
  std::uint32_t depth_ = 0;  ///< levels in use
  State state_ = State::done;
  Node node_ = PathTree::kNone;  ///< of the value that comes next, or of the one being skipped
  std::uint32_t key_ = 0;
  std::uint32_t start_ = 0;   ///< of the value whose end is not known yet
  bool scalar_open_ = false;  ///< that value ends before the next token
  std::array<KeyRange, kKeysMax> keys_;
  std::size_t key_count_ = 0;
  std::uint32_t skip_depth_ = 0;  ///< brackets to close until the value is skipped
};

}  // namespace sluice::json
