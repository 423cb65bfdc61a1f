#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/standard_descriptors.h"
#include "sinks/descriptor_output.h"

namespace sluice {
namespace {

using Waiting = DescriptorOutput::Waiting;

/// Standard output shares its open file with whoever started us, so its mode is not ours to
/// change: a pipe or terminal is opened once more for us alone.
Result<std::unique_ptr<ByteOutput>> make(const std::string& rest, const SinkContext& context) {
  if (!rest.empty()) return Error{.code = ErrorCode::option_value};
  struct stat status{};
  if (standard_was_closed(STDOUT_FILENO)) {
    return Error{.code = ErrorCode::sink_open, .system_errno = EBADF};
  }
  if (fstat(STDOUT_FILENO, &status) != 0) {
    return Error{.code = ErrorCode::sink_open, .system_errno = errno};
  }
  if (std::ranges::find(context.inputs, identity_of(status)) != context.inputs.end()) {
    return Error{.code = ErrorCode::sink_is_input};
  }
  Waiting waiting = Waiting::never;
  int descriptor = -1;
  if (S_ISSOCK(status.st_mode)) {
    waiting = Waiting::socket;
  } else if (S_ISFIFO(status.st_mode) || isatty(STDOUT_FILENO)) {
    descriptor = open("/proc/self/fd/1", O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    waiting = descriptor >= 0 ? Waiting::non_blocking : Waiting::small_writes;
  }
  if (descriptor < 0) descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  if (descriptor < 0) return Error{.code = ErrorCode::sink_open, .system_errno = errno};
  return std::make_unique<DescriptorOutput>(Descriptor(descriptor), waiting, identity_of(status));
}

}  // namespace

extern const SinkSpec stdout_sink_spec{
    .scheme = "-",
    .summary = "writes to standard output",
    .example = "--to '/type -> -'",
    .make = make,
};

}  // namespace sluice
