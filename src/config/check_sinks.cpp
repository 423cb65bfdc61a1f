#include <algorithm>

#include "base/sizes.h"
#include "config/checks.h"

namespace sluice {
namespace {

/// The key that says where a sink of that type writes to; empty: none.
std::string_view target_key(SinkType type) {
  return type == SinkType::file ? "path" : type == SinkType::exec ? "command" : "";
}

void check_type(Section& section, SinkConfig& sink) {
  std::string type;
  if (!section.text("type", type)) {
    if (!section.has("type")) {
      section.problem(sink.place, "type is missing: it is null, file, exec or stdout");
    }
    return;
  }
  if (type == "file") {
    sink.type = SinkType::file;
  } else if (type == "exec") {
    sink.type = SinkType::exec;
  } else if (type == "stdout") {
    sink.type = SinkType::standard_output;
  } else if (type == "http" || type == "nats" || type == "kafka" || type == "sqlite") {
    section.problem(section.place_of("type"), "a sink of type " + type +
                                                  " is not there yet: there are null, file, exec "
                                                  "and stdout");
  } else if (type != "null") {
    section.problem(section.place_of("type"), "there is no type '" + type + "'" +
                                                  hint(type, {"null", "file", "exec", "stdout"}));
  }
  const std::string_view key = target_key(sink.type);
  if (key.empty()) return;
  if (!section.text(key, sink.target) && !section.has(key)) {
    section.problem(sink.place, "a sink of type " + type + " needs a " + std::string(key));
  }
}

void check_from(Section& section, const std::vector<FeedConfig>& feeds, SinkConfig& sink) {
  std::vector<std::string> names;
  for (const FeedConfig& feed : feeds) names.push_back(feed.name);
  std::vector<std::string> wanted;
  const ConfigMember* const from = section.texts("from", wanted);
  if (from == nullptr) {
    for (std::size_t at = 0; at < feeds.size(); ++at) sink.feeds.push_back(at);
    return;
  }
  for (std::size_t at = 0; at < wanted.size(); ++at) {
    const ConfigPlace& place =
        from->value.is_array() ? from->value.elements[at].place : from->value.place;
    const auto found = std::ranges::find(names, wanted[at]);
    const auto feed = static_cast<std::size_t>(found - names.begin());
    if (found == names.end()) {
      section.problem(place,
                      "there is no source or input '" + wanted[at] + "'" + hint(wanted[at], names));
    } else if (std::ranges::find(sink.feeds, feed) == sink.feeds.end()) {
      sink.feeds.push_back(feed);
    }
  }
  if (wanted.empty()) section.problem(from->value.place, "from names nothing");
}

void check_select(Section& section, SinkConfig& sink) {
  std::vector<std::string> texts;
  const ConfigMember* const select = section.texts("select", texts);
  if (select == nullptr || (texts.size() == 1 && texts.front() == "*")) return;
  sink.is_whole = false;
  if (texts.empty()) section.problem(select->value.place, "select names no field");
  for (std::size_t at = 0; at < texts.size(); ++at) {
    const ConfigPlace& place =
        select->value.is_array() ? select->value.elements[at].place : select->value.place;
    const auto pointer = json::Pointer::parse(texts[at]);
    if (pointer && !pointer->tokens().empty()) {
      sink.select.push_back(*pointer);
    } else if (texts[at] == "*") {
      section.problem(place, "'*' is the whole record and stands alone");
    } else {
      section.problem(place, "'" + texts[at] +
                                 "' selects nothing: a field is a JSON Pointer such as "
                                 "/repo/name, the whole record is '*'");
    }
  }
}

/// Names of the fields in output objects: those given, or the pointers' last tokens.
void check_names(Section& section, SinkConfig& sink) {
  const bool given = section.texts("as", sink.as) != nullptr;
  if (sink.is_whole && given) {
    section.problem(section.place_of("as"), "'*' is the whole record: it takes no names");
  } else if (given && sink.as.size() != sink.select.size()) {
    section.problem(section.place_of("as"), "as gives " + std::to_string(sink.as.size()) +
                                                " names for " + std::to_string(sink.select.size()) +
                                                " fields");
  }
  if (!given) {
    for (const json::Pointer& pointer : sink.select) sink.as.push_back(pointer.tokens().back());
  }
  std::vector<std::string> sorted = sink.as;
  std::ranges::sort(sorted);
  if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end()) {
    section.problem(section.place_of(given ? "as" : "select"),
                    "two fields would both be called '" + *twice + "': name them with as");
  }
}

void check_format(Section& section, SinkConfig& sink) {
  sink.is_text = section.word("format", {"json", "text"}) == 1;
  section.boolean("bare", sink.bare);
  const bool one_field = !sink.is_whole && sink.select.size() == 1;
  if (sink.is_text && !one_field) {
    section.problem(section.place_of("format"), "format = \"text\" writes exactly one field");
  }
  if (sink.bare && !one_field) {
    section.problem(section.place_of("bare"), "bare = true writes exactly one field's value");
  }
}

/// Records as a number, bytes as a size in words.
void check_queue(Section& section, SinkConfig& sink) {
  const ConfigMember* const queue = section.get("queue");
  if (queue == nullptr) return;
  const ConfigNode& value = queue->value;
  const bool may_be = value.is_text() || value.kind == ConfigNode::Kind::integer;
  const auto amount = may_be ? parse_size(value.text) : std::nullopt;
  if (!amount || *amount == 0) {
    section.problem(value.place,
                    "queue is a number of records such as 64, or a size such as "
                    "\"4MiB\"");
    return;
  }
  const bool is_count =
      std::ranges::all_of(value.text, [](char c) { return c >= '0' && c <= '9'; });
  (is_count ? sink.queue_records : sink.queue_bytes) = *amount;
}

void check_when_full(Section& section, SinkConfig& sink) {
  std::string text;
  if (!section.text("when_full", text) || text == "block") return;
  if (text == "drop_newest") {
    sink.when_full = FullQueue::drop_newest;
  } else if (text == "drop_oldest") {
    sink.when_full = FullQueue::drop_oldest;
  } else if (text == "spill") {
    section.problem(section.place_of("when_full"),
                    "when_full = \"spill\" is not there yet: there are block, drop_newest, "
                    "drop_oldest");
  } else {
    section.problem(
        section.place_of("when_full"),
        "when_full is not '" + text + "'" + hint(text, {"block", "drop_newest", "drop_oldest"}));
  }
}

}  // namespace

SinkConfig check_sink(const ConfigMember& member, const std::vector<FeedConfig>& feeds,
                      ConfigProblems& problems) {
  SinkConfig sink{
      .name = member.key, .place = member.place, .target = {}, .feeds = {}, .select = {}, .as = {}};
  Section section(member.value, section_name("sinks", member.key), problems);
  check_type(section, sink);
  check_from(section, feeds, sink);
  check_select(section, sink);
  check_names(section, sink);
  check_format(section, sink);
  check_queue(section, sink);
  check_when_full(section, sink);
  section.duration("delay", sink.delay_ns);
  section.later({"where", "dead_letter", "retry", "url"});
  section.finish();
  return sink;
}

}  // namespace sluice
