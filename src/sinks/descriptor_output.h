#pragma once

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

  DescriptorOutput(Descriptor descriptor, Waiting waiting)
      : descriptor_(std::move(descriptor)), waiting_(waiting) {}

  Result<std::size_t> write(std::span<const iovec> pieces) override;
  int wait_descriptor() const override {
    return waiting_ == Waiting::never ? -1 : descriptor_.get();
  }
  Result<void> close() override;

 private:
  ssize_t write_some(std::span<const iovec> pieces) const;

  Descriptor descriptor_;
  Waiting waiting_;
};

/// The error of a failed write with this errno: a reader that is gone, or anything else.
Error write_error(int system_errno);

}  // namespace sluice
