#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/file.h"
#include "sinks/byte_output.h"

namespace sluice {

/// A file beside the sinks: the report, or the refused records. Opened before anything starts and
/// emptied only when everything could be opened.
class SideFile {
 public:
  /// Regular files and devices; a pipe or socket could keep everything waiting.
  /// Errors: sink_open, side_file_kind.
  Result<void> open(const std::string& path);
  bool is_open() const { return file_.is_open(); }
  const std::string& path() const { return path_; }
  /// Of a regular file; nothing for devices, which may be shared.
  std::optional<FileIdentity> identity() const { return identity_; }
  /// Errors: sink_open.
  Result<void> start();
  /// Errors: sink_write.
  Result<void> write(std::span<const std::uint8_t> bytes);
  /// Errors: sink_write.
  Result<void> close();

 private:
  std::string path_;
  Descriptor file_;
  std::optional<FileIdentity> identity_;
};

}  // namespace sluice
