#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>

#include "sinks/descriptor_output.h"

namespace sluice {
namespace {

// The page cache of ext4 works in pieces as large as a write's length and alignment allow; whole
// units at multiples of their size cost a third less than the same bytes at odd places.
constexpr std::size_t kUnitBytes = 256 * 1024;
// Reserving blocks ahead saves the bookkeeping of delayed allocation for every page: another
// third. Not worth it for small files, and a loss on file systems other than ext4.
constexpr std::uint64_t kReserveFrom = 1024 * 1024;
constexpr std::uint64_t kReserveStep = 8 * 1024 * 1024;

class FileOutput final : public ByteOutput {
 public:
  FileOutput(Descriptor descriptor, const FileIdentity& identity)
      : descriptor_(std::move(descriptor)), identity_(identity) {}

  std::optional<FileIdentity> identity() const override { return identity_; }

  Result<void> start() override;
  Result<std::size_t> write(std::span<const iovec> pieces) override;
  int wait_descriptor() const override { return -1; }
  std::size_t unit_bytes() const override { return kUnitBytes; }
  Result<void> close() override;

 private:
  void reserve_ahead(std::uint64_t until);

  Descriptor descriptor_;
  FileIdentity identity_;
  std::uint64_t offset_ = 0;
  std::uint64_t reserved_ = 0;
  bool may_reserve_ = false;
};

Result<void> FileOutput::start() {
  struct stat file{};
  // Cutting an empty file would do nothing, save that ext4 then writes all of it to the disk at
  // close, to save programs that overwrite in place.
  const bool empty = fstat(descriptor_.get(), &file) == 0 && file.st_size == 0;
  if (!empty && ftruncate(descriptor_.get(), 0) != 0) {
    return Error{.code = ErrorCode::sink_open, .system_errno = errno};
  }
  struct statfs status{};
  may_reserve_ = fstatfs(descriptor_.get(), &status) == 0 && status.f_type == EXT4_SUPER_MAGIC;
  return {};
}

void FileOutput::reserve_ahead(std::uint64_t until) {
  if (!may_reserve_ || until < kReserveFrom) return;
  while (reserved_ < until) {
    const std::uint64_t from = std::max(reserved_, offset_);
    if (fallocate(descriptor_.get(), FALLOC_FL_KEEP_SIZE, static_cast<off_t>(from),
                  static_cast<off_t>(kReserveStep)) != 0) {
      may_reserve_ = false;  // the write itself will tell what is wrong, if anything is
      return;
    }
    reserved_ = from + kReserveStep;
  }
}

Result<std::size_t> FileOutput::write(std::span<const iovec> pieces) {
  std::uint64_t bytes = 0;
  for (const iovec& piece : pieces) bytes += piece.iov_len;
  reserve_ahead(offset_ + bytes);
  while (true) {
    const int count = static_cast<int>(std::min<std::size_t>(pieces.size(), IOV_MAX));
    const ssize_t written = writev(descriptor_.get(), pieces.data(), count);
    if (written > 0) {
      offset_ += static_cast<std::uint64_t>(written);
      return static_cast<std::size_t>(written);
    }
    if (written == 0) return write_error(ENOSPC);
    if (errno != EINTR) return write_error(errno);
  }
}

Result<void> FileOutput::close() {
  if (!descriptor_.is_open()) return {};
  const bool cut =
      reserved_ <= offset_ || ftruncate(descriptor_.get(), static_cast<off_t>(offset_)) == 0;
  const int cut_errno = errno;
  if (::close(descriptor_.release()) != 0 && errno != EINTR) return write_error(errno);
  if (!cut) return write_error(cut_errno);
  return {};
}

Result<std::unique_ptr<ByteOutput>> make(const std::string& path, const SinkContext& context) {
  if (path.empty()) return Error{.code = ErrorCode::sink_open, .system_errno = ENOENT};
  // Non-blocking matters for named pipes only, where opening would wait for a reader.
  const int opened =
      open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0644);
  if (opened < 0) {
    const bool no_reader = errno == ENXIO;
    return Error{.code = no_reader ? ErrorCode::sink_without_reader : ErrorCode::sink_open,
                 .system_errno = errno};
  }
  Descriptor descriptor(opened);
  struct stat status{};
  if (fstat(opened, &status) != 0) {
    return Error{.code = ErrorCode::sink_open, .system_errno = errno};
  }
  const FileIdentity identity = identity_of(status);
  if (std::ranges::find(context.inputs, identity) != context.inputs.end()) {
    return Error{.code = ErrorCode::sink_is_input};
  }
  if (S_ISREG(status.st_mode)) return std::make_unique<FileOutput>(std::move(descriptor), identity);
  const bool waits = S_ISFIFO(status.st_mode) || isatty(opened);
  return std::make_unique<DescriptorOutput>(
      std::move(descriptor),
      waits ? DescriptorOutput::Waiting::non_blocking : DescriptorOutput::Waiting::never);
}

}  // namespace

extern const SinkSpec file_sink_spec{
    .scheme = "file:",
    .summary = "writes to a file, which is emptied first; its folder must exist",
    .example = "--to '* -> file:out/all.ndjson'",
    .make = make,
};

}  // namespace sluice
