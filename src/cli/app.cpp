#include "cli/app.h"

#include <algorithm>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/messages.h"
#include "kernel/kernel.h"

namespace sluice {
namespace {

constexpr const char* kFooter =
    "Examples:\n"
    "  sluice run config.toml\n"
    "  sluice fan --to '* -> file:all.ndjson' --to '/type -> -' events.ndjson\n"
    "  sluice select /type,/repo/name events.ndjson\n"
    "  sluice check events.ndjson\n"
    "\n"
    "'sluice COMMAND --help' tells more.\n";

/// As the library wants them: last first, without the program's name. It would take "[x]" for a
/// list with one item; "./[x]" names the same file.
std::vector<std::string> reversed_arguments(int argument_count, char** arguments) {
  std::vector<std::string> reversed;
  for (int at = argument_count - 1; at > 0; --at) {
    const std::string argument = arguments[at];
    const bool is_bracketed = argument.starts_with('[') && argument.ends_with(']');
    reversed.push_back(is_bracketed ? "./" + argument : argument);
  }
  return reversed;
}

/// The command that was named, for the hint where to read on; empty when none was.
std::string named_command(const CLI::App& app) {
  const auto parsed = app.get_subcommands();
  return parsed.empty() ? "" : parsed.front()->get_name() + " ";
}

/// Whether `word` is where a command should be and is none.
bool is_unknown_command(const CLI::App& app, const std::string& word) {
  if (word.starts_with('-')) return false;
  const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
  return std::ranges::none_of(commands,
                              [&](const CLI::App* command) { return command->get_name() == word; });
}

}  // namespace

int run_app(int argument_count, char** arguments) {
  CLI::App app{"Sluice: JSON records in, many sinks out, one memory budget.", "sluice"};
  app.require_subcommand(1);
  app.footer(kFooter);
  app.set_version_flag("--version", "sluice " SLUICE_VERSION);
  int exit_code = kAllDone;
  add_run_command(app, exit_code);
  add_validate_command(app, exit_code);
  add_fan_command(app, exit_code);
  add_select_command(app, exit_code);
  add_check_command(app, exit_code);
  add_load_command(app, exit_code);
  add_version_command(app, exit_code);
  add_later_commands(app, exit_code);
  if (const Result<void> kernel = kernel::select_from_environment(); !kernel) {
    std::string known;
    for (const auto* each : kernel::supported()) known += std::string(" ") + each->name;
    print_message(
        "SLUICE_KERNEL names no kernel that this machine can run: leave it out, or use "
        "one of" +
        known);
    return kNotStarted;
  }
  if (argument_count > 1 && is_unknown_command(app, arguments[1])) {
    print_message("'" + std::string(arguments[1]) +
                  "' is no command: there are run, validate, fan, select, check, load and version; "
                  "see 'sluice --help'");
    return kNotStarted;
  }
  try {
    app.parse(reversed_arguments(argument_count, arguments));
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    print_message(std::string(error.what()) + "; see 'sluice " + named_command(app) + "--help'");
    return kNotStarted;
  }
  return exit_code;
}

}  // namespace sluice
