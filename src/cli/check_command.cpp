#include <poll.h>
#include <signal.h>

#include <cerrno>
#include <cstdio>
#include <limits>
#include <memory>

#include "base/sizes.h"
#include "cli/commands.h"
#include "cli/file_inputs.h"
#include "cli/input_format.h"
#include "cli/messages.h"
#include "cli/terminal.h"

namespace sluice {
namespace {

constexpr const char* kFooter =
    "Prints a line for each fault: file:line:column, byte offset, code, what was found and what "
    "was\n"
    "expected. In NDJSON every line is judged for itself; a document ends at its first fault.\n"
    "\n"
    "Examples:\n"
    "  sluice check events.ndjson\n"
    "  sluice check --input json settings.json\n";

constexpr std::uint64_t kDrawEveryNs = 100'000'000;
/// Lines up to this size are looked at many at a time, larger ones piece by piece.
constexpr std::size_t kHeldLine = 64 * 1024;

/// Prints faults on standard output, and everything else that matters on standard error.
class FaultPrinter final : public Refusals {
 public:
  void on_refused(const RefusedRecord& record) override {
    ++refused;
    Terminal::clear_progress();
    if (std::printf("%s\n", describe_refused(record).c_str()) < 0) note_output_error();
  }
  void on_more(std::span<const std::uint8_t>, bool) override {}
  void flush() {
    if (std::fflush(stdout) != 0) note_output_error();
  }
  void on_unreadable(const std::string& input, const Error& error) override {
    ++unreadable;
    print_message(display_name(input) + ": " + describe_error(error));
  }

  std::uint64_t refused = 0;
  std::uint64_t unreadable = 0;
  /// Of standard output; 0 while it takes what it gets.
  int output_errno = 0;

 private:
  void note_output_error() {
    if (output_errno == 0) output_errno = errno;
  }
};

struct Totals {
  std::uint64_t accepted = 0;
  std::uint64_t refused = 0;
  std::uint64_t unreadable = 0;
  int output_errno = 0;
};

class Checking {
 public:
  explicit Checking(InputFormat format)
      : budget_(std::numeric_limits<std::uint64_t>::max() / 2), pool_(budget_, {}) {
    // The elements of an array are held one by one, to be counted; everything else is not.
    const bool held = format == InputFormat::array;
    options_.cutter.max_record = held ? kLargestRecord : kHeldLine;
    options_.cutter.alone_from = kHeldLine;
    options_.cutter.check_only = !held;
    options_.format = format;
  }

  void check(const std::string& path, Totals& totals);

 private:
  void draw_progress(const RecordSource& source, std::uint64_t total_bytes);

  SteadyClock clock_;
  Budget budget_;
  Pool pool_;
  SourceOptions options_;
  std::uint64_t drawn_ns_ = 0;
};

void Checking::check(const std::string& path, Totals& totals) {
  FaultPrinter printer;
  auto streams = pool_.take(json::kStreamBytes, Region::parser);
  if (!streams) {
    printer.on_unreadable(path, {.code = ErrorCode::input_read, .system_errno = ENOMEM});
    ++totals.unreadable;
    return;
  }
  const json::Selection nothing;
  RecordSource source(make_file_inputs({path}), nothing, options_,
                      std::as_writable_bytes(streams->bytes()), pool_, clock_, printer);
  const std::uint64_t total_bytes = input_bytes({path});
  BlockRef block;
  while (printer.output_errno == 0) {
    const Source::Step step = source.step([](std::uint64_t) { return true; }, block);
    block.reset();
    if (step == Source::Step::done) break;
    if (step == Source::Step::wait_input) {
      pollfd ready{.fd = source.wait_descriptor(), .events = POLLIN, .revents = 0};
      poll(&ready, 1, -1);
    }
    draw_progress(source, total_bytes);
  }
  Terminal::clear_progress();
  totals.accepted += source.counts().records;
  totals.refused += printer.refused;
  totals.unreadable += printer.unreadable;
  printer.flush();
  totals.output_errno = printer.output_errno;
  if (printer.unreadable == 0 && printer.output_errno == 0) {
    std::fprintf(stderr, "%s: %s accepted, %s refused\n", display_name(path).c_str(),
                 format_count(source.counts().records).c_str(),
                 format_count(printer.refused).c_str());
  }
}

void Checking::draw_progress(const RecordSource& source, std::uint64_t total_bytes) {
  if (!Terminal::shows_progress()) return;
  const std::uint64_t now = clock_.now_ns();
  if (now - drawn_ns_ < kDrawEveryNs) return;
  drawn_ns_ = now;
  std::string line = format_size(source.counts().bytes_read);
  if (total_bytes > 0) line += " of " + format_size(total_bytes);
  Terminal::draw_progress(line);
}

int run(const std::vector<std::string>& files, const std::string& input) {
  const auto format = input_format_named(input);
  if (!format) {
    print_message(format.error().message);
    return kNotStarted;
  }
  signal(SIGPIPE, SIG_IGN);
  Checking checking(*format);
  Totals totals;
  for (const std::string& path : files.empty() ? std::vector<std::string>{"-"} : files) {
    checking.check(path, totals);
    if (totals.output_errno == EPIPE) return kAllDone;
    if (totals.output_errno != 0) {
      print_message("standard output: " + describe_error({.code = ErrorCode::sink_write,
                                                          .system_errno = totals.output_errno}));
      return kNotAllDone;
    }
  }
  return totals.refused + totals.unreadable == 0 ? kAllDone : kNotAllDone;
}

}  // namespace

void add_check_command(CLI::App& app, int& exit_code) {
  CLI::App* const check = app.add_subcommand("check", "tell whether files are JSON or NDJSON");
  auto files = std::make_shared<std::vector<std::string>>();
  auto input = std::make_shared<std::string>("auto");
  check->add_option("FILE", *files, "inputs; none or - is standard input");
  check->add_option("--input", *input, "auto, ndjson, json (one document) or array")
      ->type_name("FORMAT")
      ->capture_default_str();
  check->footer(kFooter);
  check->callback([files, input, &exit_code] { exit_code = run(*files, *input); });
}

}  // namespace sluice
