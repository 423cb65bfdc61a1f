#include "http/stream.h"

#include <sys/socket.h>

#include <cerrno>

namespace sluice::http {

Result<ReadResult> SocketStream::read(std::span<std::uint8_t> into) {
  while (true) {
    const ssize_t got = recv(socket_.get(), into.data(), into.size(), 0);
    if (got > 0) return ReadResult{.bytes = static_cast<std::size_t>(got)};
    if (got == 0) return ReadResult{.end = true};
    if (errno == EAGAIN || errno == EWOULDBLOCK) return ReadResult{};
    if (errno != EINTR) return Error{.code = ErrorCode::input_read, .system_errno = errno};
  }
}

Result<std::size_t> SocketStream::write(std::span<const iovec> pieces) {
  msghdr message{};
  message.msg_iov = const_cast<iovec*>(pieces.data());
  message.msg_iovlen = pieces.size();
  while (true) {
    const ssize_t sent = sendmsg(socket_.get(), &message, MSG_NOSIGNAL);
    if (sent >= 0) return static_cast<std::size_t>(sent);
    if (errno == EAGAIN || errno == EWOULDBLOCK) return std::size_t{0};
    if (errno == EPIPE || errno == ECONNRESET) {
      return Error{.code = ErrorCode::sink_closed, .system_errno = errno};
    }
    if (errno != EINTR) return Error{.code = ErrorCode::sink_write, .system_errno = errno};
  }
}

void SocketStream::shut_writing() { shutdown(socket_.get(), SHUT_WR); }

}  // namespace sluice::http
