#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/problems.h"
#include "config/read_tree.h"
#include "json/pointer.h"
#include "record/shape.h"

namespace sluice {

struct BudgetConfig {
  std::uint64_t memory_bytes = 64 * 1024 * 1024;
  std::optional<std::uint64_t> max_record_bytes;
  std::size_t threads = 1;
  std::string policy = "auto";
};

struct TlsConfig {
  std::string cert;
  std::string key;
};

/// `[http]` or `[admin]`.
struct ListenerConfig {
  ConfigPlace place;
  std::string listen;
  std::string token;  ///< empty: none is asked for
  std::optional<TlsConfig> tls;
  std::vector<std::string> cors;  ///< origins; empty: off
};

/// A declared field of an input, or a group of them. Values are JSON text; empty: none.
struct FieldConfig {
  std::string name;
  ConfigPlace place;
  bool is_group = false;
  std::vector<FieldConfig> members;  ///< of a group

  std::string type;       ///< "text", "i64", ...
  bool is_list = false;   ///< an array of values of the type
  bool optional = false;  ///< may be absent or null
  std::string min;
  std::string max;
  std::optional<std::uint64_t> max_bytes;
  std::optional<std::uint64_t> max_items;
  std::vector<std::string> choices;
  std::string default_value;
};

enum class InputReply : std::uint8_t { accepted, echo };
enum class InputAck : std::uint8_t { memory, sinks };

/// `[inputs.NAME]`: POST /inputs/NAME.
struct InputConfig {
  std::string name;
  ConfigPlace place;
  std::vector<FieldConfig> fields;
  std::optional<Shape> shape;  ///< of the fields; there in every configuration that is valid
  InputReply reply = InputReply::accepted;
  InputAck ack = InputAck::memory;
  bool ignores_unknown = false;
  std::uint64_t max_body_bytes = 1024 * 1024;
};

enum class SourceType : std::uint8_t { standard_input, file, http };
enum class BadRecord : std::uint8_t { skip, stop, dead_letter };
enum class TextFormat : std::uint8_t { automatic, ndjson, json, array };

/// `[sources.NAME]`.
struct SourceConfig {
  std::string name;
  ConfigPlace place;
  SourceType type = SourceType::file;
  std::vector<std::string> paths;  ///< as written; `*` in the last part stands for any text
  ConfigPlace paths_place;
  BadRecord on_error = BadRecord::skip;
  std::string dead_letters;  ///< file
  TextFormat format = TextFormat::automatic;
  InputAck ack = InputAck::memory;             ///< of type http
  std::uint64_t max_body_bytes = 1024 * 1024;  ///< of type http
};

enum class SinkType : std::uint8_t { null, file, exec, standard_output };
enum class FullQueue : std::uint8_t { block, drop_newest, drop_oldest };

/// `[sinks.NAME]`.
struct SinkConfig {
  std::string name;
  ConfigPlace place;
  SinkType type = SinkType::null;
  std::string target;              ///< path or command
  std::vector<std::size_t> feeds;  ///< places in Config::feeds
  bool is_whole = true;
  std::vector<json::Pointer> select;  ///< where it is not whole
  std::vector<std::string> as;        ///< names of the fields in output objects, all of them
  bool is_text = false;               ///< format
  bool bare = false;
  std::uint64_t queue_records = 0;
  std::uint64_t queue_bytes = 0;
  FullQueue when_full = FullQueue::block;
  std::uint64_t delay_ns = 0;
};

/// Where records come from: a source or an input, which share one name space.
struct FeedConfig {
  bool is_input = false;
  std::size_t index = 0;  ///< in Config::sources or Config::inputs
  std::string name;
};

/// What a configuration file says, checked. Everything is in the order of first mention.
struct Config {
  BudgetConfig budget;
  std::optional<ListenerConfig> http;
  std::optional<ListenerConfig> admin;
  std::vector<InputConfig> inputs;
  std::vector<SourceConfig> sources;
  std::vector<FeedConfig> feeds;
  std::vector<SinkConfig> sinks;
};

/// What the file's words are held against, beside what this layer knows.
struct ConfigContext {
  Environment environment;
  std::vector<std::string> policies;
};

/// Reads and checks a file's text, TOML or JSON. Errors: everything that is wrong with it, in the
/// order of the places.
std::expected<Config, std::vector<ConfigProblem>> read_config(std::string_view text,
                                                              const ConfigContext& context);

}  // namespace sluice
