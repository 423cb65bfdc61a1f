#include <algorithm>
#include <array>
#include <charconv>
#include <memory>

#include "base/sizes.h"
#include "cli/commands.h"
#include "cli/input_format.h"
#include "cli/messages.h"
#include "cli/run_and_tell.h"
#include "flow/retention.h"

namespace sluice {
namespace {

constexpr std::size_t kMostThreads = 64;

constexpr const char* kFooter =
    "Each --to is 'SELECT -> [option=value ...] URI'. SELECT is '*' (the whole record) or JSON\n"
    "Pointers with commas between them. Options: name=, format=json|text, as=a,b, bare=yes,\n"
    "delay=5ms, queue=64 or queue=4MiB, when_full=block|drop_newest|drop_oldest.\n"
    "URI: - (standard output), null:, file:PATH, exec:COMMAND.\n"
    "\n"
    "Examples:\n"
    "  sluice fan --to '* -> file:all.ndjson' --to '/type,/repo/name -> -' events.ndjson\n"
    "  sluice fan --budget 8MiB --to '* -> file:all.ndjson' \\\n"
    "             --to '/actor/login -> format=text exec:sort -u > logins.txt' *.ndjson\n"
    "  tail -f app.log | sluice fan --to '/level,/msg -> when_full=drop_newest exec:./alert.sh' "
    "\\\n"
    "             --to '* -> file:app.ndjson'\n";

/// Each policy with what it does, for the end of the help.
std::string policies_in_words() {
  std::string text = "\nPolicies:\n";
  for (const PolicySpec* spec : policy_specs()) {
    std::string name(spec->name);
    name.resize(std::max<std::size_t>(name.size(), 14), ' ');
    text += "  " + name + std::string(spec->summary) + "\n";
  }
  return text;
}

/// The words as the user gave them.
struct FanWords {
  std::vector<std::string> to;
  std::vector<std::string> files;
  std::string budget = "64MiB";
  std::string max_record;
  std::string policy;
  bool study = false;
  std::string on_error = "skip";
  std::string input = "auto";
  std::string drain = "30s";
  std::string report;
  std::string trace;
  std::string digest;
  std::string threads = "1";
  std::string spill;
};

using Checked = std::expected<RunPlan, UsageError>;

std::unexpected<UsageError> wrong(const std::string& message) {
  return std::unexpected(UsageError{message});
}

std::expected<std::string, UsageError> policy_named(const std::string& name) {
  if (name.empty()) return RunPlan{}.policy;
  std::string known;
  for (const PolicySpec* spec : policy_specs()) {
    if (spec->name == name) return name;
    known += (known.empty() ? "" : ", ") + std::string(spec->name);
  }
  return std::unexpected(UsageError{"--policy " + name + " is none of " + known});
}

std::expected<void, UsageError> read_on_error(const std::string& word, SourcePlan& source) {
  constexpr std::string_view kDeadLetter = "dead-letter=";
  if (word == "skip") return {};
  if (word == "stop") {
    source.on_error = OnError::stop;
    return {};
  }
  if (word.starts_with(kDeadLetter) && word.size() > kDeadLetter.size()) {
    source.on_error = OnError::dead_letter;
    source.dead_letters = word.substr(kDeadLetter.size());
    return {};
  }
  return wrong("--on-error is stop, skip or dead-letter=FILE, not '" + word + "'");
}

std::expected<void, UsageError> read_sizes(const FanWords& words, RunPlan& options) {
  const auto budget = parse_size(words.budget);
  if (!budget) return wrong("--budget is a size such as 64MiB, not '" + words.budget + "'");
  options.budget_bytes = *budget;
  if (!words.max_record.empty()) {
    const auto size = parse_size(words.max_record);
    if (!size || *size == 0 || *size > kLargestRecord) {
      return wrong("--max-record is a size from 1 byte to 1 GiB - 1, such as 16MiB, not '" +
                   words.max_record + "'");
    }
    options.max_record = *size;
  }
  const auto drain = parse_duration_ns(words.drain);
  if (!drain) return wrong("--drain is a duration such as 30s, not '" + words.drain + "'");
  options.drain_ns = *drain;
  return {};
}

std::expected<void, UsageError> read_threads(const FanWords& words, RunPlan& options) {
  const std::string& text = words.threads;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), options.threads);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  if (!is_number || options.threads == 0 || options.threads > kMostThreads) {
    return wrong("--threads is a number from 1 to " + std::to_string(kMostThreads) + ", not '" +
                 text + "'");
  }
  if (words.study && options.threads > 1) {
    return wrong("--study counts what one thread takes: leave --threads out");
  }
  return {};
}

