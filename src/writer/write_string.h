#pragma once

#include <cstdint>
#include <string_view>

#include "writer/output.h"
#include "writer/plain_copy.h"

namespace sluice::json {

/// What becomes of text that is not UTF-8.
enum class IllFormed : std::uint8_t {
  refuse,   ///< the output fails with json_utf8
  replace,  ///< each byte that is no part of a well-formed character becomes U+FFFD
};

namespace detail {
void write_any_string(Output& out, std::string_view text, IllFormed ill_formed);
}  // namespace detail

/// Writes text as a JSON string, with its quotes; `"`, `\` and controls are escaped, the short way
/// where there is one, anything else stays as it is.
/// Errors of the output: json_utf8, with the offset at which the string began.
inline void write_string(Output& out, std::string_view text,
                         IllFormed ill_formed = IllFormed::refuse) {
  if (text.size() <= PlainCopy::kSizeMax) [[likely]] {
    char* const at = out.room(text.size() + 2);
    if (at == nullptr) return;
    if (PlainCopy::copy(at + 1, text)) [[likely]] {
      at[0] = '"';
      at[text.size() + 1] = '"';
      out.commit(at + text.size() + 2);
      return;
    }
  }
  detail::write_any_string(out, text, ill_formed);
}

}  // namespace sluice::json
