#include "config/checks.h"

namespace sluice {
namespace {

constexpr std::uint64_t kLargestBody = 64 * 1024 * 1024;

void check_max_body(Section& section, std::uint64_t& bytes) {
  if (section.size("max_body", bytes) && (bytes == 0 || bytes > kLargestBody)) {
    section.problem(section.place_of("max_body"), "max_body is from 1 byte to 64 MiB");
  }
}

void check_on_error(Section& section, SourceConfig& source) {
  constexpr std::string_view kDeadLetter = "dead-letter=";
  std::string text;
  if (!section.text("on_error", text) || text == "skip") return;
  if (text == "stop") {
    source.on_error = BadRecord::stop;
  } else if (text.starts_with(kDeadLetter) && text.size() > kDeadLetter.size()) {
    source.on_error = BadRecord::dead_letter;
    source.dead_letters = text.substr(kDeadLetter.size());
  } else {
    section.problem(section.place_of("on_error"),
                    "on_error is skip, stop or dead-letter=FILE, not '" + text + "'");
  }
}

void check_paths(Section& section, SourceConfig& source) {
  source.paths_place = section.place_of("paths");
  const ConfigMember* const paths = section.texts("paths", source.paths);
  if (!section.has("paths")) {
    section.problem(source.place, "a source of type file needs paths");
  } else if (paths != nullptr && source.paths.empty()) {
    section.problem(source.paths_place, "paths names no file");
  }
  for (const std::string& path : source.paths) {
    const std::size_t star = path.find('*');
    if (star != std::string::npos && path.find('/', star) != std::string::npos) {
      section.problem(source.paths_place, "'" + path + "': a * may stand in the last part only");
    }
    if (path == "-") {
      section.problem(source.paths_place, "'-' is no file: take a source of type stdin");
    }
  }
}

void check_type(Section& section, SourceConfig& source) {
  std::string type;
  if (!section.text("type", type)) {
    if (!section.has("type")) {
      section.problem(source.place, "type is missing: it is stdin, file or http");
    }
    return;
  }
  if (type == "stdin") {
    source.type = SourceType::standard_input;
  } else if (type == "http") {
    source.type = SourceType::http;
  } else if (type == "exec" || type == "nats" || type == "kafka") {
    section.problem(section.place_of("type"),
                    "a source of type " + type + " is not there yet: there are stdin, file, http");
  } else if (type != "file") {
    section.problem(section.place_of("type"),
                    "there is no type '" + type + "'" + hint(type, {"stdin", "file", "http"}));
  }
}

}  // namespace

void check_ack(Section& section, InputAck& ack) {
  std::string text;
  if (!section.text("ack", text) || text == "memory") return;
  if (text == "sinks") {
    ack = InputAck::sinks;
  } else if (text == "journal") {
    section.problem(section.place_of("ack"),
                    "ack = \"journal\" is not there yet: there are memory and sinks");
  } else {
    section.problem(section.place_of("ack"),
                    "ack is not '" + text + "'" + hint(text, {"memory", "sinks"}));
  }
}

InputConfig check_input(const ConfigMember& member, ConfigProblems& problems) {
  InputConfig input;
  input.name = member.key;
  input.place = member.place;
  Section section(member.value, section_name("inputs", member.key), problems);
  const ConfigMember* const fields = section.get("fields", ConfigNode::Kind::table, "a table");
  const std::size_t problems_before = problems.size();
  if (fields == nullptr || fields->value.members.empty()) {
    section.problem(member.place, "an input needs fields");
  } else {
    input.fields = check_fields(fields->value, "inputs." + member.key + ".fields", problems);
  }
  if (section.word("reply", {"accepted", "echo"}) == 1) input.reply = InputReply::echo;
  if (section.word("unknown", {"refuse", "ignore"}) == 1) input.ignores_unknown = true;
  check_ack(section, input.ack);
  check_max_body(section, input.max_body_bytes);
  section.finish();
  if (problems.size() == problems_before) {
    input.shape = check_shape(input, fields->value, problems);
  }
  return input;
}

SourceConfig check_source(const ConfigMember& member, ConfigProblems& problems) {
  SourceConfig source;
  source.name = member.key;
  source.place = member.place;
  Section section(member.value, section_name("sources", member.key), problems);
  check_type(section, source);
  if (source.type == SourceType::file) {
    check_paths(section, source);
  } else if (source.type == SourceType::http) {
    check_ack(section, source.ack);
    check_max_body(section, source.max_body_bytes);
  }
  if (source.type != SourceType::http) {
    check_on_error(section, source);
    if (const auto format = section.word("format", {"auto", "ndjson", "json", "array"})) {
      source.format = static_cast<TextFormat>(*format);
    }
  }
  section.later({"follow", "codec", "command"});
  section.finish();
  return source;
}

}  // namespace sluice
