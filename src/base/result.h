#pragma once

#include <expected>
#include <utility>

#include "base/error.h"

namespace sluice {

/// A value or an `Error`. Derives from `std::expected` to be `[[nodiscard]]` as a type: the one of
/// libstdc++ 12 is not, and an ignored failure of a write is a lost record.
template <class T>
class [[nodiscard]] Result : public std::expected<T, Error> {
 public:
  using std::expected<T, Error>::expected;
  Result(Error error) : std::expected<T, Error>(std::unexpect, error) {}
};

template <>
class [[nodiscard]] Result<void> : public std::expected<void, Error> {
 public:
  using std::expected<void, Error>::expected;
  Result(Error error) : std::expected<void, Error>(std::unexpect, error) {}
};

}  // namespace sluice

/// Passes the error of `expression` on to the caller; for results without a value.
#define SLUICE_TRY(expression)                        \
  do {                                                \
    auto sluice_result = (expression);                \
    if (!sluice_result) return sluice_result.error(); \
  } while (false)

/// Defines `target` as the value of `expression`, or passes its error on to the caller.
#define SLUICE_TRY_VALUE(target, expression)            \
  auto target##_result = (expression);                  \
  if (!target##_result) return target##_result.error(); \
  auto target = std::move(*target##_result)
