#include "base/file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace sluice {

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    if (value_ >= 0) close(value_);
    value_ = other.release();
  }
  return *this;
}

Descriptor::~Descriptor() {
  if (value_ >= 0) close(value_);
}

int Descriptor::release() { return std::exchange(value_, -1); }

Result<Descriptor> open_input(const std::string& path) {
  // Non-blocking matters for named pipes, where opening would wait for a writer; until there is one
  // they are not readable.
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (descriptor < 0) return Error{.code = ErrorCode::input_open, .system_errno = errno};
  struct stat status{};
  Descriptor owned(descriptor);
  if (fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
    return Error{.code = ErrorCode::input_open, .system_errno = EISDIR};
  }
  return owned;
}

DescriptorInput::DescriptorInput(Descriptor descriptor) : descriptor_(std::move(descriptor)) {
  struct stat status{};
  if (fstat(descriptor_.get(), &status) != 0) return;
  pollable_ = S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode) || isatty(descriptor_.get());
}

Result<ReadResult> DescriptorInput::read(std::span<std::uint8_t> into) {
  if (pollable_) {
    pollfd ready{.fd = descriptor_.get(), .events = POLLIN, .revents = 0};
    if (poll(&ready, 1, 0) <= 0) return ReadResult{};
  }
  while (true) {
    const ssize_t count = ::read(descriptor_.get(), into.data(), into.size());
    if (count > 0) return ReadResult{.bytes = static_cast<std::size_t>(count)};
    if (count == 0) return ReadResult{.end = true};
    if (errno == EAGAIN && pollable_) return ReadResult{};
    if (errno != EINTR) return Error{.code = ErrorCode::input_read, .system_errno = errno};
  }
}

}  // namespace sluice
