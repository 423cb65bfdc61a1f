#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sluice {

/// Members of one JSON object, in order; values given as `json` are JSON text already.
class JsonObject {
 public:
  JsonObject& add(const char* name, const std::string& json);
  JsonObject& add(const char* name, std::uint64_t value);
  JsonObject& add_string(const char* name, std::string_view value);
  std::string str() const { return text_.empty() ? "{}" : text_ + "}"; }

 private:
  std::string text_;
};

/// The shortest text that reads back as `value`. Requires: finite.
std::string json_number(double value);
/// As a number of milliseconds.
std::string json_milliseconds(std::uint64_t ns);

}  // namespace sluice
