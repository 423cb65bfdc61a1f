#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "document/value.h"
#include "edit/node.h"

namespace sluice::json {

/// Goes over the children of an edited container in their order. Lifetime: until the next edit.
class Cursor {
 public:
  /// Requires: an array or object.
  explicit Cursor(const Slot& container);

  std::size_t size() const { return size_; }
  bool at_end() const { return left_ == 0; }
  /// Requires: not at the end.
  void advance();
  Slot slot() const;
  /// The name of the member, a string. Requires: an object.
  Value name() const;

 private:
  void enter_piece();

  const Piece* piece_ = nullptr;
  Value run_;                ///< a value of the document that the children at hand are of
  std::uint32_t token_ = 0;  ///< of the value, in a run; 0: the piece is a single child
  std::uint32_t behind_ = 0;
  std::uint32_t name_tokens_ = 0;  ///< of a member before its value
  std::size_t size_ = 0;
  std::size_t left_ = 0;
};

}  // namespace sluice::json
