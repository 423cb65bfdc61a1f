#include "config/config.h"

#include <algorithm>

#include "config/checks.h"

namespace sluice {
namespace {

/// Whether an address as `listen` has it can be reached from this machine only.
bool is_loopback(std::string_view listen) {
  const std::string_view host = listen.substr(0, listen.rfind(':'));
  return host.starts_with("127.") || host == "localhost" || host == "[::1]";
}

constexpr std::uint64_t kMostThreads = 64;
constexpr std::uint64_t kLargestRecord = (std::uint64_t{1} << 30) - 1;
/// Sources and inputs together; as many as the fan-out has inlets for.
constexpr std::size_t kMostFeeds = 64;

class Check {
 public:
  Check(const ConfigNode& tree, const ConfigContext& context, ConfigProblems& problems)
      : root_(tree, "the file", problems), context_(context), problems_(problems) {}

  Config run() {
    check_budget();
    config_.http = check_listener("http");
    config_.admin = check_listener("admin");
    check_feeds();
    for (const ConfigMember* sink : members_of("sinks")) {
      config_.sinks.push_back(check_sink(*sink, config_.feeds, problems_));
    }
    if (config_.sinks.empty() && !any_answers())
      root_.problem({}, "there is no sink: add a table [sinks.NAME]");
    check_taken();
    root_.later({"state_dir", "journal", "views", "spill"});
    root_.finish();
    return std::move(config_);
  }

 private:
  /// The tables in `[NAME.*]`.
  std::vector<const ConfigMember*> members_of(std::string_view name) {
    std::vector<const ConfigMember*> members;
    const ConfigMember* const table = root_.get(name, ConfigNode::Kind::table, "a table of tables");
    if (table == nullptr) return members;
    for (const ConfigMember& member : table->value.members) {
      if (member.value.is_table()) {
        members.push_back(&member);
      } else {
        problems_.add(member.value.place, section_name(name, member.key) + " is a table, not " +
                                              std::string(kind_name(member.value.kind)));
      }
    }
    return members;
  }

  void check_budget() {
    const ConfigMember* const table = root_.get("budget", ConfigNode::Kind::table, "a table");
    if (table == nullptr) return;
    Section section(table->value, "[budget]", problems_);
    BudgetConfig& budget = config_.budget;
    section.size("memory", budget.memory_bytes);
    std::uint64_t bytes = 0;
    if (section.size("max_record", bytes)) {
      budget.max_record_bytes = bytes;
      if (bytes == 0 || bytes > kLargestRecord) {
        section.problem(section.place_of("max_record"), "max_record is from 1 byte to 1 GiB - 1");
      } else if (bytes > budget.memory_bytes / 4) {
        section.problem(section.place_of("max_record"),
                        "max_record is more than a quarter of memory");
      }
    }
    std::uint64_t threads = 1;
    if (section.count("threads", threads, 1, kMostThreads)) budget.threads = threads;
    std::string policy;
    if (section.text("policy", policy)) {
      if (std::ranges::find(context_.policies, policy) != context_.policies.end()) {
        budget.policy = policy;
      } else {
        section.problem(section.place_of("policy"),
                        "there is no policy '" + policy + "'" + hint(policy, context_.policies));
      }
    }
    section.finish();
  }

  std::optional<ListenerConfig> check_listener(std::string_view name) {
    const ConfigMember* const table = root_.get(name, ConfigNode::Kind::table, "a table");
    if (table == nullptr) return std::nullopt;
    ListenerConfig listener;
    listener.place = table->place;
    Section section(table->value, "[" + std::string(name) + "]", problems_);
    if (!section.text("listen", listener.listen, "an address such as \"127.0.0.1:8080\"") &&
        !section.has("listen")) {
      section.problem(table->place, "listen is missing: an address such as \"127.0.0.1:8080\"");
    }
    if (section.text("token", listener.token) && listener.token.empty()) {
      section.problem(section.place_of("token"), "the token is empty: leave it out for none");
    }
    if (name == "http") section.texts("cors", listener.cors);
    if (name == "admin" && listener.token.empty() && !section.has("token") &&
        section.has("listen") && !is_loopback(listener.listen)) {
      section.problem(section.place_of("listen"),
                      "'" + listener.listen +
                          "' can be reached from elsewhere: add a token, or listen on 127.0.0.1");
    }
    if (const ConfigMember* const tls = section.get("tls", ConfigNode::Kind::table, "a table")) {
      Section keys(tls->value, "[" + std::string(name) + ".tls]", problems_);
      listener.tls.emplace();
      for (auto [key, into] :
           {std::pair("cert", &listener.tls->cert), {"key", &listener.tls->key}}) {
        if (!keys.text(key, *into, "a path") && !keys.has(key)) {
          keys.problem(tls->place, std::string(key) + " is missing: tls needs cert and key");
        }
      }
      keys.finish();
    }
    section.finish();
    return listener;
  }

