#pragma once

#include <CLI/CLI.hpp>

namespace sluice {

/// Exit codes of the contract.
enum ExitCode : int {
  kAllDone = 0,
  kNotAllDone = 1,  ///< something was refused, dropped or left, or could not be read or written
  kNotStarted = 2,  ///< a bad option, a sink that cannot be opened, a budget too small
  kBadConfig = 78,  ///< a configuration file with something wrong in it
};

/// Each adds one subcommand; its callback sets `exit_code`.
void add_fan_command(CLI::App& app, int& exit_code);
void add_select_command(CLI::App& app, int& exit_code);
void add_check_command(CLI::App& app, int& exit_code);
void add_load_command(CLI::App& app, int& exit_code);
void add_run_command(CLI::App& app, int& exit_code);
void add_validate_command(CLI::App& app, int& exit_code);
void add_version_command(CLI::App& app, int& exit_code);
/// Commands of later versions: each says that it is not there yet.
void add_later_commands(CLI::App& app, int& exit_code);

}  // namespace sluice
