#include "config/section.h"

#include <algorithm>
#include <charconv>

#include "base/sizes.h"
#include "typed/nearest_name.h"

namespace sluice {
namespace {

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

}  // namespace

std::string hint(std::string_view name, const std::vector<std::string>& known) {
  const std::vector<std::string_view> names(known.begin(), known.end());
  const std::string_view nearest = json::nearest_name(name, names);
  if (!nearest.empty()) return ": did you mean " + quoted(nearest) + "?";
  std::string all;
  for (const std::string& each : known) all += (all.empty() ? ": there are " : ", ") + each;
  return all.empty() ? ": there are none" : all;
}

const ConfigMember* Section::get(std::string_view key) {
  known_.emplace_back(key);
  return table_.find(key);
}

const ConfigMember* Section::get(std::string_view key, ConfigNode::Kind kind,
                                 std::string_view wanted) {
  const ConfigMember* const member = get(key);
  if (member == nullptr || member->value.kind == kind) return member;
  problem(member->value.place, std::string(key) + " is " + std::string(wanted) + ", not " +
                                   std::string(kind_name(member->value.kind)));
  return nullptr;
}

bool Section::text(std::string_view key, std::string& into, std::string_view wanted) {
  const ConfigMember* const member = get(key, ConfigNode::Kind::text, wanted);
  if (member != nullptr) into = member->value.text;
  return member != nullptr;
}

void Section::boolean(std::string_view key, bool& into) {
  const ConfigMember* const member = get(key, ConfigNode::Kind::boolean, "true or false");
  if (member != nullptr) into = member->value.boolean;
}

bool Section::size(std::string_view key, std::uint64_t& into) {
  const ConfigMember* const member = get(key);
  if (member == nullptr) return false;
  const ConfigNode& value = member->value;
  const bool may_be = value.is_text() || value.kind == ConfigNode::Kind::integer;
  const auto size = may_be ? parse_size(value.text) : std::nullopt;
  if (size) {
    into = *size;
  } else {
    problem(value.place, std::string(key) + " is a size such as \"64MiB\", not " +
                             (may_be ? quoted(value.text) : std::string(kind_name(value.kind))));
  }
  return size.has_value();
}

bool Section::duration(std::string_view key, std::uint64_t& into_ns) {
  std::string text;
  if (!Section::text(key, text, "a duration such as \"5ms\"")) return false;
  const auto duration = parse_duration_ns(text);
  if (duration) {
    into_ns = *duration;
  } else {
    problem(place_of(key),
            std::string(key) + " is a duration such as \"5ms\" or \"2s\", not " + quoted(text));
  }
  return duration.has_value();
}

bool Section::count(std::string_view key, std::uint64_t& into, std::uint64_t least,
                    std::uint64_t most) {
  const ConfigMember* const member = get(key, ConfigNode::Kind::integer, "a whole number");
  if (member == nullptr) return false;
  const std::string& digits = member->value.text;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool is_whole = error == std::errc() && end == digits.data() + digits.size();
  if (is_whole && value >= least && value <= most) {
    into = value;
    return true;
  }
  problem(member->value.place, std::string(key) + " is a number from " + std::to_string(least) +
                                   " to " + std::to_string(most) + ", not " + digits);
  return false;
}

const ConfigMember* Section::texts(std::string_view key, std::vector<std::string>& into) {
  const ConfigMember* const member = get(key);
  if (member == nullptr) return nullptr;
  if (member->value.is_text()) {
    into.push_back(member->value.text);
    return member;
  }
  if (!member->value.is_array()) {
    problem(member->value.place, std::string(key) + " is a list of texts, not " +
                                     std::string(kind_name(member->value.kind)));
    return nullptr;
  }
  for (const ConfigNode& element : member->value.elements) {
    if (!element.is_text()) {
      problem(element.place, std::string(key) + " is a list of texts, and this is " +
                                 std::string(kind_name(element.kind)));
      return nullptr;
    }
    into.push_back(element.text);
  }
  return member;
}

std::optional<std::size_t> Section::word(std::string_view key,
                                         std::initializer_list<std::string_view> words) {
  std::string text;
  if (!Section::text(key, text)) return std::nullopt;
  const auto found = std::ranges::find(words, text);
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  problem(place_of(key),
          std::string(key) + " is not " + quoted(text) + hint(text, {words.begin(), words.end()}));
  return std::nullopt;
}

void Section::later(std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    const ConfigMember* const member = table_.find(key);
    if (member == nullptr) continue;
    problem(member->place, quoted(key) + " is not there yet: leave it out");
    known_.emplace_back(key);
  }
}

ConfigPlace Section::place_of(std::string_view key) const {
  const ConfigMember* const member = table_.find(key);
  return member == nullptr ? table_.place : member->value.place;
}

void Section::finish() {
  for (const ConfigMember& member : table_.members) {
    if (std::ranges::find(known_, member.key) != known_.end()) continue;
    problem(member.place, "unknown key " + quoted(member.key) + hint(member.key, known_));
  }
}

}  // namespace sluice
