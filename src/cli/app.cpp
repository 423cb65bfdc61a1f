#include "cli/app.h"

#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/messages.h"
#include "kernel/kernel.h"

namespace sluice {
namespace {

constexpr const char* kFooter =
    "Examples:\n"
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

}  // namespace

int run_app(int argument_count, char** arguments) {
  CLI::App app{"Sluice: JSON records in, many sinks out, one memory budget.", "sluice"};
  app.require_subcommand(1);
  app.footer(kFooter);
  int exit_code = kAllDone;
  add_fan_command(app, exit_code);
  add_select_command(app, exit_code);
  add_check_command(app, exit_code);
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
  try {
    app.parse(reversed_arguments(argument_count, arguments));
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    print_message(std::string(error.what()) + "; see 'sluice --help'");
    return kNotStarted;
  }
  return exit_code;
}

}  // namespace sluice
