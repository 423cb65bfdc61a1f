#include <memory>

#include "base/sizes.h"
#include "cli/commands.h"
#include "cli/input_format.h"
#include "cli/messages.h"
#include "cli/run_plan.h"

namespace sluice {
namespace {

constexpr const char* kFooter =
    "SELECT is '*' (the whole record) or JSON Pointers with commas between them; a comma within a\n"
    "name is written ~2. A field that a record lacks is left out.\n"
    "\n"
    "Examples:\n"
    "  sluice select /type,/repo/name events.ndjson\n"
    "  curl -s https://example.org/list.json | sluice select --input array /id,/name\n";

struct SelectWords {
  std::string select;
  std::vector<std::string> files;
  std::string input = "auto";
  std::string as;
};

std::expected<RunPlan, UsageError> check(const SelectWords& words) {
  RunPlan options;
  auto to = standard_output_of(words.select, words.as);
  if (!to) return std::unexpected(to.error());
  options.to.push_back(std::move(*to));
  auto input = input_format_named(words.input);
  if (!input) return std::unexpected(input.error());
  options.sources.push_back({.files = words.files, .input = *input});
  options.shows_progress = false;
  return options;
}

int run(const SelectWords& words) {
  const auto options = check(words);
  if (!options) {
    print_message(options.error().message);
    return kNotStarted;
  }
  SideFile no_report;
  const auto stats = run_plan(*options, no_report);
  if (!stats) {
    print_message(stats.error().message);
    return kNotStarted;
  }
  const SinkStats& out = stats->sinks.front();
  if (out.error && out.error->code == ErrorCode::sink_closed) return kAllDone;
  if (out.error) print_message("standard output: " + describe_error(*out.error));
  if (stats->records_refused > 0) {
    print_message(format_count(stats->records_refused) + " of " + format_count(stats->records_in) +
                  " records refused");
  }
  return stats->all_done() ? kAllDone : kNotAllDone;
}

}  // namespace

void add_select_command(CLI::App& app, int& exit_code) {
  CLI::App* const select =
      app.add_subcommand("select", "print some fields of each record as NDJSON");
  auto words = std::make_shared<SelectWords>();
  select->add_option("SELECT", words->select, "the fields")->required();
  select->add_option("FILE", words->files, "inputs; none or - is standard input");
  select->add_option("--input", words->input, "auto, ndjson, json (one document) or array")
      ->type_name("FORMAT")
      ->capture_default_str();
  select->add_option("--as", words->as, "names for the fields, with commas between them")
      ->type_name("NAMES");
  select->footer(kFooter);
  select->callback([words, &exit_code] { exit_code = run(*words); });
}

}  // namespace sluice
