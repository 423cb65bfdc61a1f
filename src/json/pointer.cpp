#include "json/pointer.h"

namespace sluice::json {
namespace {

Error bad_pointer(std::size_t offset) {
  return {.code = ErrorCode::pointer_syntax, .offset = offset};
}

}  // namespace

Result<Pointer> Pointer::parse(std::string_view text) {
  Pointer pointer;
  for (std::size_t index = 0; index < text.size(); ++index) {
    const char byte = text[index];
    if (index == 0 && byte != '/') return bad_pointer(0);
    if (byte == '/') {
      pointer.tokens_.emplace_back();
    } else if (byte != '~') {
      pointer.tokens_.back() += byte;
    } else {
      ++index;
      const bool known = index < text.size() && (text[index] == '0' || text[index] == '1');
      if (!known) return bad_pointer(index);
      pointer.tokens_.back() += text[index] == '0' ? '~' : '/';
    }
  }
  return pointer;
}

}  // namespace sluice::json
