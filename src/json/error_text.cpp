#include "json/error_text.h"

#include <algorithm>
#include <cstdio>

#include "json/bytes.h"

namespace sluice::json {
namespace {

bool is_printable(std::uint8_t byte) { return byte >= 0x20 && byte < 0x7F; }

std::string quoted(std::string_view found) {
  const char quote = found.find('\'') == std::string_view::npos ? '\'' : '"';
  return quote + std::string(found) + quote;
}

std::string hex_byte(std::uint8_t byte) {
  char text[16];
  std::snprintf(text, sizeof text, "byte 0x%02X", byte);
  return text;
}

/// A fault of an escape is told of its backslash: shows the escape as far as it can be printed.
std::string found_escape(std::span<const std::uint8_t> text) {
  const bool is_unicode = text.size() > 1 && text[1] == 'u';
  const auto shown = text.first(std::min<std::size_t>(text.size(), is_unicode ? 6 : 2));
  const auto end = std::find_if_not(shown.begin(), shown.end(), is_printable);
  return quoted(std::string(shown.begin(), end));
}

bool is_about_escape(Expected expected) {
  return expected == Expected::escape || expected == Expected::hex_digit ||
         expected == Expected::low_surrogate || expected == Expected::high_surrogate;
}

/// `text` begins at the fault.
std::string found(Expected expected, std::span<const std::uint8_t> text) {
  if (text.empty()) return "the end of the text";
  if (expected == Expected::no_bom) return "a byte order mark";
  if (!is_printable(text[0])) return hex_byte(text[0]);
  if (text[0] == '\\' && is_about_escape(expected)) return found_escape(text);
  return quoted(std::string(1, static_cast<char>(text[0])));
}

const char* wanted(Expected expected) {
  switch (expected) {
    case Expected::none:
      return "";
    case Expected::value:
      return "a value";
    case Expected::value_or_array_end:
      return "a value or ']'";
    case Expected::key_or_object_end:
      return "a key in double quotes or '}'";
    case Expected::key:
      return "a key in double quotes";
    case Expected::colon:
      return "':'";
    case Expected::comma_or_object_end:
      return "',' or '}'";
    case Expected::comma_or_array_end:
      return "',' or ']'";
    case Expected::end_of_text:
      return "nothing but blanks behind the value";
    case Expected::digit:
      return "a digit";
    case Expected::literal:
      return "the rest of true, false or null";
    case Expected::escape:
      return "one of \" \\ / b f n r t u behind the backslash";
    case Expected::hex_digit:
      return "four hexadecimal digits behind \\u";
    case Expected::low_surrogate:
      return "the other half of the pair, \\uDC00 to \\uDFFF, right behind";
    case Expected::string_byte:
      return "the rest of a string, with control characters escaped";
    case Expected::no_bom:
      return "the JSON text itself";
    case Expected::high_surrogate:
      return "the other half of the pair, \\uD800 to \\uDBFF, right before";
    case Expected::array:
      return "an array";
    case Expected::null:
      return "null";
    case Expected::boolean:
      return "true or false";
    case Expected::number:
      return "a number";
    case Expected::integer:
      return "an integer";
    case Expected::string:
      return "a string";
    case Expected::string_without_escapes:
      return "a string without escapes, because it is to be a view (read_in_place decodes it)";
    case Expected::object:
      return "an object";
    case Expected::array_of_size:
      return "an array with another number of elements";
    case Expected::enumerator:
      return "the name of an enumerator";
    case Expected::alternative:
      return "a value of the variant's types";
    case Expected::convertible:
      return "a value that can be converted";
  }
  return "";
}

/// The string at the beginning of `text`, which is valid JSON; a long one cut between characters.
std::string shown_string(std::span<const std::uint8_t> text) {
  constexpr std::size_t kShownMax = 40;
  std::size_t size = 1;
  while (size < text.size() && text[size] != '"') size += 1 + (text[size] == '\\');
  size = std::min(size, text.size());
  const bool whole = size <= kShownMax;
  if (!whole) size = kShownMax;
  while (!whole && (text[size] & 0xC0) == 0x80) --size;
  return std::string(text.begin(), text.begin() + size) + (whole ? "\"" : "...\"");
}

/// A whole value, for errors about its type; `text` begins at it and is valid JSON.
std::string found_value(std::span<const std::uint8_t> text) {
  if (text.empty()) return "the end of the text";
  if (text[0] == '{') return "an object";
  if (text[0] == '[') return "an array";
  if (text[0] == '"') return "the string " + shown_string(text);
  constexpr std::ptrdiff_t kShownMax = 40;
  const auto end = std::find_if(text.begin(), text.end(), ends_scalar);
  std::string shown(text.begin(), std::min(end, text.begin() + kShownMax));
  if (end - text.begin() > kShownMax) shown += "...";
  const bool literal = text[0] == 't' || text[0] == 'f' || text[0] == 'n';
  return literal ? shown : "the number " + shown;
}

}  // namespace

std::string describe(const Error& error, std::span<const std::uint8_t> text, std::uint64_t base) {
  const std::uint64_t skipped = error.offset < base ? text.size() : error.offset - base;
  const auto rest = text.subspan(std::min<std::uint64_t>(skipped, text.size()));
  const auto expected = static_cast<Expected>(error.detail);
  switch (error.code) {
    case ErrorCode::json_syntax:
      return "found " + found(expected, rest) + ", expected " + wanted(expected);
    case ErrorCode::json_utf8:
      return "found " + found(Expected::none, rest) + ", expected well-formed UTF-8";
    case ErrorCode::json_depth:
      return "found " + found(Expected::none, rest) + ", expected no deeper nesting";
    case ErrorCode::json_type:
      return "found " + found_value(rest) + ", expected " + wanted(expected);
    case ErrorCode::json_range:
      return "found " + found_value(rest) + ", which does not fit the type it is read into";
    case ErrorCode::json_field:
      return "found the member " + shown_string(rest) + ", which is unknown";
    case ErrorCode::json_duplicate:
      return "found the member " + shown_string(rest) + " a second time";
    default:
      return error_text(error.code);
  }
}

}  // namespace sluice::json