Checked check(const FanWords& words) {
  RunPlan options;
  for (const std::string& text : words.to) {
    auto to = parse_to(text);
    if (!to) return std::unexpected(to.error());
    options.to.push_back(std::move(*to));
  }
  if (auto sizes = read_sizes(words, options); !sizes) return std::unexpected(sizes.error());
  SourcePlan source{.files = words.files};
  if (auto on_error = read_on_error(words.on_error, source); !on_error) {
    return std::unexpected(on_error.error());
  }
  auto policy = policy_named(words.policy);
  if (!policy) return std::unexpected(policy.error());
  options.policy = *policy;
  auto input = input_format_named(words.input);
  if (!input) return std::unexpected(input.error());
  source.input = *input;
  options.sources.push_back(std::move(source));
  if (!words.digest.empty() && words.digest != "sha256") {
    return wrong("--digest is sha256, not '" + words.digest + "'");
  }
  if (!words.spill.empty()) return wrong("--spill is not there yet: leave it out");
  if (auto threads = read_threads(words, options); !threads) {
    return std::unexpected(threads.error());
  }
  options.study = words.study;
  options.trace = words.trace;
  options.sha256 = !words.digest.empty();
  options.crc32c = !words.report.empty();
  return options;
}

int run(const FanWords& words) {
  const Checked options = check(words);
  if (!options) {
    print_message(options.error().message);
    return kNotStarted;
  }
  return run_and_tell(*options, words.report);
}

}  // namespace

void add_fan_command(CLI::App& app, int& exit_code) {
  CLI::App* const fan = app.add_subcommand("fan", "send the records of files or stdin to sinks");
  auto words = std::make_shared<FanWords>();
  fan->add_option("--to", words->to, "a sink and what it takes; once for each sink")
      ->required()
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false)
      ->type_name("'SELECT -> URI'");
  fan->add_option("FILE", words->files, "inputs; none or - is standard input");
  fan->add_option("--budget", words->budget, "memory that the run may use")
      ->type_name("SIZE")
      ->capture_default_str();
  fan->add_option("--max-record", words->max_record,
                  "larger records are refused; default 16MiB, or a quarter of the budget if less")
      ->type_name("SIZE");
  fan->add_option("--policy", words->policy,
                  "who keeps what: auto (default), or one of those listed below")
      ->type_name("NAME");
  fan->add_flag("--study", words->study,
                "one record a block, capacities in powers of two, writes at once");
  fan->add_option("--on-error", words->on_error,
                  "a bad record: stop, skip, or dead-letter=FILE to keep its bytes")
      ->type_name("WHAT")
      ->capture_default_str();
  fan->add_option("--input", words->input, "auto, ndjson, json (one document) or array")
      ->type_name("FORMAT")
      ->capture_default_str();
  fan->add_option("--drain", words->drain, "time for what was read to leave after a signal")
      ->type_name("TIME")
      ->capture_default_str();
  fan->add_option("--report", words->report, "write what happened as one JSON object")
      ->type_name("FILE");
  fan->add_option("--trace", words->trace, "write every decision to copy as a line of JSON")
      ->type_name("FILE");
  fan->add_option("--digest", words->digest, "sha256: of each sink's bytes, in the report")
      ->type_name("NAME");
  fan->add_option("--threads", words->threads,
                  "how many check records; one of them also reads and writes")
      ->type_name("N")
      ->capture_default_str();
  fan->add_option("--spill", words->spill, "not there yet")->type_name("DIR,SIZE");
  fan->footer(kFooter + policies_in_words());
  fan->callback([words, &exit_code] { exit_code = run(*words); });
}

}  // namespace sluice
