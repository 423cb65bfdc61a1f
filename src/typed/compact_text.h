#pragma once

#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "number/write.h"
#include "writer/output.h"
#include "writer/plain_copy.h"
#include "writer/writer.h"

namespace sluice::json {

/// Compact JSON to an output, for callers that are right by construction: what Writer remembers
/// and checks (where commas go, which bracket is open) typed writing knows when it is compiled.
///
/// Where the text has come to goes from call to call as a plain pointer, so that it stays in a
/// register; the output hears of it when it has to do something itself. After a failure the calls
/// go on into a scratch memory.
class CompactText {
 public:
  using At = char*;

  /// `out` outlives the text. Of `options` the indent does not count.
  CompactText(Output& out, const WriteOptions& options) : out_(out), options_(options) {}
  CompactText(const CompactText&) = delete;
  CompactText& operator=(const CompactText&) = delete;

  At begin() { return resume(); }
  /// Everything is written; the output may be closed.
  void finish(At at) { settle(at); }
  bool failed() const { return out_.failed(); }
  At fail(At at, ErrorCode code) {
    settle(at);
    out_.fail(code, out_.size());
    return resume();
  }

  At begin_object(At at) { return open(at, '{'); }
  At end_object(At at) { return close(at, '}'); }
  At begin_array(At at) { return open(at, '['); }
  At end_array(At at) { return close(at, ']'); }

  /// What stands before an element. `first`: it is the container's first.
  At element(At at, bool first) {
    at = room(at, 1);
    *at = ',';
    return at + (first ? 0 : 1);
  }
  /// A member's name, as the JSON text `"name":`.
  template <std::size_t kSize>
  At member(At at, const std::array<char, kSize>& name, bool first) {
    at = element(room(at, kSize + 1), first);
    std::memcpy(at, name.data(), kSize);
    return at + kSize;
  }
  At name(At at, std::string_view name, bool first) {
    at = value(element(at, first), name);
    at = room(at, 1);
    *at = ':';
    return at + 1;
  }

  At value(At at, std::signed_integral auto number) {
    return number::write(room(at, number::kNumberBytes), static_cast<std::int64_t>(number));
  }
  template <std::unsigned_integral T>
    requires(!std::same_as<T, bool>)
  At value(At at, T number) {
    return number::write(room(at, number::kNumberBytes), static_cast<std::uint64_t>(number));
  }
  template <std::floating_point T>
  At value(At at, T number) {
    if (!std::isfinite(number)) [[unlikely]] {
      return fail(at, ErrorCode::json_range);
    }
    return number::write(room(at, number::kNumberBytes), number);
  }
  template <std::same_as<bool> T>
  At value(At at, T truth) {
    at = room(at, 8);
    std::memcpy(at, truth ? "true    " : "false   ", 8);
    return at + (truth ? 4 : 5);
  }
  At value(At at, std::string_view text) {
    if (text.size() <= PlainCopy::kSizeMax) [[likely]] {
      at = room(at, text.size() + 2);
      if (PlainCopy::copy(at + 1, text)) [[likely]] {
        at[0] = '"';
        at[text.size() + 1] = '"';
        return at + text.size() + 2;
      }
    }
    return long_string(at, text);
  }
  At null(At at) {
    at = room(at, 4);
    std::memcpy(at, "null", 4);
    return at + 4;
  }
  /// A value that is JSON text already.
  At raw(At at, std::string_view json) {
    settle(at);
    out_.put(json);
    return resume();
  }

 private:
  /// Room for so many bytes at what is returned. Requires: size <= Output::kRoomMax.
  At room(At at, std::size_t size) {
    if (end_ - at >= static_cast<std::ptrdiff_t>(size)) [[likely]] {
      return at;
    }
    return make_room(at, size);
  }
  At make_room(At at, std::size_t size);
  At long_string(At at, std::string_view text);
  At resume();
  void settle(At at) {
    if (!out_.failed()) out_.commit(at);
  }

  At open(At at, char bracket) {
    if (depth_ >= options_.max_depth) [[unlikely]] {
      return fail(at, ErrorCode::json_depth);
    }
    ++depth_;
    at = room(at, 1);
    *at = bracket;
    return at + 1;
  }
  At close(At at, char bracket) {
    --depth_;
    at = room(at, 1);
    *at = bracket;
    return at + 1;
  }

  Output& out_;
  const WriteOptions options_;
  char* end_ = nullptr;
  std::uint32_t depth_ = 0;
  std::array<char, Output::kRoomMax> scratch_;
};

}  // namespace sluice::json
