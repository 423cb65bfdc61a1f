#include "record/shaped_record.h"

#include "json/unescape.h"

namespace sluice {

std::string_view ShapedRecord::text(std::uint32_t field, std::string& memory) const {
  const std::string& fallback = shape_.fields()[field].default_json;
  const bool absent = !has(field);
  if (absent && fallback.empty()) return {};
  const std::string_view raw =
      absent ? std::string_view(fallback).substr(1, fallback.size() - 2) : this->raw(field);
  if (!absent && !has_escapes(field)) return raw;
  memory.resize(raw.size());
  const json::Unescaped done =
      json::unescape({reinterpret_cast<const std::uint8_t*>(raw.data()), raw.size()},
                     {reinterpret_cast<std::uint8_t*>(memory.data()), memory.size()});
  memory.resize(done.written);
  return memory;
}

}  // namespace sluice
