#include "cli/json_object.h"

#include <array>
#include <charconv>

#include "json/quote.h"

namespace sluice {

JsonObject& JsonObject::add(const char* name, const std::string& json) {
  text_ += text_.empty() ? "{" : ",";
  text_ += json::quoted(name) + ":" + json;
  return *this;
}

JsonObject& JsonObject::add(const char* name, std::uint64_t value) {
  return add(name, std::to_string(value));
}

JsonObject& JsonObject::add_string(const char* name, std::string_view value) {
  return add(name, json::quoted(std::string(value)));
}

std::string json_number(double value) {
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

std::string json_milliseconds(std::uint64_t ns) {
  return json_number(static_cast<double>(ns) / 1e6);
}

}  // namespace sluice
