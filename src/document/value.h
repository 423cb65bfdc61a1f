#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "document/document_state.h"
#include "json/error_text.h"
#include "json/has_backslash.h"
#include "json/pointer.h"
#include "number/read.h"

namespace sluice::json {

class Elements;
class Members;

enum class Type : std::uint8_t { absent, null, boolean, number, string, array, object };

/// A value of a document, or the reason why there is none: what was looked up in vain answers every
/// question with that reason, so that one chain of look-ups needs one look at the end.
///
///     sluice::Result<std::int64_t> id = document["user"]["id"].as_int64();
///
/// A handle of 16 bytes; copy it. Lifetime: that of the document and its text. Threads: as for the
/// document. Offsets of errors count from the beginning of the text.
class Value {
 public:
  /// Absent, without a reason.
  Value() = default;
  /// Requires: a value begins at `token`.
  Value(DocumentState* state, std::uint32_t token)
      : state_(state), token_(token), problem_(ErrorCode::none) {}

  bool exists() const { return problem_ == ErrorCode::none; }
  /// Why it is absent: json_missing at the object or array that lacks it; json_type at the value
  /// that is neither; pointer_syntax; out_of_memory. Code none when it exists.
  Error error() const;

  Type type() const;
  bool is_null() const { return kind() == 'n'; }
  bool is_bool() const { return kind() == 't' || kind() == 'f'; }
  bool is_number() const { return static_cast<std::uint8_t>(kind() - '0') < 10 || kind() == '-'; }
  bool is_string() const { return kind() == '"'; }
  bool is_array() const { return kind() == '['; }
  bool is_object() const { return kind() == '{'; }

  // All of these: json_type for another kind of value; an absent one says why it is.
  Result<bool> as_bool() const;
  /// `1.0` and `1e2` are no integers (json_type). json_range for what does not fit.
  Result<std::int64_t> as_int64() const;
  Result<std::uint64_t> as_uint64() const;
  /// Correctly rounded. json_range beyond the largest double.
  Result<double> as_double() const;
  /// The string as it is meant. Without escapes it is a view of the text; else it is decoded, the
  /// first time, into memory of the document. Errors: out_of_memory too.
  Result<std::string_view> as_string() const;
  /// The same into memory of yours, and none of the document's. Errors: as as_string.
  Result<void> string_into(std::string& out) const;
  Result<Elements> as_array() const;
  Result<Members> as_object() const;

  /// The value's JSON text, blanks around it left out. Empty when it is absent. After
  /// `parse_in_place`, strings that were asked for no longer stand in it as they were written.
  std::string_view raw() const { return exists() ? state_->index.raw(token_) : std::string_view(); }
  /// Where it begins in the text, in bytes; where that which lacks it begins, when it is absent.
  std::size_t offset() const { return state_ == nullptr ? 0 : state_->index.places[token_]; }

  /// Elements or members; 0 for what is neither array nor object. O(1).
  std::size_t size() const;
  /// None for what is no array or no object; as_array and as_object tell.
  Elements elements() const;
  Members members() const;

  /// The member of that name, decoded names included; among several the last. Cost: looks at the
  /// members from the last on, and steps over their values.
  std::optional<Value> find(std::string_view key) const;
  /// As find; what is not there is an absent value.
  Value operator[](std::string_view key) const;
  Value operator[](const char* key) const { return (*this)[std::string_view(key)]; }
  /// Element of an array. Cost: O(1) when all of them are scalars, else O(index).
  template <std::integral Index>
  Value operator[](Index index) const {
    return element(std::in_range<std::uint32_t>(index) ? static_cast<std::uint32_t>(index) : kNone);
  }
  /// The value a JSON Pointer (RFC 6901) leads to; "" is this one.
  Value at(const Pointer& pointer) const;
  Value at(std::string_view pointer) const;
  /// One step of a pointer, its ~0 and ~1 undone: a member's name or an element's index.
  Value step(std::string_view reference) const;

