#include "app/openapi.h"

#include <algorithm>

#include "record/field_value.h"
#include "writer/writer.h"

namespace sluice {
namespace {

using json::Writer;

/// A member whose value is a string.
void put(Writer& writer, std::string_view name, std::string_view value) {
  writer.key(name);
  writer.value(value);
}

void put_raw(Writer& writer, std::string_view name, std::string_view json) {
  writer.key(name);
  writer.raw(json);
}

void put_reference(Writer& writer, std::string_view schema) {
  writer.begin_object();
  put(writer, "$ref", "#/components/schemas/" + std::string(schema));
  writer.end_object();
}

struct TypeWords {
  const char* type;
  const char* format;
  const char* least;  ///< null: none
  const char* most;
};

TypeWords words_of(FieldType type) {
  switch (type) {
    case FieldType::text:
      return {"string", nullptr, nullptr, nullptr};
    case FieldType::i64:
      return {"integer", "int64", nullptr, nullptr};
    case FieldType::u64:
      return {"integer", "uint64", "0", nullptr};
    case FieldType::i32:
      return {"integer", "int32", "-2147483648", "2147483647"};
    case FieldType::u32:
      return {"integer", "uint32", "0", "4294967295"};
    case FieldType::f64:
      return {"number", "double", nullptr, nullptr};
    case FieldType::f32:
      return {"number", "float", nullptr, nullptr};
    case FieldType::boolean:
      return {"boolean", nullptr, nullptr, nullptr};
    case FieldType::time:
      return {"string", "date-time", nullptr, nullptr};
    case FieldType::json:
      break;
  }
  return {nullptr, nullptr, nullptr, nullptr};
}

void put_type(Writer& writer, const char* type, bool optional) {
  writer.key("type");
  if (!optional) return writer.value(type);
  writer.begin_array();
  writer.value(type);
  writer.value("null");
  writer.end_array();
}

void put_bound(Writer& writer, const Shape::Field& field, const char* name,
               const std::optional<std::uint64_t>& bound, const char* of_type) {
  // A time's bounds have no word in JSON Schema.
  if (field.type == FieldType::time) return;
  if (bound) {
    put_raw(writer, name, slot_json(field.type, *bound));
  } else if (of_type != nullptr) {
    put_raw(writer, name, of_type);
  }
}

void put_choices(Writer& writer, const Shape::Field& field) {
  if (field.text_choices.empty() && field.number_choices.empty()) return;
  writer.key("enum");
  writer.begin_array();
  for (const std::string& choice : field.text_choices) writer.value(choice);
  for (const std::uint64_t choice : field.number_choices) {
    writer.raw(slot_json(field.type, choice));
  }
  if (field.optional && !field.list) writer.null();
  writer.end_array();
}

/// What one value of the field may be.
void put_value_schema(Writer& writer, const Shape::Field& field, bool optional) {
  const TypeWords words = words_of(field.type);
  if (words.type != nullptr) put_type(writer, words.type, optional);
  if (words.format != nullptr) put(writer, "format", words.format);
  put_bound(writer, field, "minimum", field.min, words.least);
  put_bound(writer, field, "maximum", field.max, words.most);
  if (field.max_bytes != ~std::uint64_t{0}) {
    if (field.type == FieldType::text) {  // so many characters at most, then
      writer.key("maxLength");
      writer.value(field.max_bytes);
    }
    writer.key("x-max-bytes");
    writer.value(field.max_bytes);
  }
  put_choices(writer, field);
}

void put_field(Writer& writer, const Shape::Field& field) {
  writer.begin_object();
  if (field.list) {
    put_type(writer, "array", field.optional);
    writer.key("items");
    writer.begin_object();
    put_value_schema(writer, field, false);
    writer.end_object();
    if (field.max_items != ~std::uint64_t{0}) {
      writer.key("maxItems");
      writer.value(field.max_items);
    }
  } else {
    put_value_schema(writer, field, field.optional);
  }
  if (!field.default_json.empty()) put_raw(writer, "default", field.default_json);
  writer.end_object();
}

bool is_required(const Shape& shape, const Shape::Member& member) {
  return member.is_group ? shape.groups()[member.number].has_required
                         : shape.fields()[member.number].is_required();
}

void put_group(Writer& writer, const Shape& shape, const Shape::Group& group) {
  writer.begin_object();
  put(writer, "type", "object");
  writer.key("properties");
  writer.begin_object();
  for (const Shape::Member& member : group.members) {
    writer.key(member.name());
    if (member.is_group) {
      put_group(writer, shape, shape.groups()[member.number]);
    } else {
      put_field(writer, shape.fields()[member.number]);
    }
  }
  writer.end_object();
  const auto required = [&](const Shape::Member& member) { return is_required(shape, member); };
  if (std::ranges::any_of(group.members, required)) {
    writer.key("required");
    writer.begin_array();
    for (const Shape::Member& member : group.members) {
      if (required(member)) writer.value(member.name());
    }
    writer.end_array();
  }
  if (shape.unknown() == UnknownMembers::refuse) put_raw(writer, "additionalProperties", "false");
  writer.end_object();
}

void put_parameter(Writer& writer, std::string_view in, std::string_view name,
                   std::string_view description) {
  put(writer, "name", name);
  put(writer, "in", in);
  put(writer, "description", description);
  writer.key("schema");
}

void put_parameters(Writer& writer, const Shape* shape) {
  writer.key("parameters");
  writer.begin_array();
  writer.begin_object();
  put_parameter(writer, "header", "Idempotency-Key",
                "a repeat with the same key gets the first answer");
  writer.raw(R"({"type":"string","maxLength":255})");
  writer.end_object();
  if (shape != nullptr) {
    for (const Shape::Field& field : shape->fields()) {
      if (!field.is_fixed()) continue;
      writer.begin_object();
      put_parameter(writer, "query", field.path, "instead of the member in the body");
      writer.begin_object();
      put_value_schema(writer, field, false);
      writer.end_object();
      writer.end_object();
    }
  }
  writer.end_array();
}

void put_content(Writer& writer, std::string_view media_type, std::string_view schema) {
  writer.key(media_type);
  writer.begin_object();
  writer.key("schema");
  if (schema.empty()) {
    writer.raw("{}");
  } else {
    put_reference(writer, schema);
  }
  writer.end_object();
}

void put_body(Writer& writer, std::string_view schema) {
  writer.key("requestBody");
  writer.begin_object();
  put_raw(writer, "required", "true");
  writer.key("content");
  writer.begin_object();
  put_content(writer, "application/json", schema);
  writer.key("application/x-ndjson");
  writer.raw(R"({"schema":{"type":"string","description":"a record a line"}})");
  writer.end_object();
  writer.end_object();
}

void put_answer(Writer& writer, const char* status, std::string_view description,
                std::string_view media_type, std::string_view schema) {
  writer.key(status);
  writer.begin_object();
  put(writer, "description", description);
  writer.key("content");
  writer.begin_object();
  put_content(writer, media_type, schema);
  writer.end_object();
  writer.end_object();
}

void put_problems(Writer& writer, bool needs_token) {
  constexpr std::string_view kProblem = "application/problem+json";
  put_answer(writer, "400", "not HTTP or not JSON", kProblem, "Problem");
  if (needs_token) {
    put_answer(writer, "401", "no bearer token", kProblem, "Problem");
    put_answer(writer, "403", "not the right token", kProblem, "Problem");
  }
  put_answer(writer, "413", "too large", kProblem, "Problem");
  put_answer(writer, "415", "not a type that is taken", kProblem, "Problem");
  put_answer(writer, "422", "JSON, and not of this shape", kProblem, "Problem");
  put_answer(writer, "503", "no room now: try again after Retry-After", kProblem, "Problem");
}

void put_operation(Writer& writer, const ApiInfo& info, const std::string& path,
                   std::string_view summary, const InputEndpoint* input, std::string_view name) {
  writer.key(path);
  writer.begin_object();
  writer.key("post");
  writer.begin_object();
  put(writer, "operationId",
      "post_" + std::string(input != nullptr ? "input_" : "source_") + std::string(name));
  put(writer, "summary", summary);
  put(writer, "description",
      "One value is one record. An array, or NDJSON, is many: what is good of it is taken, and the "
      "answer counts.");
  put_parameters(writer, input != nullptr ? &input->shape() : nullptr);
  put_body(writer, input != nullptr ? name : "");
  writer.key("responses");
  writer.begin_object();
  if (input != nullptr && input->reply() != Reply::accepted) {
    const bool echo = input->reply() == Reply::echo;
    put_answer(writer, "200", echo ? "the record" : "what the program makes of the record",
               "application/json", echo ? name : "");
  }
  put_answer(writer, "202", "how many records were accepted", "application/json", "Accepted");
  put_problems(writer, info.needs_token);
  writer.end_object();
  if (info.needs_token) put_raw(writer, "security", R"([{"bearer":[]}])");
  writer.end_object();
  writer.end_object();
}

constexpr std::string_view kFault =
    R"({"type":"object","required":["code","detail"],"properties":{)"
    R"("index":{"type":"integer","description":"of the record, where there are many"},)"
    R"("code":{"type":"string"},)"
    R"("pointer":{"type":"string","description":"JSON Pointer into the body"},)"
    R"("parameter":{"type":"string","description":"of the query, instead of a pointer"},)"
    R"("detail":{"type":"string"},)"
    R"("offset":{"type":"integer","description":"in bytes"},)"
    R"("line":{"type":"integer"},"column":{"type":"integer","description":"in bytes, from 1"}}})";
constexpr std::string_view kProblem =
    R"({"type":"object","description":"RFC 9457","required":["type","title","status","detail","code"],)"
    R"("properties":{"type":{"type":"string"},"title":{"type":"string"},)"
    R"("status":{"type":"integer"},"detail":{"type":"string"},"code":{"type":"string"},)"
    R"("errors":{"type":"array","maxItems":16,"items":{"$ref":"#/components/schemas/Fault"}}}})";
constexpr std::string_view kAccepted =
    R"({"type":"object","required":["accepted","rejected"],"properties":{)"
    R"("accepted":{"type":"integer"},"rejected":{"type":"integer"},)"
    R"("errors":{"type":"array","maxItems":16,"items":{"$ref":"#/components/schemas/Fault"}}}})";

}  // namespace

std::string openapi_json(const ApiInfo& info, const std::vector<const InputEndpoint*>& inputs,
                         const std::vector<const RecordEndpoint*>& sources) {
  std::string text;
  json::StringOutput out(text);
  Writer writer(out);
  writer.begin_object();
  put(writer, "openapi", "3.1.0");
  writer.key("info");
  writer.begin_object();
  put(writer, "title", info.title);
  put(writer, "version", info.version);
  put(writer, "description", "Records in by POST, checked whole, and handed to the sinks.");
  writer.end_object();
  writer.key("paths");
  writer.begin_object();
  for (const InputEndpoint* input : inputs) {
    put_operation(writer, info, "/inputs/" + input->name(), "records of a declared shape", input,
                  input->name());
  }
  for (const RecordEndpoint* source : sources) {
    put_operation(writer, info, "/sources/" + source->name(), "any JSON", nullptr, source->name());
  }
  writer.end_object();
  writer.key("components");
  writer.begin_object();
  writer.key("schemas");
  writer.begin_object();
  for (const InputEndpoint* input : inputs) {
    writer.key(input->name());
    put_group(writer, input->shape(), input->shape().groups()[0]);
  }
  put_raw(writer, "Fault", kFault);
  put_raw(writer, "Problem", kProblem);
  put_raw(writer, "Accepted", kAccepted);
  writer.end_object();
  if (info.needs_token) {
    put_raw(writer, "securitySchemes", R"({"bearer":{"type":"http","scheme":"bearer"}})");
  }
  writer.end_object();
  writer.end_object();
  const bool written = writer.close().has_value();
  return written ? text + "\n" : std::string("{}\n");
}

}  // namespace sluice