  /// Sources and inputs in the order of the file, and that they share one name space.
  void check_feeds() {
    for (const ConfigMember* member : members_of("inputs")) {
      add_feed({.is_input = true, .index = config_.inputs.size(), .name = member->key}, *member);
      config_.inputs.push_back(check_input(*member, problems_));
    }
    const SourceConfig* standard_input = nullptr;
    const auto sources = members_of("sources");
    config_.sources.reserve(sources.size());
    for (const ConfigMember* member : sources) {
      add_feed({.index = config_.sources.size(), .name = member->key}, *member);
      config_.sources.push_back(check_source(*member, problems_));
      const SourceConfig& source = config_.sources.back();
      if (source.type != SourceType::standard_input) continue;
      if (standard_input != nullptr) {
        problems_.add(source.place, section_name("sources", source.name) + ": standard input is '" +
                                        standard_input->name + "' already");
      }
      standard_input = &source;
    }
    std::ranges::sort(config_.feeds, {}, [this](const FeedConfig& feed) { return place_of(feed); });
    if (config_.feeds.empty()) {
      root_.problem({}, "there is neither a source nor an input: add a table [sources.NAME]");
    }
    if (config_.feeds.size() > kMostFeeds) {
      problems_.add(place_of(config_.feeds[kMostFeeds]), "more than 64 sources and inputs");
    }
    check_http();
  }

  void add_feed(FeedConfig feed, const ConfigMember& member) {
    const auto taken = std::ranges::find(config_.feeds, member.key, &FeedConfig::name);
    if (taken != config_.feeds.end()) {
      problems_.add(std::max(member.place, place_of(*taken)),
                    "'" + feed.name + "' is a source and an input: both share one name space");
    }
    config_.feeds.push_back(std::move(feed));
  }

  ConfigPlace place_of(const FeedConfig& feed) const {
    return feed.is_input ? config_.inputs[feed.index].place : config_.sources[feed.index].place;
  }

  void check_http() {
    if (config_.http) return;
    for (const FeedConfig& feed : config_.feeds) {
      const bool needs_http = feed.is_input || config_.sources[feed.index].type == SourceType::http;
      if (!needs_http) continue;
      problems_.add(place_of(feed), "'" + feed.name +
                                        "' is reached over HTTP, and there is no "
                                        "[http] that says where to listen");
      return;
    }
  }

  /// An input that is answered with something is of use without a sink.
  bool answers(const FeedConfig& feed) const {
    return feed.is_input && config_.inputs[feed.index].reply != InputReply::accepted;
  }
  bool any_answers() const {
    return std::ranges::any_of(config_.feeds, [this](const auto& feed) { return answers(feed); });
  }

  /// A source that no sink takes from would be read for nothing.
  void check_taken() {
    if (!problems_.empty()) return;
    for (std::size_t at = 0; at < config_.feeds.size(); ++at) {
      if (answers(config_.feeds[at])) continue;
      const bool taken = std::ranges::any_of(config_.sinks, [&](const SinkConfig& sink) {
        return std::ranges::find(sink.feeds, at) != sink.feeds.end();
      });
      if (!taken) {
        problems_.add(place_of(config_.feeds[at]), "no sink takes from '" + config_.feeds[at].name +
                                                       "': name it in a from, or leave it out");
      }
    }
  }

  Section root_;
  const ConfigContext& context_;
  ConfigProblems& problems_;
  Config config_;
};

}  // namespace

std::string section_name(std::string_view table, std::string_view name) {
  return "[" + std::string(table) + "." + std::string(name) + "]";
}

std::expected<Config, std::vector<ConfigProblem>> read_config(std::string_view text,
                                                              const ConfigContext& context) {
  ConfigProblems problems;
  ConfigNode tree = read_tree(text, problems);
  if (!problems.empty()) return std::unexpected(problems.all());
  replace_variables(tree, context.environment, problems);
  Config config = Check(tree, context, problems).run();
  if (!problems.empty()) return std::unexpected(problems.all());
  return config;
}

}  // namespace sluice
