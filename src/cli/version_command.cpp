#include <array>
#include <cstdio>

#include "cli/commands.h"
#include "cli/messages.h"

namespace sluice {

void add_version_command(CLI::App& app, int& exit_code) {
  CLI::App* const version = app.add_subcommand("version", "print the version");
  version->callback([&exit_code] {
    std::puts("sluice " SLUICE_VERSION);
    exit_code = kAllDone;
  });
}

void add_later_commands(CLI::App& app, int& exit_code) {
  constexpr std::array<const char*, 8> kLater{"test",    "explain", "top",        "tap",
                                              "journal", "schema",  "components", "completions"};
  for (const char* name : kLater) {
    CLI::App* const later = app.add_subcommand(name, "not there yet")->group("");
    later->allow_extras();
    later->callback([name, &exit_code] {
      print_message(std::string("'sluice ") + name +
                    "' is not there yet: this version has run, validate, fan, select, check, load "
                    "and version");
      exit_code = kNotStarted;
    });
  }
}

}  // namespace sluice
