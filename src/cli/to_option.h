#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/select_list.h"
#include "flow/port.h"
#include "sinks/byte_output.h"
#include "sinks/encoder.h"

namespace sluice {

/// One `--to 'SELECT -> [option=value ...] URI'` taken apart.
struct ToOption {
  SelectList select;
  std::string name;  ///< empty: made from the URI
  Format format = Format::json;
  std::vector<std::string> names;  ///< of the fields in output objects
  bool bare = false;
  std::uint64_t delay_ns = 0;
  std::uint64_t queue_records = 0;
  std::uint64_t queue_bytes = 0;
  WhenFull when_full = WhenFull::block;
  std::string uri;
  const SinkSpec* spec = nullptr;
  std::string rest;  ///< of the URI, behind the scheme
};

/// Grammar: the first ` -> ` splits; behind it words `[a-z_]+=...` without blanks are options as
/// long as they last, and everything from the first other word on is the URI, verbatim.
std::expected<ToOption, UsageError> parse_to(std::string_view text);

/// The fields of SELECT as objects on standard output. `as`: their names with commas between them;
/// empty: the pointers' last tokens.
std::expected<ToOption, UsageError> standard_output_of(std::string_view select,
                                                       const std::string& as);

}  // namespace sluice
