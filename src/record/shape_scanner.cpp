#include "record/shape_scanner.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "json/error_text.h"
#include "json/has_backslash.h"
#include "json/unescape.h"
#include "record/valid_prefix.h"

namespace sluice {
namespace {

constexpr std::size_t kNoMember = ~std::size_t{0};

std::string_view text_of(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

ShapeScanner::ShapeScanner(const Shape& shape, const json::ScanOptions& options,
                           std::pmr::memory_resource* memory)
    : shape_(shape), options_(options), memory_(memory), index_(memory), words_(shape.words()) {
  std::uint32_t members = 0;
  for (const Shape::Group& group : shape.groups()) {
    first_member_.push_back(members);
    for (std::size_t i = 0; i < group.members.size(); ++i) {
      follower_.push_back(static_cast<std::uint16_t>(i + 1));
    }
    members += static_cast<std::uint32_t>(group.members.size());
  }
  seen_.resize(members);
}

void ShapeScanner::trim() {
  index_ = json::Index(memory_);
  view_ = {};
}

bool ShapeScanner::scan(std::span<const std::uint8_t> body, std::string_view query) {
  faults_.clear();
  cut_ = false;
  const Result<void> built = index_.build(text_of(body), options_);
  if (built) return read_tokens(query);
  fail_syntax(body, query, built.error());
  return false;
}

bool ShapeScanner::read_tokens(std::string_view query) {
  std::ranges::fill(words_, 0);
  insertions_.clear();
  query_.clear();
  if (++scan_ == 0) {
    std::ranges::fill(seen_, 0);
    scan_ = 1;
  }
  view_ = index_.view();
  if (!query.empty()) query_.read(shape_, query, faults_);
  if (view_.tokens[0] == '{') {
    read_group(0, 0);
  } else {
    fail(ErrorCode::json_type, view_.places[0], "",
         "found " + std::string(kind_in_words(view_.tokens[0])) + ", expected an object");
  }
  return faults_.empty();
}

/// What is wrong in front of a fault of syntax is told, too: the text up to there is made whole.
void ShapeScanner::fail_syntax(std::span<const std::uint8_t> body, std::string_view query,
                               const Error& error) {
  const std::string prefix = valid_prefix(text_of(body), error.offset);
  if (error.code != ErrorCode::out_of_memory && !prefix.empty() && index_.build(prefix, options_)) {
    cut_ = true;
    read_tokens(query);
    if (faults_.size() == kMostFaults) faults_.pop_back();
  }
  const std::string detail = error.code == ErrorCode::out_of_memory
                                 ? "there is no memory left for the body's tokens"
                                 : json::describe(error, body);
  fail(error.code, error.offset, "", detail);
}

/// Reads the members of the object that `opener` begins; returns the token behind it.
ShapeScanner::Token ShapeScanner::read_group(std::uint32_t group, Token opener) {
  Token token = opener + 1;
  std::size_t expected = 0;
  while (view_.tokens[token] == '"') {
    const std::size_t member = find_member(group, expected, token);
    token = member == kNoMember ? view_.behind(token + 2) : read_member(group, member, token);
    if (member != kNoMember) expected = follower_[first_member_[group] + member];
    if (view_.tokens[token] == ',') ++token;
  }
  end_group(group, token);
  return token + 1;
}

/// Which member the key at `token` names: first the one that is expected is compared, in one go
/// with its quotes. kNoMember when it is none, or comes twice; that has been told then.
std::size_t ShapeScanner::find_member(std::uint32_t group, std::size_t expected, Token key) {
  const Shape::Group& shape = shape_.groups()[group];
  const std::uint32_t first = first_member_[group];
  std::size_t member = kNoMember;
  if (expected < shape.members.size()) {
    const std::string& quoted = shape.members[expected].quoted;
    const std::uint32_t place = view_.places[key];
    if (view_.text_size - place >= quoted.size() &&
        std::memcmp(view_.text + place, quoted.data(), quoted.size()) == 0) {
      member = expected;
    }
  }
  if (member == kNoMember) {
    member = look_up(shape, key);
    if (member == kNoMember) {
      if (shape_.unknown() == UnknownMembers::ignore) return kNoMember;
      const std::string name = decoded(view_.string_body(key));
      fail(ErrorCode::json_field, view_.places[key], member_pointer(shape, name),
           unknown_name(name, shape));
      return kNoMember;
    }
    const bool has_last = expected > 0 && expected <= shape.members.size();
    if (has_last) follower_[first + expected - 1] = static_cast<std::uint16_t>(member);
  }
  if (seen_[first + member] == scan_) {
    const std::string name(shape.members[member].name());
    fail(ErrorCode::json_duplicate, view_.places[key], shape.pointer + "/" + name,
         "the member '" + name + "' comes twice");
    return kNoMember;
  }
  seen_[first + member] = scan_;
  return member;
}

std::size_t ShapeScanner::look_up(const Shape::Group& group, Token key) const {
  const std::string_view raw = view_.string_body(key);
  const bool escapes = json::has_backslash(raw);
  const std::string name = escapes ? decoded(raw) : std::string();
  const std::string_view wanted = escapes ? std::string_view(name) : raw;
  return group.find(wanted).value_or(kNoMember);
}

ShapeScanner::Token ShapeScanner::read_member(std::uint32_t group, std::size_t member, Token key) {
  const Shape::Member& shape = shape_.groups()[group].members[member];
  const Token value = key + 2;
  if (!shape.is_group) {
    read_field(shape.number, value);
    return view_.behind(value);
  }
  const Shape::Group& inner = shape_.groups()[shape.number];
  const std::uint8_t kind = view_.tokens[value];
  if (kind == '{') return read_group(shape.number, value);
  if (kind == 'n' && !inner.has_required && !query_.has_any_in(shape_, inner.pointer)) {
    // As if it were absent; nothing can be added to it, though.
    std::string added;
    fill_absent(shape.number, value, added);
  } else {
    fail(ErrorCode::json_type, view_.places[value], inner.pointer,
         "found " + std::string(kind_in_words(kind)) + ", expected an object");
  }
  return view_.behind(value);
}

/// The object ends at `closer`: what did not come may come from the query, or by default.
void ShapeScanner::end_group(std::uint32_t group, Token closer) {
  if (cut_) return;
  std::string added;
  fill_absent(group, closer, added);
  if (added.empty()) return;
  const bool has_members = view_.tokens[closer - 1] != '{';
  insertions_.push_back(
      {.offset = view_.places[closer], .text = has_members ? "," + added : std::move(added)});
}

void ShapeScanner::fill_absent(std::uint32_t group, Token closer, std::string& added) {
  const Shape::Group& shape = shape_.groups()[group];
  for (std::size_t i = 0; i < shape.members.size(); ++i) {
    const Shape::Member& member = shape.members[i];
    if (seen_[first_member_[group] + i] == scan_) continue;
    if (!member.is_group) {
      fill_absent_field(member.number, closer, added);
      continue;
    }
    std::string inner;
    fill_absent(member.number, closer, inner);
    if (!inner.empty()) added += (added.empty() ? "" : ",") + member.quoted + ":{" + inner + "}";
  }
}

void ShapeScanner::fill_absent_field(std::uint32_t number, Token closer, std::string& added) {
  const Shape::Field& field = shape_.fields()[number];
  const Query::Value* const given = query_.empty() ? nullptr : query_.find(number);
  if (given == nullptr && field.default_json.empty()) {
    if (field.optional) return;
    return fail(ErrorCode::json_missing, view_.places[closer], field.pointer,
                "the member '" + field.path + "' is missing");
  }
  std::string json = field.default_json;
  if (field.is_fixed()) {
    words_[field.place] = given != nullptr ? given->bits : *field.default_slot;
    if (given != nullptr) json = slot_json(field.type, given->bits);
    set_present(number);
  }
  added += (added.empty() ? "\"" : ",\"") + field.name + "\":" + json;
}

void ShapeScanner::fail(ErrorCode code, std::uint64_t offset, std::string pointer,
                        std::string detail) {
  if (faults_.size() == kMostFaults) return;
  const auto place = std::ranges::upper_bound(faults_, offset, {}, &ShapeFault::offset);
  faults_.insert(place, {.code = code,
                         .offset = offset,
                         .pointer = std::move(pointer),
                         .parameter = {},
                         .detail = std::move(detail)});
}

std::string ShapeScanner::decoded(std::string_view raw) const {
  std::string text(raw.size(), '\0');
  const json::Unescaped done =
      json::unescape({reinterpret_cast<const std::uint8_t*>(raw.data()), raw.size()},
                     {reinterpret_cast<std::uint8_t*>(text.data()), text.size()});
  text.resize(done.written);
  return text;
}

}  // namespace sluice
