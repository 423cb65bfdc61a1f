#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "document/value.h"
#include "json/pointer.h"

namespace sluice::json {

/// One operation of a JSON Patch.
struct Operation {
  enum class Kind : std::uint8_t { add, remove, replace, move, copy, test };

  Kind kind = Kind::test;
  Pointer path;
  Pointer from;      ///< of move and copy
  Value path_value;  ///< where they stand in the patch
  Value from_value;
  Value value;  ///< of add, replace and test

  bool brings_name() const { return kind == Kind::add || kind == Kind::move || kind == Kind::copy; }
};

/// The operations of `patch`, in their order. Members that RFC 6902 does not define are passed
/// over; of members given twice the last counts. Throws std::bad_alloc.
/// Errors: patch_syntax at the value that is wrong, or at the operation that lacks one;
/// json_type when the patch is no array.
Result<std::vector<Operation>> read_operations(const Value& patch);

}  // namespace sluice::json
