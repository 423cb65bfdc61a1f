#include "typed/compact_text.h"

#include "writer/write_string.h"

namespace sluice::json {

CompactText::At CompactText::make_room(At at, std::size_t size) {
  settle(at);
  out_.room(size);
  return resume();
}

CompactText::At CompactText::long_string(At at, std::string_view text) {
  settle(at);
  write_string(out_, text, options_.ill_formed);
  return resume();
}

/// Where the output has come to.
CompactText::At CompactText::resume() {
  char* const at = out_.failed() ? nullptr : out_.room(0);
  if (out_.failed()) {
    end_ = scratch_.data() + scratch_.size();
    return scratch_.data();
  }
  end_ = at + out_.left();
  return at;
}

}  // namespace sluice::json
