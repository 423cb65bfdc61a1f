#include "cli/refusal_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "base/sizes.h"
#include "cli/messages.h"

namespace sluice {
namespace {

constexpr std::uint64_t kToldInWords = 10;
constexpr std::uint8_t kNewline[] = {'\n'};

}  // namespace

Result<void> RefusalLog::open_dead_letters(const std::string& path) {
  path_ = path;
  file_ = Descriptor(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!file_.is_open()) return Error{.code = ErrorCode::sink_open, .system_errno = errno};
  return {};
}

void RefusalLog::on_refused(const RefusedRecord& record) {
  if (++refused_ <= kToldInWords) {
    print_message("refused: " + describe_refused(record));
  }
  keep(record.text);
  if (!record.more_follows) keep(kNewline);
}

void RefusalLog::on_more(std::span<const std::uint8_t> bytes, bool last) {
  keep(bytes);
  if (last) keep(kNewline);
}

void RefusalLog::on_unreadable(const std::string& input, const Error& error) {
  ++unreadable_;
  print_message(display_name(input) + ": " + describe_error(error));
}

void RefusalLog::keep(std::span<const std::uint8_t> bytes) {
  if (!file_.is_open() || file_failed_) return;
  while (!bytes.empty()) {
    const ssize_t written = write(file_.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      file_failed_ = true;
      print_message("dead letters in '" + path_ + "' are not complete: " +
                    describe_error({.code = ErrorCode::sink_write,
                                    .system_errno = written == 0 ? ENOSPC : errno}));
      return;
    }
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

bool RefusalLog::close() {
  if (refused_ > kToldInWords) {
    print_message("refused: " + format_count(refused_ - kToldInWords) +
                  " more; 'sluice check' lists them all");
  }
  if (file_.is_open() && ::close(file_.release()) != 0) file_failed_ = true;
  return !file_failed_;
}

}  // namespace sluice
