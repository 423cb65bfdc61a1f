#include "cli/to_option.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "base/sizes.h"

namespace sluice {
namespace {

using Problem = std::optional<std::string>;

Problem set_name(ToOption& to, const std::string& value) {
  to.name = value;
  if (value.empty()) return "name= needs a name";
  return {};
}

Problem set_format(ToOption& to, const std::string& value) {
  if (value != "json" && value != "text") return "format= is json or text, not '" + value + "'";
  to.format = value == "text" ? Format::text : Format::json;
  return {};
}

Problem set_as(ToOption& to, const std::string& value) {
  std::size_t start = 0;
  while (start <= value.size()) {
    const std::size_t end = std::min(value.find(',', start), value.size());
    to.names.push_back(value.substr(start, end - start));
    start = end + 1;
  }
  return {};
}

Problem set_bare(ToOption& to, const std::string& value) {
  if (value != "yes" && value != "no") return "bare= is yes or no, not '" + value + "'";
  to.bare = value == "yes";
  return {};
}

Problem set_delay(ToOption& to, const std::string& value) {
  const auto delay_ns = parse_duration_ns(value);
  if (!delay_ns) return "delay= is a duration such as 5ms or 2s, not '" + value + "'";
  to.delay_ns = *delay_ns;
  return {};
}

Problem set_queue(ToOption& to, const std::string& value) {
  const bool is_count = std::ranges::all_of(value, [](char c) { return c >= '0' && c <= '9'; });
  const auto amount = parse_size(value);
  if (!amount || *amount == 0) {
    return "queue= is a number of records such as 64, or a size such as 4MiB, not '" + value + "'";
  }
  (is_count ? to.queue_records : to.queue_bytes) = *amount;
  return {};
}

Problem set_when_full(ToOption& to, const std::string& value) {
  if (value == "spill") {
    return "when_full=spill is not there yet: use block, drop_newest or drop_oldest";
  }
  if (value == "block") {
    to.when_full = WhenFull::block;
  } else if (value == "drop_newest") {
    to.when_full = WhenFull::drop_newest;
  } else if (value == "drop_oldest") {
    to.when_full = WhenFull::drop_oldest;
  } else {
    return "when_full= is block, drop_newest or drop_oldest, not '" + value + "'";
  }
  return {};
}

struct OptionRow {
  std::string_view name;
  Problem (*set)(ToOption& to, const std::string& value);
};

constexpr std::array kOptions{
    OptionRow{"name", set_name},
    OptionRow{"format", set_format},
    OptionRow{"as", set_as},
    OptionRow{"bare", set_bare},
    OptionRow{"delay", set_delay},
    OptionRow{"queue", set_queue},
    OptionRow{"when_full", set_when_full},
};

/// Length of the option's name when `word` is `[a-z_]+=...`, else 0.
std::size_t option_name_size(std::string_view word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos || equals == 0) return 0;
  const bool is_name = std::ranges::all_of(
      word.substr(0, equals), [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
  return is_name ? equals : 0;
}

Problem apply_option(ToOption& to, std::string_view word, std::vector<std::string_view>& seen) {
  const std::string_view name = word.substr(0, option_name_size(word));
  const std::string value(word.substr(name.size() + 1));
  const auto row = std::ranges::find(kOptions, name, &OptionRow::name);
  if (row == kOptions.end()) {
    return "unknown option '" + std::string(name) +
           "=': there are name, format, as, bare, delay, queue and when_full";
  }
  if (std::ranges::find(seen, name) != seen.end()) {
    return std::string(name) + "= is given twice";
  }
  seen.push_back(row->name);
  return row->set(to, value);
}

Problem find_spec(ToOption& to) {
  for (const SinkSpec* spec : sink_specs()) {
    const bool is_exact = !spec->scheme.ends_with(':');
    if (is_exact ? to.uri == spec->scheme : to.uri.starts_with(spec->scheme)) {
      to.spec = spec;
      to.rest = to.uri.substr(spec->scheme.size());
      return {};
    }
  }
  for (const std::string_view later : {"http://", "https://", "nats://", "kafka://", "sqlite:"}) {
    if (to.uri.starts_with(later)) {
      return "a sink '" + std::string(later) +
             "...' is not there yet: use -, null:, file:PATH or "
             "exec:COMMAND";
    }
  }
  return "'" + to.uri + "' is no sink: use - (standard output), null:, file:PATH or exec:COMMAND";
}

Problem check_together(ToOption& to) {
  const std::size_t fields = to.select.pointers.size();
  if (to.format == Format::text && (to.select.whole || fields != 1)) {
    return "format=text writes exactly one field: select one, or leave format=text out";
  }
  if (to.bare && (to.select.whole || fields != 1)) {
    return "bare=yes writes exactly one field's value: select one, or leave bare=yes out";
  }
  if (to.spec->scheme == "null:" && !to.rest.empty()) return "nothing may follow null:";
  const auto names = field_names(to.select, to.names);
  if (!names) return names.error().message;
  to.names = *names;
  return {};
}

}  // namespace

std::expected<ToOption, UsageError> standard_output_of(std::string_view select,
                                                       const std::string& as) {
  ToOption to;
  auto parsed = parse_select(select);
  if (!parsed) return std::unexpected(parsed.error());
  to.select = std::move(*parsed);
  if (!as.empty()) set_as(to, as);
  auto names = field_names(to.select, to.names);
  if (!names) return std::unexpected(names.error());
  to.names = std::move(*names);
  to.uri = "-";
  find_spec(to);
  return to;
}

std::expected<ToOption, UsageError> parse_to(std::string_view text) {
  const auto problem = [&](const std::string& message) {
    return std::unexpected(UsageError{"--to '" + std::string(text) + "': " + message});
  };
  constexpr std::string_view kArrow = " -> ";
  const std::size_t arrow = text.find(kArrow);
  if (arrow == std::string_view::npos) {
    return problem(
        "there is no ' -> ' between what to select and where to: write it as in "
        "--to '/type,/repo/name -> file:out.ndjson'");
  }
  ToOption to;
  const auto select = parse_select(text.substr(0, arrow));
  if (!select) return problem(select.error().message);
  to.select = *select;

  std::string_view rest = text.substr(arrow + kArrow.size());
  std::vector<std::string_view> seen;
  while (true) {
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    const std::string_view word = rest.substr(0, rest.find(' '));
    if (option_name_size(word) == 0) break;
    if (const Problem wrong = apply_option(to, word, seen)) return problem(*wrong);
    rest.remove_prefix(word.size());
  }
  to.uri = rest;
  if (to.uri.empty())
    return problem(
        "where to is missing: end it with -, null:, file:PATH or "
        "exec:COMMAND");
  if (const Problem wrong = find_spec(to)) return problem(*wrong);
  if (const Problem wrong = check_together(to)) return problem(*wrong);
  return to;
}

}  // namespace sluice
