#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace sluice::json {

/// A JSON Pointer (RFC 6901) taken apart. Owns its tokens, unescaped (`~1` is `/`, `~0` is `~`).
class Pointer {
 public:
  /// `text` is "" (the whole record) or begins with '/'.
  /// Errors: pointer_syntax with the offset in `text` of the first bad byte.
  static Result<Pointer> parse(std::string_view text);

  const std::vector<std::string>& tokens() const { return tokens_; }

 private:
  std::vector<std::string> tokens_;
};

}  // namespace sluice::json
