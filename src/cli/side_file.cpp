#include "cli/side_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace sluice {
namespace {

Error with_errno(ErrorCode code, int system_errno) {
  return {.code = code, .system_errno = system_errno};
}

}  // namespace

Result<void> SideFile::open(const std::string& path) {
  path_ = path;
  file_ = Descriptor(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0644));
  struct stat status{};
  if (!file_.is_open() || fstat(file_.get(), &status) != 0) {
    const bool is_pipe = errno == ENXIO;
    return with_errno(is_pipe ? ErrorCode::side_file_kind : ErrorCode::sink_open,
                      is_pipe ? 0 : errno);
  }
  if (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode)) {
    return with_errno(ErrorCode::side_file_kind, 0);
  }
  if (S_ISREG(status.st_mode)) identity_.emplace(status.st_dev, status.st_ino);
  return {};
}

Result<void> SideFile::start() {
  if (!identity_ || ftruncate(file_.get(), 0) == 0) return {};
  return with_errno(ErrorCode::sink_open, errno);
}

Result<void> SideFile::write(std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return with_errno(ErrorCode::sink_write, written == 0 ? ENOSPC : errno);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return {};
}

Result<void> SideFile::close() {
  if (file_.is_open() && ::close(file_.release()) != 0 && errno != EINTR) {
    return with_errno(ErrorCode::sink_write, errno);
  }
  return {};
}

}  // namespace sluice
