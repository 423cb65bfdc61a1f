#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "document/value.h"
#include "edit/node.h"
#include "writer/output.h"

namespace sluice::json {

/// A value of a document as the edits have left it, or the reason why there is none: to be asked
/// as Value is. Lifetime: until the next edit.
class EditedValue {
 public:
  explicit EditedValue(Slot slot) : slot_(std::move(slot)) {}

  bool exists() const { return slot_.node || slot_.value.exists(); }
  bool is_object() const { return slot_.is_object(); }
  bool is_array() const { return slot_.is_array(); }
  Type type() const;
  /// Elements or members; 0 for what is neither. O(1).
  std::size_t size() const;

  // As Value's; offsets of errors count in the text the value comes from, the document or a patch.
  Result<bool> as_bool() const { return scalar().as_bool(); }
  Result<std::int64_t> as_int64() const { return scalar().as_int64(); }
  Result<std::uint64_t> as_uint64() const { return scalar().as_uint64(); }
  Result<double> as_double() const { return scalar().as_double(); }
  Result<std::string_view> as_string() const { return scalar().as_string(); }

  /// What the pointer leads to; "" is this value. Cost: in containers that were edited, steps over
  /// the pieces before it.
  EditedValue at(std::string_view pointer) const;
  EditedValue operator[](std::string_view key) const;
  EditedValue operator[](std::size_t index) const;

  /// Writes it as JSON: edited containers without blanks, what is as it was byte for byte.
  /// Errors of the output: why the value is absent.
  void write(Output& out) const;
  /// The same as a string. Errors: out_of_memory too.
  Result<std::string> text() const;

 private:
  EditedValue step(std::string_view reference) const;
  const Value& scalar() const { return slot_.value; }

  Slot slot_;
};

}  // namespace sluice::json
