#pragma once

#include <new>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "typed/write_value.h"
#include "writer/writer.h"

/// Typed writing: what read.h reads, as JSON.
///
///     Result<std::string> text = json::write(timeline, {.indent = 2});
namespace sluice::json {

/// Writes to any output and closes it. Errors: those of the output; json_utf8 for text that is not
/// UTF-8 (WriteOptions can have it replaced), json_range for NaN and infinity, json_depth,
/// json_type for an enumerator without a name, out_of_memory.
template <class T>
Result<void> write_to(Output& out, const T& value, const WriteOptions& options = {}) {
  try {
    if (options.indent == 0) {
      CompactText text(out, options);
      text.finish(write_any(text, text.begin(), value));
    } else {
      Writer writer(out, options);
      write_value(writer, value);
    }
  } catch (const std::bad_alloc&) {  // of a conversion
    out.fail(ErrorCode::out_of_memory, out.size());
  }
  return out.close();
}

/// A fresh text. Errors: as write_to.
template <class T>
Result<std::string> write(const T& value, const WriteOptions& options = {}) {
  Result<std::string> text{std::string()};
  StringOutput out(*text);
  const Result<void> done = write_to(out, value, options);
  if (!done) return done.error();
  return text;
}

/// Into memory of a fixed size; returns what was written of it. Errors: as write_to, output_full.
template <class T>
Result<std::string_view> write(std::span<char> memory, const T& value,
                               const WriteOptions& options = {}) {
  SpanOutput out(memory);
  SLUICE_TRY(write_to(out, value, options));
  return out.text();
}

}  // namespace sluice::json
