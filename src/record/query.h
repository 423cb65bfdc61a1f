#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "record/shape.h"
#include "record/shape_fault.h"

namespace sluice {

/// The values of fixed-size fields that came in a query, `?to.zip=7&paid=true`: names are paths
/// with dots, percent-encoded as application/x-www-form-urlencoded is (WHATWG URL, 5.1).
class Query {
 public:
  static constexpr std::size_t kMostKeys = 64;

  /// Reads it; what is wrong goes to `faults`: query_limit, json_field, json_type, json_range,
  /// field_twice.
  void read(const Shape& shape, std::string_view query, std::vector<ShapeFault>& faults);
  /// Forgets what was read.
  void clear() { values_.clear(); }
  bool empty() const { return values_.empty(); }

  struct Value {
    std::uint32_t field;
    std::uint64_t bits;
  };
  /// The value for a field; null when none came.
  const Value* find(std::uint32_t field) const;
  /// Whether one came for a field of the group with that pointer, or of a group in it.
  bool has_any_in(const Shape& shape, std::string_view pointer) const;

 private:
  std::vector<Value> values_;
};

/// Undoes %XX and +; text that is not so encoded stays as it is.
std::string percent_decoded(std::string_view text);

}  // namespace sluice
