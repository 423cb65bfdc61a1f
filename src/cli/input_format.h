#pragma once

#include <cstdint>
#include <expected>
#include <string>

#include "cli/select_list.h"
#include "sources/cutter.h"

namespace sluice {

/// The largest record there may be: starts and sizes of fields have 30 bits.
inline constexpr std::uint64_t kLargestRecord = (std::uint64_t{1} << 30) - 1;

/// The format that `--input` names: auto, ndjson, json or array.
inline std::expected<InputFormat, UsageError> input_format_named(const std::string& name) {
  if (name == "auto") return InputFormat::automatic;
  if (name == "ndjson") return InputFormat::ndjson;
  if (name == "json") return InputFormat::json;
  if (name == "array") return InputFormat::array;
  return std::unexpected(UsageError{"--input is auto, ndjson, json or array, not '" + name + "'"});
}

}  // namespace sluice
