#include "config/config.h"

#include <gtest/gtest.h>

#include <map>
#include <sstream>

namespace sluice {
namespace {

const std::map<std::string, std::string> kVariables{{"TOKEN", "s3cret"}, {"EMPTY", ""}};

ConfigContext context() {
  return {.environment =
              [](const std::string& name) {
                const auto found = kVariables.find(name);
                return found == kVariables.end() ? nullptr : found->second.c_str();
              },
          .policies = {"auto", "borrow", "copy"}};
}

/// The problems as "line:column: message" lines; empty when there are none.
std::string problems_of(std::string_view text) {
  const auto config = read_config(text, context());
  std::ostringstream lines;
  if (!config) {
    for (const ConfigProblem& problem : config.error()) {
      lines << problem.place.line << ":" << problem.place.column << ": " << problem.message << "\n";
    }
  }
  return lines.str();
}

Config config_of(std::string_view text) {
  auto config = read_config(text, context());
  EXPECT_TRUE(config) << problems_of(text);
  return config ? std::move(*config) : Config{};
}

constexpr std::string_view kLeast = "[sources.in]\ntype='stdin'\n[sinks.out]\ntype='stdout'\n";

TEST(ConfigFile, SaysEverything) {
  const Config config = config_of(R"(
[budget]
memory = "8MiB"
max_record = 65536
policy = "copy"

[http]
listen = "127.0.0.1:8080"
token = "${TOKEN}"
cors = ["https://a.example"]
tls = { cert = "c.pem", key = "k.pem" }

[sources.zebra]
type = "file"
paths = ["b/*.ndjson", "a"]
on_error = "dead-letter=dead"
format = "ndjson"

[inputs.score]
reply = "echo"
ack = "sinks"
unknown = "ignore"
max_body = "2MiB"
[inputs.score.fields]
player = { type = "text", max_bytes = 64, enum = ["a\"b", "c"] }
points = { type = "i64", min = -5, max = 10, default = 0 }
to.zip = { type = "u32", optional = true }
to.tags = { type = ["text"], max_items = 3 }

[sources.ape]
type = "stdin"

[sinks.all]
type = "file"
path = "out/${NONE:-x}.ndjson"

[sinks.some]
type = "exec"
command = "sort"
from = ["score", "zebra"]
select = ["/a/b", "/c"]
as = ["x", "y"]
queue = "4MiB"
when_full = "drop_oldest"
delay = "5ms"
)");
  EXPECT_EQ(config.budget.memory_bytes, 8u << 20);
  EXPECT_EQ(config.budget.max_record_bytes, 65536u);
  EXPECT_EQ(config.budget.policy, "copy");
  ASSERT_TRUE(config.http && config.http->tls);
  EXPECT_EQ(config.http->token, "s3cret");
  EXPECT_EQ(config.http->tls->key, "k.pem");
  EXPECT_EQ(config.http->cors, std::vector<std::string>{"https://a.example"});
  ASSERT_EQ(config.feeds.size(), 3u) << "in the order of the file";
  EXPECT_EQ(config.feeds[0].name, "zebra");
  EXPECT_EQ(config.feeds[1].name, "score");
  EXPECT_EQ(config.feeds[2].name, "ape");
  const SourceConfig& zebra = config.sources[0];
  EXPECT_EQ(zebra.paths, (std::vector<std::string>{"b/*.ndjson", "a"}));
  EXPECT_EQ(zebra.dead_letters, "dead");
  EXPECT_EQ(zebra.format, TextFormat::ndjson);
  const InputConfig& score = config.inputs[0];
  EXPECT_EQ(score.ack, InputAck::sinks);
  EXPECT_EQ(score.reply, InputReply::echo);
  EXPECT_TRUE(score.ignores_unknown);
  EXPECT_EQ(score.max_body_bytes, 2u << 20);
  ASSERT_EQ(score.fields.size(), 3u);
  EXPECT_EQ(score.fields[0].choices, (std::vector<std::string>{R"("a\"b")", R"("c")"}));
  EXPECT_EQ(score.fields[1].min, "-5");
  EXPECT_EQ(score.fields[1].default_value, "0");
  ASSERT_TRUE(score.fields[2].is_group);
  ASSERT_EQ(score.fields[2].members.size(), 2u);
  EXPECT_TRUE(score.fields[2].members[0].optional);
  EXPECT_TRUE(score.fields[2].members[1].is_list);
  EXPECT_EQ(score.fields[2].members[1].type, "text");
  EXPECT_EQ(config.sinks[0].target, "out/x.ndjson");
  EXPECT_EQ(config.sinks[0].feeds, (std::vector<std::size_t>{0, 1, 2}))
      << "all, when none is named";
  const SinkConfig& some = config.sinks[1];
  EXPECT_EQ(some.feeds, (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(some.as, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(some.queue_bytes, 4u << 20);
  EXPECT_EQ(some.when_full, FullQueue::drop_oldest);
  EXPECT_EQ(some.delay_ns, 5'000'000u);
}

TEST(ConfigFile, JsonSaysTheSame) {
  const Config config = config_of(R"(
{"sources": {"b": {"type": "file", "paths": "x"}, "a": {"type": "stdin"}},
 "sinks": {"out": {"type": "stdout", "queue": 64, "select": "/a"}}})");
  EXPECT_EQ(config.feeds[0].name, "b");
  EXPECT_EQ(config.feeds[1].name, "a");
  EXPECT_EQ(config.sinks[0].queue_records, 64u);
  EXPECT_EQ(config.sinks[0].as, std::vector<std::string>{"a"});
}

// Lines and columns below were counted by hand.

TEST(ConfigFile, TellsAllProblemsInTheOrderOfTheirPlaces) {
  EXPECT_EQ(problems_of(R"([sinks.out]
type = "fle"
pth = "x"
from = ["lines", "lnies"]

[budget]
memroy = "1MiB"
policy = "autp"

[sources.lines]
type = "file"
paths = 7
)"),
            "2:8: [sinks.out]: there is no type 'fle': did you mean 'file'?\n"
            "3:1: [sinks.out]: unknown key 'pth': there are type, from, select, as, format, bare, "
            "queue, when_full, delay\n"
            "4:18: [sinks.out]: there is no source or input 'lnies': did you mean 'lines'?\n"
            "7:1: [budget]: unknown key 'memroy': did you mean 'memory'?\n"
            "8:10: [budget]: there is no policy 'autp': did you mean 'auto'?\n"
            "12:9: [sources.lines]: paths is a list of texts, not a whole number\n");
}

TEST(ConfigFile, PlacesInJsonCountCharacters) {
  EXPECT_EQ(problems_of("{\"sources\": {\"\xC3\xA9\": {\"type\": \"stdin\", \"srvice\\\"\": 1}},\n"
                        " \"sinks\": {\"out\": {\"type\": \"stdout\", \"bare\": 1, \"bare\": 2}}}"),
            "2:49: 'bare' is given twice: leave one out\n");
  EXPECT_EQ(problems_of("{\"sources\": {\"\xC3\xA9\": {\"type\": \"stdin\", \"srvice\\\"\": 1}},\n"
                        " \"sinks\": {\"out\": {\"type\": \"stdout\", \"bare\": 1}}}"),
            "1:37: [sources.\xC3\xA9]: unknown key 'srvice\"': there are type, on_error, format\n"
            "2:46: [sinks.out]: bare is true or false, not a whole number\n");
  EXPECT_EQ(problems_of("{\"sinks\": }"), "1:11: found '}', expected a value\n");
}

TEST(ConfigFile, SyntaxHasItsPlace) {
  EXPECT_EQ(problems_of("[budget]\nmemory = \n").substr(0, 4), "2:10");
  EXPECT_EQ(problems_of("a = 1\na = 2\n").substr(0, 2), "2:");
  EXPECT_EQ(problems_of("[.a]\n").substr(0, 2), "1:") << "an assertion of the library's";
  EXPECT_EQ(problems_of("\xC7\xA8 = 1\n").substr(0, 2), "1:") << "a letter it took for none";
}

TEST(ConfigFile, WhatIsNotThereYetSaysSo) {
  const std::string text = std::string(kLeast) +
                           "where = 'x'\nwhen_full = 'spill'\n"
                           "[journal]\ndir = 'x'\n[sinks.two]\ntype = 'kafka'\n";
  EXPECT_EQ(problems_of(text),
            "5:1: [sinks.out]: 'where' is not there yet: leave it out\n"
            "6:13: [sinks.out]: when_full = \"spill\" is not there yet: there are block, "
            "drop_newest, drop_oldest\n"
            "7:2: the file: 'journal' is not there yet: leave it out\n"
            "10:8: [sinks.two]: a sink of type kafka is not there yet: there are null, file, exec "
            "and stdout\n");
}

TEST(ConfigFile, NamesHaveToMeanSomething) {
  EXPECT_EQ(problems_of(""),
            "1:1: the file: there is neither a source nor an input: add a table [sources.NAME]\n"
            "1:1: the file: there is no sink: add a table [sinks.NAME]\n");
  EXPECT_EQ(problems_of(std::string(kLeast) + "[sources.more]\ntype='file'\npaths='x'\n"
                                              "[sinks.two]\ntype='null'\nfrom='more'\n"
                                              "[inputs.in]\nfields.a={type='text'}\n"),
            "11:9: 'in' is a source and an input: both share one name space\n"
            "11:9: 'in' is reached over HTTP, and there is no [http] that says where to listen\n");
  EXPECT_EQ(problems_of("[sources.a]\ntype='stdin'\n[sources.b]\ntype='file'\npaths='x'\n"
                        "[sinks.out]\ntype='null'\nfrom='a'\n"),
            "3:10: no sink takes from 'b': name it in a from, or leave it out\n");
  EXPECT_EQ(problems_of("[sources.a]\ntype='http'\n[sinks.out]\ntype='null'\n"),
            "1:10: 'a' is reached over HTTP, and there is no [http] that says where to listen\n");
}

TEST(ConfigFile, FieldsAreChecked) {
  const std::string text =
      "[http]\nlisten='x:1'\n[sinks.out]\ntype='null'\n[inputs.a.fields]\n"
      "n = { type = 'i46' }\n"
      "2x = { type = 'text' }\n"
      "l = { type = ['text', 'i64'] }\n"
      "m = { type = 'text', max_items = 3 }\n"
      "g = {}\n"
      "s = 5\n"
      "c = { type = 'text', mni = 1 }\n";
  EXPECT_EQ(
      problems_of(text),
      "6:14: [inputs.a.fields.n]: there is no type 'i46': did you mean 'i64'?\n"
      "7:1: [inputs.a.fields]: '2x' is no name of a field: letters, digits and _, no digit "
      "first\n"
      "8:14: [inputs.a.fields.l]: the type of a list is written as in [\"text\"]\n"
      "9:34: [inputs.a.fields.m]: only a list has max_items\n"
      "10:1: [inputs.a.fields.g]: neither a field, which has a type, nor a group of fields\n"
      "11:5: [inputs.a.fields.s]: a field is a table such as { type = \"text\" }, not a whole "
      "number\n"
      "12:22: [inputs.a.fields.c]: unknown key 'mni': did you mean 'min'?\n");
}

TEST(ConfigFile, WhatAShapeRefusesHasItsPlace) {
  const std::string text =
      "[http]\nlisten='x:1'\n[sinks.out]\ntype='null'\n[inputs.a.fields]\n"
      "n = { type = 'i64' }\n"
      "to.m = { type = 'i32', min = 5, max = 4 }\n"
      "[inputs.b.fields]\n"
      "t = { type = 'bool', min = 1 }\n";
  EXPECT_EQ(problems_of(text),
            "7:39: [inputs.a.fields.to.m]: max: is less than min: no value could be right\n"
            "9:28: [inputs.b.fields.t]: min: only numbers and times have one\n");
  const Config config = config_of(
      "[http]\nlisten='x:1'\n[sinks.out]\ntype='null'\n"
      "[inputs.a]\nunknown='ignore'\nfields.x.y={type=['f64'],optional=true,max_items=2}\n");
  ASSERT_TRUE(config.inputs[0].shape);
  const Shape& shape = *config.inputs[0].shape;
  ASSERT_EQ(shape.fields().size(), 1u);
  EXPECT_EQ(shape.fields()[0].path, "x.y");
  EXPECT_EQ(shape.fields()[0].type, FieldType::f64);
  EXPECT_TRUE(shape.fields()[0].list && shape.fields()[0].optional);
  EXPECT_EQ(shape.fields()[0].max_items, 2u);
  EXPECT_EQ(shape.unknown(), UnknownMembers::ignore);
}

TEST(ConfigFile, VariablesAreReplacedInTextsOnly) {
  const Config config = config_of(
      "[sources.a]\ntype='stdin'\n[sinks.'${TOKEN}']\ntype='exec'\n"
      "command='a ${TOKEN}${EMPTY} $TOKEN ${NO:-b:-c} ${'\n");
  EXPECT_EQ(config.sinks[0].name, "${TOKEN}");
  EXPECT_EQ(config.sinks[0].target, "a s3cret $TOKEN b:-c ${");
  EXPECT_EQ(problems_of(std::string(kLeast) + "[http]\nlisten='${NO}:${a b}'\n"),
            "6:8: the environment variable NO is not set: set it, or write ${NO:-DEFAULT}\n"
            "6:8: '${a b}' names no environment variable: write ${NAME} or ${NAME:-DEFAULT}\n");
}

TEST(ConfigFile, HostileTextsEnd) {
  EXPECT_EQ(problems_of(std::string(kLargestConfig + 1, ' ')),
            "1:1: larger than 1 MiB: this is no configuration\n");
  std::string dots = "a";
  for (int count = 0; count < 100'000; ++count) dots += ".a";
  EXPECT_EQ(problems_of(dots + " = 1"), "1:1: more than 500 dots in one line\n");
  EXPECT_NE(problems_of("a = " + std::string(100'000, '[')), "");
  EXPECT_NE(problems_of("{\"a\":" + std::string(500, '[') + std::string(500, ']') + "}"), "");
  std::string deep = "a";
  for (int count = 0; count < 400; ++count) deep += ".a";
  EXPECT_NE(problems_of(deep + " = 1").find("nested too deeply"), std::string::npos);
}

}  // namespace
}  // namespace sluice
