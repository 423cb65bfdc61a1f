#include "sinks/descriptor_output.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>

namespace sluice {

Error write_error(int system_errno) {
  const bool closed = system_errno == EPIPE || system_errno == ECONNRESET;
  return {.code = closed ? ErrorCode::sink_closed : ErrorCode::sink_write,
          .system_errno = system_errno};
}

ssize_t DescriptorOutput::write_some(std::span<const iovec> pieces) const {
  const int count = static_cast<int>(std::min<std::size_t>(pieces.size(), IOV_MAX));
  if (waiting_ == Waiting::socket) {
    msghdr message{};
    message.msg_iov = const_cast<iovec*>(pieces.data());
    message.msg_iovlen = static_cast<std::size_t>(count);
    return sendmsg(descriptor_.get(), &message, MSG_DONTWAIT | MSG_NOSIGNAL);
  }
  if (waiting_ == Waiting::small_writes) {
    pollfd ready{.fd = descriptor_.get(), .events = POLLOUT, .revents = 0};
    if (poll(&ready, 1, 0) <= 0) {
      errno = EAGAIN;
      return -1;
    }
    return ::write(descriptor_.get(), pieces[0].iov_base,
                   std::min<std::size_t>(pieces[0].iov_len, PIPE_BUF));
  }
  return writev(descriptor_.get(), pieces.data(), count);
}

Result<std::size_t> DescriptorOutput::write(std::span<const iovec> pieces) {
  while (true) {
    const ssize_t count = write_some(pieces);
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno == EAGAIN && waiting_ != Waiting::never) return std::size_t{0};
    if (errno != EINTR) return write_error(errno);
  }
}

Result<void> DescriptorOutput::close() {
  if (!descriptor_.is_open()) return {};
  if (::close(descriptor_.release()) != 0 && errno != EINTR) return write_error(errno);
  return {};
}

}  // namespace sluice
