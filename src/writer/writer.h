#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/check.h"
#include "number/write.h"
#include "writer/output.h"
#include "writer/write_string.h"

namespace sluice::json {

/// How JSON is written.
struct WriteOptions {
  std::uint32_t indent = 0;  ///< blanks a level; 0: compact, all in one line
  IllFormed ill_formed = IllFormed::refuse;
  std::uint32_t max_depth = 1024;  ///< arrays and objects inside each other
};

/// Writes JSON value by value; commas, colons and line ends come by themselves.
///
///     std::string text;
///     json::StringOutput out(text);
///     json::Writer writer(out, {.indent = 2});
///     writer.begin_object();
///     writer.key("name");
///     writer.value("Ada");
///     writer.key("tags");
///     writer.begin_array();
///     writer.value(1);
///     writer.end_array();
///     writer.end_object();
///     Result<void> written = writer.close();
///
/// What comes out is always valid JSON: calls in an order that could not be (a value without its
/// key, an end that does not fit, two values at the top) are a bug of the caller and stop the
/// program. What data can do wrong makes the output fail, once and for all, and `close` says it:
/// json_utf8 for text that is not UTF-8, json_range for NaN and infinity, json_depth, and what the
/// output has; `offset` is where in the output the value was to stand.
/// Not thread-safe. Cost: a few stores a call; one bit a level.
class Writer {
 public:
  /// `out` outlives the writer.
  explicit Writer(Output& out, const WriteOptions& options = {}) : out_(out), options_(options) {}

  void begin_object() { begin('{', Place::key); }
  void end_object() { end('}', Place::key); }
  void begin_array() { begin('[', Place::element); }
  void end_array() { end(']', Place::element); }

  /// The name of the member whose value comes next.
  void key(std::string_view name) {
    before_key();
    write_string(out_, name, options_.ill_formed);
    out_.put(options_.indent == 0 ? std::string_view(":") : std::string_view(": "));
  }
  /// The same for a name that is JSON text already, with quotes and colon: `"name":`.
  void raw_key(std::string_view text) {
    before_key();
    out_.put(text);
    if (options_.indent != 0) out_.put(" ");
  }

  template <std::signed_integral T>
  void value(T number) {
    write_number(static_cast<std::int64_t>(number));
  }
  template <std::unsigned_integral T>
    requires(!std::same_as<T, bool>)
  void value(T number) {
    write_number(static_cast<std::uint64_t>(number));
  }
  template <std::floating_point T>
  void value(T number) {
    using Real = std::conditional_t<std::same_as<T, float>, float, double>;
    if (std::isfinite(static_cast<Real>(number))) [[likely]] {
      return write_number(static_cast<Real>(number));
    }
    before_value();
    out_.fail(ErrorCode::json_range, out_.size());
  }
  void value(std::string_view text) {
    before_value();
    write_string(out_, text, options_.ill_formed);
  }
  void value(const char* text) { value(std::string_view(text)); }
  template <std::same_as<bool> T>  // so that pointers do not become true
  void value(T truth) {
    raw(truth ? std::string_view("true") : std::string_view("false"));
  }
  void value(std::nullptr_t) = delete;  // null() it is
  void value(char) = delete;            // a number or a string?
  void null() { raw("null"); }
  /// A value that is JSON text already, and known to be valid; it is copied as it is.
  void raw(std::string_view json) {
    before_value();
    out_.put(json);
  }

  /// Ends the line behind a value at the top, and lets another follow: NDJSON, when compact.
  void end_line();

  /// Closes the output. Requires: nothing is open. Nothing at all is an empty text, which is no
  /// JSON, but NDJSON of no records. Errors: see above.
  Result<void> close();

  Output& output() { return out_; }
  /// Containers that are open.
  std::size_t depth() const { return depth_; }

 private:
  enum class Place : std::uint8_t {
    top,      ///< the one value is due
    element,  ///< an element, or the end of the array
    member,   ///< the value of a member
    key,      ///< a key, or the end of the object
    done,     ///< the value at the top is complete
  };

  template <class T>
  void write_number(T number) {
    before_value();
    char* const at = out_.room(number::kNumberBytes);
    if (at != nullptr) out_.commit(number::write(at, number));
  }

  void before_value() {
    SLUICE_CHECK(place_ <= Place::member || out_.failed());
    const bool element = place_ == Place::element;
    place_ = behind_value_;
    if (element) separate();
  }
  void before_key() {
    SLUICE_CHECK(place_ == Place::key || out_.failed());
    place_ = Place::member;
    separate();
  }
  /// What stands before a key or an element: a comma unless it is the first, and a new line.
  void separate() {
    if (!first_) out_.put(",");
    first_ = false;
    if (options_.indent != 0) new_line();
  }
  void new_line();
  void begin(char bracket, Place inside) {
    before_value();
    const bool rare = depth_ % kLevelsAWord == 0 || depth_ >= options_.max_depth || out_.failed();
    if (rare && !remember_rare_level()) return;
    objects_ = objects_ << 1 | (behind_value_ == Place::key ? 1 : 0);
    ++depth_;
    behind_value_ = inside;
    place_ = inside;
    first_ = true;
    out_.put({&bracket, 1});
  }
  void end(char bracket, Place inside) {
    if (out_.failed()) return;
    SLUICE_CHECK(place_ == inside);
    const bool in_object = (objects_ & 1) != 0;
    objects_ >>= 1;
    --depth_;
    if (depth_ % kLevelsAWord == 0) restore_levels();
    behind_value_ = depth_ == 0 ? Place::done : in_object ? Place::key : Place::element;
    place_ = behind_value_;
    if (!first_ && options_.indent != 0) new_line();
    first_ = false;
    out_.put({&bracket, 1});
  }
  bool remember_rare_level();
  void restore_levels();

  static constexpr std::uint32_t kLevelsAWord = 64;

  Output& out_;
  WriteOptions options_;
  Place place_ = Place::top;
  Place behind_value_ = Place::done;
  bool first_ = true;  ///< nothing stands in the container yet
  std::uint32_t depth_ = 0;
  /// Whether the containers around the innermost are objects, the nearest in the lowest bit; those
  /// further out wait in `outer_`, 64 a word.
  std::uint64_t objects_ = 0;
  std::vector<std::uint64_t> outer_;
};

}  // namespace sluice::json
