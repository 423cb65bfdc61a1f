#include "cli/refusal_log.h"

#include "base/sizes.h"
#include "cli/messages.h"

namespace sluice {
namespace {

constexpr std::uint64_t kToldInWords = 10;
constexpr std::uint8_t kNewline[] = {'\n'};

}  // namespace

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
  if (const Result<void> written = file_.write(bytes); !written) {
    file_failed_ = true;
    print_message("dead letters in '" + file_.path() +
                  "' are not complete: " + describe_error(written.error()));
  }
}

bool RefusalLog::close() {
  if (refused_ > kToldInWords) {
    print_message("refused: " + format_count(refused_ - kToldInWords) +
                  " more; 'sluice check' lists them all");
  }
  if (!file_.close()) file_failed_ = true;
  return !file_failed_;
}

}  // namespace sluice
