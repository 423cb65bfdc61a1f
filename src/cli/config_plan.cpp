#include "cli/config_plan.h"

#include <poll.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "base/file.h"
#include "cli/file_inputs.h"
#include "cli/messages.h"
#include "flow/retention.h"

namespace sluice {
namespace {

std::string line_of(const std::string& path, const ConfigPlace& place, const std::string& message) {
  return path + ":" + std::to_string(place.line) + ":" + std::to_string(place.column) + ": " +
         message;
}

/// The file's bytes, or one byte more than a configuration may have.
Result<std::string> read_file(const std::string& path) {
  const auto inputs = make_file_inputs({path});
  SLUICE_TRY_VALUE(input, inputs.front()->open());
  std::string text(kLargestConfig + 1, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    SLUICE_TRY_VALUE(read, input->read({reinterpret_cast<std::uint8_t*>(text.data()) + size,
                                        text.size() - size}));
    size += read.bytes;
    if (read.end) break;
    pollfd waited{.fd = input->wait_descriptor(), .events = POLLIN, .revents = 0};
    if (read.bytes == 0) poll(&waited, 1, -1);
  }
  text.resize(size);
  return text;
}

/// Whether `name` is `pattern` with its `*` replaced; looks back at the last `*` only, so that it
/// takes at most the product of the lengths.
bool matches(std::string_view pattern, std::string_view name) {
  std::size_t in_pattern = 0;
  std::size_t in_name = 0;
  std::size_t star = std::string_view::npos;
  std::size_t tried = 0;
  while (in_name < name.size()) {
    if (in_pattern < pattern.size() && pattern[in_pattern] == '*') {
      star = in_pattern++;
      tried = in_name;
    } else if (in_pattern < pattern.size() && pattern[in_pattern] == name[in_name]) {
      ++in_pattern;
      ++in_name;
    } else if (star != std::string_view::npos) {
      in_pattern = star + 1;
      in_name = ++tried;
    } else {
      return false;
    }
  }
  return pattern.substr(in_pattern).find_first_not_of('*') == std::string_view::npos;
}

const SinkSpec& spec_of(SinkType type) {
  constexpr std::string_view kSchemes[] = {"null:", "file:", "exec:", "-"};
  const std::string_view scheme = kSchemes[static_cast<std::size_t>(type)];
  const auto spec = std::ranges::find(sink_specs(), scheme, &SinkSpec::scheme);
  SLUICE_CHECK(spec != sink_specs().end());
  return **spec;
}

ToOption sink_of(const SinkConfig& config) {
  ToOption to;
  to.select = {.whole = config.is_whole, .pointers = config.select};
  to.name = config.name;
  to.format = config.is_text ? Format::text : Format::json;
  to.names = config.as;
  to.bare = config.bare;
  to.delay_ns = config.delay_ns;
  to.queue_records = config.queue_records;
  to.queue_bytes = config.queue_bytes;
  to.when_full = config.when_full == FullQueue::block         ? WhenFull::block
                 : config.when_full == FullQueue::drop_newest ? WhenFull::drop_newest
                                                              : WhenFull::drop_oldest;
  to.spec = &spec_of(config.type);
  to.rest = config.target;
  to.uri = std::string(to.spec->scheme) + config.target;
  return to;
}

InputFormat format_of(TextFormat format) {
  constexpr InputFormat kFormats[] = {InputFormat::automatic, InputFormat::ndjson,
                                      InputFormat::json, InputFormat::array};
  return kFormats[static_cast<std::size_t>(format)];
}

SourcePlan source_of(const SourceConfig& config) {
  SourcePlan plan{.name = config.name, .is_pushed = config.type == SourceType::http};
  plan.input = format_of(config.format);
  plan.on_error = config.on_error == BadRecord::stop          ? OnError::stop
                  : config.on_error == BadRecord::dead_letter ? OnError::dead_letter
                                                              : OnError::skip;
  plan.dead_letters = config.dead_letters;
  return plan;
}

}  // namespace

std::vector<std::string> matching_files(const std::string& pattern) {
  if (pattern.find('*') == std::string::npos) return {pattern};
  const std::size_t slash = pattern.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : pattern.substr(0, slash + 1);
  const std::string last = pattern.substr(folder.size());
  std::vector<std::string> files;
  std::error_code failed;
  std::filesystem::directory_iterator entry(folder.empty() ? "." : folder, failed);
  for (; !failed && entry != std::filesystem::directory_iterator(); entry.increment(failed)) {
    const std::string name = entry->path().filename().string();
    const bool is_hidden = name.starts_with('.') && !last.starts_with('.');
    if (!is_hidden && matches(last, name)) files.push_back(folder + name);
  }
  std::ranges::sort(files);
  return files;
}

std::expected<LoadedConfig, std::vector<std::string>> load_config(const std::string& path) {
  const std::string name = display_name(path);
  const Result<std::string> text = read_file(path);
  if (!text) return std::unexpected(std::vector{name + ": " + describe_error(text.error())});
  ConfigContext context{.environment =
                            [](const std::string& variable) {
                              return static_cast<const char*>(std::getenv(variable.c_str()));
                            },
                        .policies = {}};
  for (const PolicySpec* policy : policy_specs()) context.policies.emplace_back(policy->name);
  auto config = read_config(*text, context);
  if (config) return LoadedConfig{.path = name, .config = std::move(*config)};
  std::vector<std::string> lines;
  for (const ConfigProblem& problem : config.error()) {
    lines.push_back(line_of(name, problem.place, problem.message));
  }
  return std::unexpected(std::move(lines));
}

std::expected<RunPlan, std::vector<std::string>> plan_of(const LoadedConfig& loaded) {
  const Config& config = loaded.config;
  std::vector<std::string> problems;
  RunPlan plan;
  plan.policy = config.budget.policy;
  plan.budget_bytes = config.budget.memory_bytes;
  plan.max_record = config.budget.max_record_bytes;
  plan.threads = config.budget.threads;
  plan.from_config = true;
  for (const FeedConfig& feed : config.feeds) {
    if (feed.is_input) {
      plan.sources.push_back({.name = feed.name, .is_pushed = true});
      continue;
    }
    const SourceConfig& source = config.sources[feed.index];
    SourcePlan& planned = plan.sources.emplace_back(source_of(source));
    for (const std::string& path : source.paths) {
      const std::vector<std::string> files = matching_files(path);
      planned.files.insert(planned.files.end(), files.begin(), files.end());
      if (files.empty()) {
        problems.push_back(line_of(loaded.path, source.paths_place,
                                   "no file is called '" + path + "': check the path"));
      }
    }
  }
  for (const SinkConfig& sink : config.sinks) {
    for (const std::size_t feed : sink.feeds) plan.sources[feed].sinks.push_back(plan.to.size());
    plan.to.push_back(sink_of(sink));
  }
  if (!problems.empty()) return std::unexpected(std::move(problems));
  return plan;
}

}  // namespace sluice
