// Configuration files, TOML and JSON: whatever is in them they end in options or in problems, with
// places inside the text and in order; and what is valid holds together.

#include <algorithm>
#include <string>
#include <string_view>

#include "config/config.h"
#include "fuzz_support.h"

using namespace sluice;
using sluice::json::expect_consistent;

namespace {

void expect_inside(std::string_view text, const ConfigPlace& place) {
  const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1;
  expect_consistent(place.line >= 1 && place.line <= lines, "a line of the text");
  expect_consistent(place.column >= 1 && place.column <= text.size() + 1, "a column of the text");
}

void expect_whole(const Config& config) {
  expect_consistent(!config.feeds.empty() && !config.sinks.empty(), "sources and sinks");
  for (const SinkConfig& sink : config.sinks) {
    for (const std::size_t feed : sink.feeds) {
      expect_consistent(feed < config.feeds.size(), "a feed that is there");
    }
    expect_consistent(sink.as.size() == sink.select.size(), "a name for each field");
  }
  for (const FeedConfig& feed : config.feeds) {
    const std::size_t count = feed.is_input ? config.inputs.size() : config.sources.size();
    expect_consistent(feed.index < count, "a source or input that is there");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const ConfigContext context{
      .environment = [](const std::string& name) { return name == "A" ? "a${B}" : nullptr; },
      .policies = {"auto", "copy"}};
  const auto config = read_config(text, context);
  if (config) {
    expect_whole(*config);
    return 0;
  }
  expect_consistent(!config.error().empty(), "a problem");
  expect_consistent(std::ranges::is_sorted(config.error(), {}, &ConfigProblem::place), "in order");
  for (const ConfigProblem& problem : config.error()) expect_inside(text, problem.place);
  return 0;
}
