#pragma once

#include <sys/uio.h>

#include <cstdint>
#include <span>

#include "base/file.h"

namespace sluice::http {

/// The two ends of one connection: a socket, TLS over one, or a simulation. Never blocks.
class Stream {
 public:
  virtual ~Stream() = default;
  /// Bytes and whether nothing follows; neither: nothing is there now. Fewer bytes than asked for
  /// mean that nothing more is there now, unless `may_have_more`.
  /// Errors: input_read.
  virtual Result<ReadResult> read(std::span<std::uint8_t> into) = 0;
  virtual bool may_have_more() const { return false; }
  /// How many bytes went; 0 when it would have to wait. Errors: sink_write, sink_closed.
  virtual Result<std::size_t> write(std::span<const iovec> pieces) = 0;
  /// Tells the peer that nothing more comes, and leaves the way back open.
  virtual void shut_writing() = 0;
  virtual int descriptor() const = 0;
};

/// A connected socket, which must not block.
class SocketStream final : public Stream {
 public:
  explicit SocketStream(Descriptor socket) : socket_(std::move(socket)) {}
  Result<ReadResult> read(std::span<std::uint8_t> into) override;
  Result<std::size_t> write(std::span<const iovec> pieces) override;
  void shut_writing() override;
  int descriptor() const override { return socket_.get(); }

 private:
  Descriptor socket_;
};

}  // namespace sluice::http
