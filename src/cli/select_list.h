#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "json/pointer.h"

namespace sluice {

/// A SELECT taken apart: the whole record, or pointers to fields.
struct SelectList {
  bool whole = false;
  std::vector<json::Pointer> pointers;
};

/// What a user got wrong, in words that say what to do.
struct UsageError {
  std::string message;
};

/// Reads `*` or comma-separated JSON Pointers, in which `~2` stands for a comma within a token and
/// `~3` may stand for `>`.
std::expected<SelectList, UsageError> parse_select(std::string_view text);

/// The names of the fields in output objects: `as`, or the pointers' last tokens. An error when
/// two fields would have one name, or `as` has another number of names than there are fields.
std::expected<std::vector<std::string>, UsageError> field_names(const SelectList& select,
                                                                const std::vector<std::string>& as);

}  // namespace sluice
