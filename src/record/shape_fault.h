#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "document/index.h"
#include "record/shape.h"

namespace sluice {

/// One thing that is wrong with a body or a query, for whoever sent it.
struct ShapeFault {
  ErrorCode code = ErrorCode::none;
  std::uint64_t offset = 0;  ///< in the body; 0 for a fault of the query alone
  std::string pointer;       ///< of the value in the body
  std::string parameter;     ///< of the query; empty when the fault is the body's
  std::string detail;        ///< one sentence
};

// The sentences.
/// Enough of a text to know it again: cut where a character ends, and without control characters.
std::string shortened(std::string_view text);
/// The pointer of a member that is not declared. A name that is too long for an answer is left out:
/// then it is the pointer of its object.
std::string member_pointer(const Shape::Group& group, std::string_view name);
/// What kind of value begins with `token`, e.g. "a string".
std::string_view kind_in_words(std::uint8_t token);
std::string wrong_kind(const Shape::Field& field, std::uint8_t token);
std::string unknown_name(std::string_view name, const Shape::Group& group);
/// Why a value of the right kind is not among those allowed; `value` as JSON text.
std::string not_allowed(const Shape::Field& field, std::string_view value);

}  // namespace sluice
