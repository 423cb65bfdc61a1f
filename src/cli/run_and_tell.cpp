#include "cli/run_and_tell.h"

#include "cli/commands.h"
#include "cli/messages.h"
#include "cli/report.h"
#include "cli/summary.h"

namespace sluice {
namespace {

bool write_report(SideFile& file, const RunStats& stats) {
  if (!file.is_open()) return true;
  const std::string text = report_json(stats);
  Result<void> written =
      file.write({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  if (written) written = file.close();
  if (!written) print_message("the report is not complete: " + describe_error(written.error()));
  return written.has_value();
}

}  // namespace

int run_and_tell(const RunPlan& plan, const std::string& report,
                 const std::vector<Pushing*>& pushing) {
  SideFile file;
  if (!report.empty()) {
    if (const auto opened = file.open(report); !opened) {
      print_message("--report " + report + ": " + describe_error(opened.error()));
      return kNotStarted;
    }
  }
  const auto stats = run_plan(plan, file, pushing);
  if (!stats) {
    print_message(stats.error().message);
    return kNotStarted;
  }
  print_summary(*stats);
  const bool reported = write_report(file, *stats);
  return stats->all_done() && reported ? kAllDone : kNotAllDone;
}

}  // namespace sluice
