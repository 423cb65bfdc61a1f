#include "app/bearer.h"

#include <algorithm>
#include <cstddef>

namespace sluice {
namespace {

constexpr std::string_view kScheme = "bearer ";

bool has_scheme(std::string_view header) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return header.size() > kScheme.size() &&
         std::ranges::equal(header.substr(0, kScheme.size()), kScheme, {}, lower);
}

}  // namespace

Bearer check_bearer(std::string_view header, std::string_view token) {
  if (!has_scheme(header)) return Bearer::missing;
  std::string_view given = header.substr(kScheme.size());
  while (given.starts_with(' ')) given.remove_prefix(1);
  unsigned different = given.size() == token.size() ? 0 : 1;
  for (std::size_t at = 0; at < token.size(); ++at) {
    const char other = at < given.size() ? given[at] : '\0';
    different |= static_cast<unsigned char>(token[at] ^ other);
  }
  return different == 0 ? Bearer::right : Bearer::wrong;
}

}  // namespace sluice
