#include "cli/messages.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/sizes.h"
#include "cli/terminal.h"
#include "json/error_text.h"

namespace sluice {
namespace {

std::string advice(const Error& error) {
  switch (error.code) {
    case ErrorCode::input_compressed:
      return "decompress it first, as in: zcat FILE | sluice ...";
    case ErrorCode::sink_twice:
      return "give each sink a place of its own";
    case ErrorCode::sink_is_input:
      return "write to another file";
    case ErrorCode::sink_without_reader:
      return "start its reader first, or use exec:cat > PATH";
    case ErrorCode::sink_command_status:
      return "run the command by hand to see why";
    case ErrorCode::sink_abandoned:
      return "raise --drain to wait longer";
    case ErrorCode::budget_full:
      return "raise --budget";
    case ErrorCode::sink_closed:
      return "its remaining records are not delivered";
    default:
      break;
  }
  switch (error.system_errno) {
    case ENOENT:
      return "check the path";
    case EACCES:
    case EPERM:
    case EROFS:
      return "check the permissions";
    case EISDIR:
      return "name a file, not a directory";
    case EFBIG:
      return "raise the limit of file size (ulimit -f)";
    case EBADF:
      return "start the program with it open";
    case ENOSPC:
    case EDQUOT:
      return "free some space and run again";
    case EMFILE:
    case ENFILE:
      return "raise the limit of open files (ulimit -n)";
    case ENOMEM:
      return "the system has no memory left for it";
    default:
      return "";
  }
}

}  // namespace

std::string describe_error(const Error& error) {
  std::string text = error_text(error.code);
  if (error.code == ErrorCode::sink_command_status ||
      error.code == ErrorCode::sink_command_signal) {
    text += " (" + std::to_string(error.detail) + ")";
  }
  if (error.system_errno != 0 && error.code != ErrorCode::sink_closed) {
    text += std::string(": ") + std::strerror(error.system_errno);
  }
  const std::string what_to_do = advice(error);
  return what_to_do.empty() ? text : text + "; " + what_to_do;
}

std::string describe_refused(const RefusedRecord& record) {
  const bool too_large = record.error.code == ErrorCode::record_limit;
  const std::uint64_t byte = record.offset + (too_large ? 0 : record.error.offset);
  const std::string place = display_name(record.input) + ":" + std::to_string(record.line) + ":" +
                            std::to_string(record.column) + ": byte " + std::to_string(byte) +
                            ": " + error_name(record.error.code) + ": ";
  if (too_large) {
    return place + "the record is larger than " + format_size(record.error.offset) +
           "; 'sluice fan' lets it pass with a larger --max-record (and --budget)";
  }
  return place + json::describe(record.error, record.text, record.text_base);
}

std::string display_name(const std::string& input) { return input == "-" ? "stdin" : input; }

void print_message(const std::string& message) {
  Terminal::clear_progress();
  std::fprintf(stderr, "sluice: %s\n", message.c_str());
}

}  // namespace sluice
