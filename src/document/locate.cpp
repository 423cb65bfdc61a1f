#include "document/locate.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "document/decoded_strings.h"
#include "json/bytes.h"
#include "kernel/kernel.h"

namespace sluice::json {
namespace {

/// Whether a number or literal that ends here is a whole one; in a text that is valid so far.
bool is_complete(std::string_view scalar) {
  return is_digit(static_cast<std::uint8_t>(scalar.back())) || scalar == "true" ||
         scalar == "false" || scalar == "null";
}

/// A container that is open.
struct Level {
  bool object;
  std::uint64_t index = 0;  ///< of the element, in an array
  std::string_view name{};  ///< of the member, as it is written, in an object
};

/// Reads a text up to a place and keeps the containers that are open there.
class PathWalk {
 public:
  PathWalk(std::string_view text, std::size_t offset) : text_(text), offset_(offset) {
    while (at_ < offset_) take(byte_at(at_));
    const bool empty_array = !levels_.empty() && !levels_.back().object && !began_;
    if (empty_array && offset_ < text_.size() && text_[offset_] == ']') in_value_ = false;
  }

  /// The open containers; the last one counts only if the place is in an element or member of it.
  const std::vector<Level>& levels() const { return levels_; }
  bool in_value() const { return in_value_; }

 private:
  std::uint8_t byte_at(std::size_t at) const { return static_cast<std::uint8_t>(text_[at]); }

  void take(std::uint8_t byte) {
    if (is_blank(byte)) {
      ++at_;
    } else if (byte == '"') {
      take_string();
    } else if (!ends_scalar(byte)) {
      take_scalar();
    } else {
      take_structure(byte);
      ++at_;
    }
  }

  void take_structure(std::uint8_t byte) {
    if (byte == '{' || byte == '[') {
      levels_.push_back({.object = byte == '{'});
      in_value_ = byte == '[';
      began_ = false;
      return;
    }
    if (levels_.empty()) return;
    if (byte == ':') {
      in_value_ = true;
    } else if (byte == ',') {
      ++levels_.back().index;
      in_value_ = !levels_.back().object;
    } else {
      levels_.pop_back();
      in_value_ = false;
      began_ = true;
    }
  }

  void take_string() {
    const std::size_t behind = behind_string();
    began_ = true;
    if (behind <= offset_) {
      const bool is_name = !in_value_ && !levels_.empty();
      if (is_name) levels_.back().name = text_.substr(at_ + 1, behind - at_ - 2);
      in_value_ = false;
    }
    at_ = behind;
  }

  /// Behind the closing quote, or behind the place where to stop.
  std::size_t behind_string() const {
    std::size_t quote = at_;
    while (true) {
      quote = text_.find('"', quote + 1);
      if (quote >= offset_) return offset_ + 1;
      std::size_t backslashes = 0;
      while (text_[quote - 1 - backslashes] == '\\') ++backslashes;
      if (backslashes % 2 == 0) return quote + 1;
    }
  }

  void take_scalar() {
    const std::size_t start = at_;
    began_ = true;
    while (at_ < offset_ && !ends_scalar(byte_at(at_))) ++at_;
    const bool goes_on = at_ == offset_ && at_ < text_.size() && !ends_scalar(byte_at(at_));
    if (!goes_on && is_complete(text_.substr(start, at_ - start))) in_value_ = false;
  }

  std::string_view text_;
  std::size_t offset_;
  std::size_t at_ = 0;
  std::vector<Level> levels_;
  bool in_value_ = true;  ///< a value goes on here, or is to begin
  bool began_ = false;    ///< the innermost container holds something already
};

void append_name(std::string& pointer, std::string_view written) {
  std::string name(written.size(), '\0');
  const std::optional<std::size_t> size = decode_string(written, name.data());
  if (size) name.resize(*size);
  for (const char byte : size ? std::string_view(name) : written) {
    if (byte == '~') {
      pointer += "~0";
    } else if (byte == '/') {
      pointer += "~1";
    } else {
      pointer += byte;
    }
  }
}

}  // namespace

Location locate(std::string_view text, std::uint64_t offset) {
  offset = std::min<std::uint64_t>(offset, text.size());
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  const std::size_t blocks = offset / kernel::kBlockBytes;
  const kernel::NewlineCount whole = kernel::active().newlines(bytes, blocks);
  std::uint64_t newlines = whole.count;
  std::uint64_t line_start = whole.behind_last;
  for (std::uint64_t at = blocks * kernel::kBlockBytes; at < offset; ++at) {
    if (text[at] != '\n') continue;
    ++newlines;
    line_start = at + 1;
  }
  return {newlines + 1, offset - line_start + 1};
}

std::string pointer_at(std::string_view text, std::uint64_t offset) {
  const PathWalk walk(text, std::min<std::uint64_t>(offset, text.size()));
  std::string pointer;
  for (const Level& level : walk.levels()) {
    if (&level == &walk.levels().back() && !walk.in_value()) break;
    pointer += '/';
    if (level.object) {
      append_name(pointer, level.name);
    } else {
      pointer += std::to_string(level.index);
    }
  }
  return pointer;
}

}  // namespace sluice::json
