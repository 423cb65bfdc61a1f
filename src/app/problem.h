#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "http/answer.h"
#include "record/shape_fault.h"

namespace sluice {

inline constexpr std::size_t kMostProblems = 16;

/// One fault as an answer tells it.
struct Problem {
  ErrorCode code = ErrorCode::none;
  std::optional<std::uint64_t> index;  ///< of the record, where there are many
  std::string pointer;                 ///< of the value; of a fault of syntax ""
  std::string parameter;               ///< of the query instead
  std::string detail;
  std::optional<std::uint64_t> offset;  ///< in the body; nothing for a fault of the query
  std::uint64_t line = 0;
  std::uint64_t column = 0;
};

/// Tells the faults of a body, or of one of its records, which begins `start` bytes into it.
void add_problems(std::span<const ShapeFault> faults, std::string_view body, std::uint64_t start,
                  std::optional<std::uint64_t> index, std::vector<Problem>& problems);
/// One fault of a text, in the library's words.
Problem problem_of(const Error& error, std::string_view text, std::string_view body,
                   std::optional<std::uint64_t> index);

/// `application/problem+json` (RFC 9457): status and code are those of `code`; `detail` is the
/// code's own text where it is empty. `status`: another one than the code's, not 0.
void answer_problem(ErrorCode code, std::string_view detail, std::span<const Problem> problems,
                    http::Answer& answer, int status = 0);
/// The members of one problem in an object of `errors`.
std::string problems_json(std::span<const Problem> problems);

}  // namespace sluice
