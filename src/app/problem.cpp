#include "app/problem.h"

#include <utility>

#include "document/locate.h"
#include "json/error_text.h"
#include "json/quote.h"

namespace sluice {
namespace {

/// Names in a body may be of any size; a longer pointer is left out.
constexpr std::size_t kLongestPointer = 1024;

void add_member(std::string& object, std::string_view name, const std::string& value) {
  object += object.empty() ? "{" : ",";
  object += '"';
  object += name;
  object += "\":";
  object += value;
}

/// Codes after which a client may try the same again, and when.
bool may_be_tried_again(ErrorCode code) { return error_http_status(code) == 503; }

}  // namespace

void add_problems(std::span<const ShapeFault> faults, std::string_view body, std::uint64_t start,
                  std::optional<std::uint64_t> index, std::vector<Problem>& problems) {
  for (const ShapeFault& fault : faults) {
    if (problems.size() == kMostProblems) return;
    Problem problem{.code = fault.code,
                    .index = index,
                    .pointer = fault.pointer,
                    .parameter = fault.parameter,
                    .detail = fault.detail,
                    .offset = std::nullopt};
    if (fault.parameter.empty() && fault.code != ErrorCode::query_limit) {
      const json::Location place = json::locate(body, start + fault.offset);
      problem.offset = start + fault.offset;
      problem.line = place.line;
      problem.column = place.column;
    }
    problems.push_back(std::move(problem));
  }
}

Problem problem_of(const Error& error, std::string_view text, std::string_view body,
                   std::optional<std::uint64_t> index) {
  const std::uint64_t offset = static_cast<std::uint64_t>(text.data() - body.data()) + error.offset;
  const json::Location place = json::locate(body, offset);
  std::string pointer = json::pointer_at(text, error.offset);
  if (pointer.size() > kLongestPointer) pointer.clear();
  return {.code = error.code,
          .index = index,
          .pointer = std::move(pointer),
          .parameter = {},
          .detail = json::describe(
              error, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}),
          .offset = offset,
          .line = place.line,
          .column = place.column};
}

std::string problems_json(std::span<const Problem> problems) {
  std::string all;
  for (const Problem& problem : problems) {
    std::string object;
    if (problem.index) add_member(object, "index", std::to_string(*problem.index));
    add_member(object, "code", json::quoted(error_name(problem.code)));
    if (problem.parameter.empty()) {
      add_member(object, "pointer", json::quoted(problem.pointer));
    } else {
      add_member(object, "parameter", json::quoted(problem.parameter));
    }
    add_member(object, "detail", json::quoted(problem.detail));
    if (problem.offset) {
      add_member(object, "offset", std::to_string(*problem.offset));
      add_member(object, "line", std::to_string(problem.line));
      add_member(object, "column", std::to_string(problem.column));
    }
    all += (all.empty() ? "" : ",") + object + "}";
  }
  return "[" + all + "]";
}

void answer_problem(ErrorCode code, std::string_view detail, std::span<const Problem> problems,
                    http::Answer& answer, int status) {
  answer.status = status != 0 ? status : error_http_status(code);
  answer.media_type = "application/problem+json";
  std::string object;
  add_member(object, "type", "\"about:blank\"");
  add_member(object, "title", json::quoted(http::status_phrase(answer.status)));
  add_member(object, "status", std::to_string(answer.status));
  add_member(object, "detail", json::quoted(detail.empty() ? error_text(code) : detail));
  add_member(object, "code", json::quoted(error_name(code)));
  if (!problems.empty()) add_member(object, "errors", problems_json(problems));
  answer.text = object + "}\n";
  if (may_be_tried_again(code)) answer.add_header("retry-after", "1");
}

}  // namespace sluice
