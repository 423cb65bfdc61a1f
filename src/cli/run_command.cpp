#include <algorithm>
#include <memory>

#include "base/sizes.h"
#include "cli/admin_pushing.h"
#include "cli/commands.h"
#include "cli/config_plan.h"
#include "cli/http_pushing.h"
#include "cli/messages.h"
#include "cli/run_and_tell.h"

namespace sluice {
namespace {

constexpr const char* kFooter =
    "CONFIG is TOML, or the same as JSON; docs/config.md describes every key.\n"
    "\n"
    "Example, config.toml:\n"
    "  [sources.lines]\n"
    "  type  = \"file\"\n"
    "  paths = [\"events/*.ndjson\"]\n"
    "\n"
    "  [sinks.archive]\n"
    "  type = \"file\"\n"
    "  path = \"archive.ndjson\"\n"
    "\n"
    "  [sinks.names]\n"
    "  type   = \"stdout\"\n"
    "  select = [\"/actor/login\"]\n"
    "\n"
    "  sluice validate config.toml && sluice run config.toml\n";

struct RunWords {
  std::string config;
  std::string drain = "30s";
  std::string report;
  std::string trace;
  std::string digest;
};

int tell(const std::vector<std::string>& lines, int exit_code) {
  for (const std::string& line : lines) print_message(line);
  return exit_code;
}

int run(const RunWords& words) {
  const auto drain = parse_duration_ns(words.drain);
  if (!drain) {
    return tell({"--drain is a duration such as 30s, not '" + words.drain + "'"}, kNotStarted);
  }
  if (!words.digest.empty() && words.digest != "sha256") {
    return tell({"--digest is sha256, not '" + words.digest + "'"}, kNotStarted);
  }
  const auto loaded = load_config(words.config);
  if (!loaded) return tell(loaded.error(), kBadConfig);
  auto plan = plan_of(*loaded);
  if (!plan) return tell(plan.error(), kNotStarted);
  plan->drain_ns = *drain;
  plan->trace = words.trace;
  plan->sha256 = !words.digest.empty();
  plan->crc32c = !words.report.empty();
  std::vector<Pushing*> pushing;
  HttpPushing http(loaded->config);
  if (loaded->config.http) {
    plan->reserved_bytes += HttpPushing::reserved_bytes();
    pushing.push_back(&http);
  }
  AdminPushing admin(loaded->config, loaded->config.http ? &http : nullptr);
  if (loaded->config.admin) {
    plan->reserved_bytes += Admin::reserved_bytes();
    pushing.push_back(&admin);
  }
  return run_and_tell(*plan, words.report, pushing);
}

std::string sinks_of(const Config& config, std::size_t feed) {
  std::string names;
  for (const SinkConfig& sink : config.sinks) {
    if (std::ranges::find(sink.feeds, feed) == sink.feeds.end()) continue;
    names += (names.empty() ? "" : ", ") + sink.name;
  }
  return names;
}

int validate(const std::string& path) {
  const auto loaded = load_config(path);
  if (!loaded) return tell(loaded.error(), kBadConfig);
  const Config& config = loaded->config;
  std::printf("%s: valid\n", loaded->path.c_str());
  for (std::size_t at = 0; at < config.feeds.size(); ++at) {
    const FeedConfig& feed = config.feeds[at];
    std::printf("  %s %s -> %s\n", feed.is_input ? "input" : "source", feed.name.c_str(),
                sinks_of(config, at).c_str());
  }
  return std::fflush(stdout) == 0 ? kAllDone : kNotAllDone;
}

}  // namespace

void add_run_command(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand("run", "run what a configuration file describes");
  auto words = std::make_shared<RunWords>();
  command->add_option("CONFIG", words->config, "the file; - is standard input")->required();
  command->add_option("--drain", words->drain, "time for what was read to leave after a signal")
      ->type_name("TIME")
      ->capture_default_str();
  command->add_option("--report", words->report, "write what happened as one JSON object")
      ->type_name("FILE");
  command->add_option("--trace", words->trace, "write every decision to copy as a line of JSON")
      ->type_name("FILE");
  command->add_option("--digest", words->digest, "sha256: of each sink's bytes, in the report")
      ->type_name("NAME");
  command->footer(kFooter);
  command->callback([words, &exit_code] { exit_code = run(*words); });
}

void add_validate_command(CLI::App& app, int& exit_code) {
  CLI::App* const command =
      app.add_subcommand("validate", "check a configuration file and tell all that is wrong");
  auto path = std::make_shared<std::string>();
  command->add_option("CONFIG", *path, "the file; - is standard input")->required();
  command->footer(
      "Exits with 0 when the file is valid, and else with 78. Nothing is opened but the file.\n"
      "\n"
      "Example:\n"
      "  sluice validate config.toml\n");
  command->callback([path, &exit_code] { exit_code = validate(*path); });
}

}  // namespace sluice
