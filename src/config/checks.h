#pragma once

#include "config/config.h"
#include "config/section.h"

/// The parts of `read_config`, one for each table of the file. All tell problems, and leave what is
/// wrong as it is by default.
namespace sluice {

/// `name` of a table with members that are tables themselves, e.g. "[sinks.archive]".
std::string section_name(std::string_view table, std::string_view name);

InputConfig check_input(const ConfigMember& member, ConfigProblems& problems);
std::vector<FieldConfig> check_fields(const ConfigNode& table, const std::string& path,
                                      ConfigProblems& problems);
/// The shape of an input whose `fields` are otherwise well; nothing, and a problem, when they
/// cannot be laid out.
std::optional<Shape> check_shape(const InputConfig& input, const ConfigNode& fields,
                                 ConfigProblems& problems);
SourceConfig check_source(const ConfigMember& member, ConfigProblems& problems);
/// `feeds`: where records may come from.
SinkConfig check_sink(const ConfigMember& member, const std::vector<FeedConfig>& feeds,
                      ConfigProblems& problems);
void check_ack(Section& section, InputAck& ack);

}  // namespace sluice
