#include "typed/read_struct.h"

#include "json/unescape.h"

namespace sluice::json {

std::string decoded_key(const ReadState& state, std::uint32_t token) {
  const std::string_view body = state.index.string_body(token);
  std::string key(body.size(), '\0');
  const Unescaped done = unescape({reinterpret_cast<const std::uint8_t*>(body.data()), body.size()},
                                  {reinterpret_cast<std::uint8_t*>(key.data()), key.size()});
  key.resize(done.written);
  return key;
}

}  // namespace sluice::json
