#include "app/media_type.h"

#include <algorithm>

namespace sluice {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, lower, lower);
}

std::string_view trimmed(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// Takes what stands before the next semicolon that is outside of quotes.
std::string_view next_part(std::string_view& rest) {
  bool quoted = false;
  std::size_t end = 0;
  for (; end < rest.size() && (quoted || rest[end] != ';'); ++end) {
    if (rest[end] == '"') quoted = !quoted;
    if (quoted && rest[end] == '\\') ++end;
  }
  const std::string_view part = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return trimmed(part);
}

/// Whether a parameter leaves the text UTF-8.
bool is_harmless(std::string_view parameter) {
  const std::size_t equals = parameter.find('=');
  if (equals == parameter.npos || !same(trimmed(parameter.substr(0, equals)), "charset"))
    return true;
  std::string_view value = trimmed(parameter.substr(equals + 1));
  if (value.size() >= 2 && value.front() == '"' && value.back() == '"') {
    value = value.substr(1, value.size() - 2);
  }
  return same(value, "utf-8");
}

}  // namespace

Media media_of(std::string_view content_type) {
  if (content_type == "application/json") return Media::json;  // what nearly all say
  std::string_view rest = content_type;
  const std::string_view type = next_part(rest);
  if (type.empty()) return Media::none;
  while (!rest.empty()) {
    if (!is_harmless(next_part(rest))) return Media::other;
  }
  constexpr std::string_view kSuffix = "+json";
  const bool has_suffix =
      type.size() > kSuffix.size() && same(type.substr(type.size() - kSuffix.size()), kSuffix);
  if (same(type, "application/json") || has_suffix) return Media::json;
  return same(type, "application/x-ndjson") ? Media::ndjson : Media::other;
}

}  // namespace sluice
