#include "cli/progress.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/sizes.h"
#include "cli/messages.h"
#include "cli/terminal.h"

namespace sluice {
namespace {

constexpr std::uint64_t kDrawEveryNs = 100'000'000;
constexpr std::size_t kBarWidth = 24;

std::string bar(std::uint64_t done, std::uint64_t total) {
  const auto filled = static_cast<std::size_t>(std::min(done, total) * kBarWidth / total);
  return "[" + std::string(filled, '#') + std::string(kBarWidth - filled, '.') + "] " +
         std::to_string(std::min(done, total) * 100 / total) + " %  ";
}

}  // namespace

Progress::Progress(Clock& clock, std::vector<const Source*> sources, const Budget& budget,
                   std::uint64_t total_bytes, bool draws)
    : clock_(clock),
      sources_(std::move(sources)),
      budget_(budget),
      total_bytes_(total_bytes),
      draws_(draws && Terminal::shows_progress()),
      started_ns_(clock.now_ns()) {}

Progress::~Progress() { Terminal::clear_progress(); }

void Progress::on_waiting(const Port& port) {
  print_message("waiting for sink " + port.options().name + ": holds " +
                format_size(port.held_bytes()) + " of its " + format_size(port.held_bytes_bound()));
}

void Progress::on_progress() {
  if (!draws_) return;
  const std::uint64_t now = clock_.now_ns();
  if (now - drawn_ns_ < kDrawEveryNs) return;
  drawn_ns_ = now;
  const double seconds = static_cast<double>(now - started_ns_) / 1e9;
  SourceCounts counts;
  for (const Source* const source : sources_) {
    const SourceCounts more = source->counts();
    counts.bytes_read += more.bytes_read;
    counts.records += more.records;
  }
  const auto rate =
      static_cast<std::uint64_t>(static_cast<double>(counts.bytes_read) / std::max(seconds, 1e-9));
  std::string line = total_bytes_ > 0 ? bar(counts.bytes_read, total_bytes_) : "";
  line += format_count(counts.records) + " records  " + format_size(rate) + "/s  memory " +
          format_size(budget_.used()) + " of " + format_size(budget_.limit());
  Terminal::draw_progress(line);
}

}  // namespace sluice
