#pragma once

#include <sys/stat.h>

#include "sinks/byte_output.h"

namespace sluice {

/// Writes to a pipe, a socket, a terminal or a device without ever waiting for its reader.
class DescriptorOutput final : public ByteOutput {
 public:
  enum class Waiting {
    never,         ///< a device or file that takes everything at once
    non_blocking,  ///< the descriptor is in non-blocking mode
    socket,        ///< each write asks not to wait
    small_writes,  ///< only what poll promises room for: PIPE_BUF bytes at a time
  };

  DescriptorOutput(Descriptor descriptor, Waiting waiting,
                   std::optional<FileIdentity> identity = std::nullopt)
      : descriptor_(std::move(descriptor)), waiting_(waiting), identity_(identity) {}

  Result<std::size_t> write(std::span<const iovec> pieces) override;
  int wait_descriptor() const override {
    return waiting_ == Waiting::never ? -1 : descriptor_.get();
  }
  std::optional<FileIdentity> identity() const override { return identity_; }
  Result<void> close() override;

 private:
  ssize_t write_some(std::span<const iovec> pieces) const;

  Descriptor descriptor_;
  Waiting waiting_;
  std::optional<FileIdentity> identity_;
};

/// Of what a descriptor's status tells about.
inline FileIdentity identity_of(const struct stat& status) {
  return {status.st_dev, status.st_ino};
}

/// The error of a failed write with this errno: a reader that is gone, or anything else.
Error write_error(int system_errno);

}  // namespace sluice