  /// The first byte of the value: { [ " t f n - or a digit; 0 when it is absent.
  std::uint8_t kind() const { return exists() ? state_->index.tokens[token_] : 0; }
  /// Where it stands among the document's tokens (index.h), for those who walk them.
  std::uint32_t token() const { return token_; }
  /// Requires of these: it exists.
  const IndexView& index() const { return state_->index; }
  Value with_token(std::uint32_t token) const { return {state_, token}; }
  /// This one with a reason why it is absent; one that is absent already keeps its own.
  Value absent(ErrorCode problem, Expected expected = Expected::none) const;
  /// Whether strings that were asked for no longer stand in the text as they were written.
  bool decodes_in_place() const { return state_->writable != nullptr; }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  Value element(std::uint32_t index) const;
  Error fault(ErrorCode code, Expected expected) const;
  Error wrong_type(Expected expected) const;
  Error no_integer() const;
  /// What Decode::at_once made of the number; the double 0 where it is still to be read.
  kernel::NumberBits kept_number() const {
    const IndexView& index = state_->index;
    return index.values == nullptr ? 0 : index.values[token_ / 2];
  }
  const char* first() const {
    return reinterpret_cast<const char*>(state_->index.text) + state_->index.places[token_];
  }
  const char* text_end() const {
    return reinterpret_cast<const char*>(state_->index.text) + state_->index.text_size;
  }

  DocumentState* state_ = nullptr;
  std::uint32_t token_ = 0;
  ErrorCode problem_ = ErrorCode::json_missing;
  Expected expected_ = Expected::none;
};
static_assert(sizeof(Value) == 16);

namespace detail {
/// Of what begins with that byte; 0: nothing.
inline constexpr auto kTypes = [] {
  std::array<Type, 256> types{};
  types['n'] = Type::null;
  types['t'] = types['f'] = Type::boolean;
  types['"'] = Type::string;
  types['['] = Type::array;
  types['{'] = Type::object;
  types['-'] = Type::number;
  for (std::size_t digit = '0'; digit <= '9'; ++digit) types[digit] = Type::number;
  return types;
}();
}  // namespace detail

inline Type Value::type() const { return detail::kTypes.data()[kind()]; }

inline Result<bool> Value::as_bool() const {
  if (!is_bool()) return wrong_type(Expected::boolean);
  return kind() == 't';
}

inline Result<std::int64_t> Value::as_int64() const {
  if (!is_number()) return wrong_type(Expected::integer);
  if (const kernel::NumberBits bits = kept_number(); kernel::is_tagged(bits)) {
    return kernel::untagged(bits);
  }
  const std::optional<std::int64_t> number = number::to_int64(first(), text_end());
  if (!number) [[unlikely]]
    return no_integer();
  return *number;
}

inline Result<std::uint64_t> Value::as_uint64() const {
  if (!is_number()) return wrong_type(Expected::integer);
  if (const kernel::NumberBits bits = kept_number(); kernel::is_tagged(bits)) {
    const std::int64_t number = kernel::untagged(bits);
    if (number >= 0) return static_cast<std::uint64_t>(number);
  }
  const std::optional<std::uint64_t> number = number::to_uint64(first(), text_end());
  if (!number) [[unlikely]]
    return no_integer();
  return *number;
}

[[gnu::always_inline]] inline Result<double> Value::as_double() const {
  if (!is_number()) return wrong_type(Expected::number);
  if (state_->index.values != nullptr) {
    const kernel::NumberBits bits = kept_number();
    if (kernel::is_tagged(bits)) return static_cast<double>(kernel::untagged(bits));
    const double kept = std::bit_cast<double>(bits);
    if (kernel::is_infinite(bits)) [[unlikely]]
      return fault(ErrorCode::json_range, Expected::number);
    return kept;
  }
  const std::optional<double> number = number::to_double(first(), text_end());
  if (!number) [[unlikely]]
    return fault(ErrorCode::json_range, Expected::number);
  return *number;
}

[[gnu::always_inline]] inline Result<std::string_view> Value::as_string() const {
  if (!is_string()) return wrong_type(Expected::string);
  const std::string_view body = state_->index.string_body(token_);
  if (has_backslash(body, text_end())) [[unlikely]]
    return state_->decoded(token_);
  return body;
}

inline std::size_t Value::size() const {
  return is_array() || is_object() ? state_->index.count_of(token_) : 0;
}

}  // namespace sluice::json
