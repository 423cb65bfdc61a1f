#pragma once

#include <string>
#include <string_view>

#include "document/explain.h"
#include "typed/read.h"

namespace sluice::json {

/// What was wrong with a text that was read into a T, as document/explain.h shows it, with the name
/// of the member that is missing, and what a misspelt one was perhaps meant to be. Reads the text
/// once more to find that out.
template <class T>
std::string explain(const Error& error, std::string_view text, std::string_view name = "",
                    const ReadOptions& options = {}) {
  if (error.code != ErrorCode::json_missing && error.code != ErrorCode::json_field) {
    return explain(error, text, name);
  }
  Reader reader(options);
  T value{};
  const Result<void> again = reader.read(text, value);
  return explain(error, text, name, again ? FaultNames{} : reader.fault_names());
}

}  // namespace sluice::json
