#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "writer/writer.h"

namespace sluice::json {

/// The calls of CompactText on a Writer, which knows itself where commas, line ends and blanks go.
class WriterText {
 public:
  /// Where the text has come to is the Writer's affair.
  struct At {};

  /// `writer` outlives the text.
  explicit WriterText(Writer& writer) : writer_(writer) {}

  bool failed() const { return writer_.output().failed(); }
  At fail(At, ErrorCode code) {
    writer_.output().fail(code, writer_.output().size());
    return {};
  }

  At begin_object(At) {
    writer_.begin_object();
    return {};
  }
  At end_object(At) {
    writer_.end_object();
    return {};
  }
  At begin_array(At) {
    writer_.begin_array();
    return {};
  }
  At end_array(At) {
    writer_.end_array();
    return {};
  }
  At element(At at, bool) { return at; }
  template <std::size_t kSize>
  At member(At, const std::array<char, kSize>& name, bool) {
    writer_.raw_key({name.data(), kSize});
    return {};
  }
  At name(At, std::string_view name, bool) {
    writer_.key(name);
    return {};
  }
  template <class T>
  At value(At, const T& value) {
    writer_.value(value);
    return {};
  }
  At null(At) {
    writer_.null();
    return {};
  }
  At raw(At, std::string_view json) {
    writer_.raw(json);
    return {};
  }

 private:
  Writer& writer_;
};

}  // namespace sluice::json
