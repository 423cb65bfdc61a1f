#include "document/names.h"

#include <array>
#include <span>

#include "json/has_backslash.h"
#include "json/unescape.h"

namespace sluice::json {
namespace {

/// Whether a name that is written with escapes means `key`. Decodes a piece at a time.
bool means(std::string_view body, std::string_view key) {
  std::span<const std::uint8_t> raw(reinterpret_cast<const std::uint8_t*>(body.data()),
                                    body.size());
  while (!raw.empty()) {
    std::array<std::uint8_t, 64> piece;
    const Unescaped step = unescape(raw, piece);
    const std::string_view meant(reinterpret_cast<const char*>(piece.data()), step.written);
    if (step.read == 0 || !key.starts_with(meant)) return false;
    raw = raw.subspan(step.read);
    key.remove_prefix(step.written);
  }
  return key.empty();
}

}  // namespace

/// An escape is at least one byte longer than what it means, and at most six times as long; so few
/// names must be looked at for one.
bool is_name(std::string_view body, std::string_view key) {
  if (body.size() == key.size()) return body == key && !has_backslash(body);
  if (body.size() < key.size() || body.size() > 6 * key.size()) return false;
  return has_backslash(body) && means(body, key);
}

std::optional<std::uint32_t> find_last_member(const IndexView& index, std::uint32_t first,
                                              std::uint32_t behind, std::string_view key) {
  std::uint32_t last = behind - 1;  // the last token of a value
  while (true) {
    const bool closer = (index.tokens[last] | 0x20) == '}';
    const std::uint32_t value = closer ? index.links[last] : last;
    const std::uint32_t name = value - 2;
    if (is_name(index.string_body(name), key)) return value;
    if (name == first) return std::nullopt;
    last = name - 2;  // before the comma
  }
}

std::uint32_t skip_elements(const IndexView& index, std::uint32_t first, std::uint32_t behind,
                            std::uint32_t count, std::uint32_t skipped) {
  const bool only_scalars = behind - first == 2 * count - 1;
  if (only_scalars) return first + 2 * skipped;
  std::uint32_t token = first;
  for (; skipped > 0; --skipped) token = index.behind(token) + 1;
  return token;
}

std::optional<std::uint32_t> index_of(std::string_view reference) {
  constexpr std::size_t kDigitsMax = 10;
  const bool zeros = reference.size() > 1 && reference[0] == '0';
  if (reference.empty() || reference.size() > kDigitsMax || zeros) return std::nullopt;
  std::uint64_t index = 0;
  for (const char digit : reference) {
    if (digit < '0' || digit > '9') return std::nullopt;
    index = index * 10 + static_cast<std::uint64_t>(digit - '0');
  }
  if (index > ~std::uint32_t{0}) return std::nullopt;
  return static_cast<std::uint32_t>(index);
}

}  // namespace sluice::json
