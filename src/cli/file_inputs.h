#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sinks/byte_output.h"
#include "sources/record_source.h"

namespace sluice {

/// One opener for each path; "-" and no path at all are standard input.
std::vector<std::unique_ptr<InputOpener>> make_file_inputs(const std::vector<std::string>& paths);

/// Device and inode of those that exist now, standard input included where it is a file.
std::vector<FileIdentity> input_identities(const std::vector<std::string>& paths);

/// Sum of the sizes of regular files; 0 when any input is something else.
std::uint64_t input_bytes(const std::vector<std::string>& paths);

}  // namespace sluice
