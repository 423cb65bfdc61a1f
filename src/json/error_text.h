#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/error.h"

namespace sluice::json {

/// What would have continued a valid text at the fault; an Error's `detail`.
enum class Expected : std::uint16_t {
  none,
  value,               ///< any JSON value
  value_or_array_end,  ///< after '['
  key_or_object_end,   ///< after '{'
  key,                 ///< after ',' in an object
  colon,
  comma_or_object_end,
  comma_or_array_end,
  end_of_text,  ///< the value is complete; only blanks may follow
  digit,
  literal,  ///< the rest of true, false or null
  escape,   ///< one of "\/bfnrtu after a backslash
  hex_digit,
  low_surrogate,   ///< an escape \uDC00-\uDFFF that completes the pair
  string_byte,     ///< no raw control character inside a string
  no_bom,          ///< the text begins with a byte order mark
  high_surrogate,  ///< an escape \uD800-\uDBFF before the \uDC00-\uDFFF that was found
  array,           ///< of a text whose elements are records, too
  // What a type of the program can be read from, for json_type and json_range:
  null,
  boolean,
  number,
  integer,
  string,
  string_without_escapes,  ///< for a view into a text that must not be written to
  object,
  array_of_size,  ///< with as many elements as the tuple or array has
  enumerator,     ///< a string that names one
  alternative,    ///< any that a variant has
  convertible,    ///< what json::Conversion takes
};

/// One sentence: what was found at `offset` of `text` (or that the text ends there) and what was
/// expected, e.g. "found '}', expected a value". `text` is the record or document the error's
/// offset counts from, or a piece of it that begins `base` bytes later.
std::string describe(const Error& error, std::span<const std::uint8_t> text,
                     std::uint64_t base = 0);

}  // namespace sluice::json
