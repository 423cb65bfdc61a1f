#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "document/resource_memory.h"
#include "json/scan.h"
#include "kernel/kernel.h"

namespace sluice::json {

/// Where every token of one checked text is. A token is one of { } [ ] : and the comma, the
/// opening quote of a string, or the first byte of a number or literal; the layout is drawn in
/// kernel/index.h. Tokens are numbered from 0; the first one begins the value of the whole text.
///
/// A member is four tokens apart from the next when its value is no container: key, colon, value,
/// comma. So a walk over an object is `key = behind(key + 2) + 1`, until tokens[key - 1] is '}'.
///
/// Lifetime: that of the text and of the `Index`, until it is built again.
struct IndexView {
  const std::uint8_t* text = nullptr;
  const std::uint8_t* tokens = nullptr;   ///< tokens[token_count] is '\n', for the end
  const std::uint32_t* places = nullptr;  ///< in the text; places[token_count] is text_size
  const std::uint32_t* links = nullptr;   ///< of an opener its closer, of a closer its opener
  std::uint32_t token_count = 0;
  std::uint32_t text_size = 0;
  /// values[token / 2] is the number at `token` (kernel/numbers.h); null where none is converted.
  const kernel::NumberBits* values = nullptr;

  bool is_opener(std::uint32_t token) const { return (tokens[token] | 0x20) == '{'; }

  /// The token behind the value that starts at `token`: a comma, a closer or the end.
  std::uint32_t behind(std::uint32_t token) const {
    return (is_opener(token) ? links[token] : token) + 1;
  }

  /// Elements of the array or members of the object that `opener` begins. O(1).
  std::uint32_t count_of(std::uint32_t opener) const {
    const std::uint32_t slot = kernel::count_slot(tokens, links, opener);
    const bool closer = (tokens[slot] | 0x20) == '}';
    return closer ? slot != opener + 1 : links[slot];
  }

  /// The text of the value that starts at `token`, without blanks around it. Cost: O(1), and the
  /// blanks behind a string, number or literal.
  std::string_view raw(std::uint32_t token) const {
    const std::uint32_t end =
        is_opener(token) ? places[links[token]] + 1 : without_blanks(places[token + 1]);
    return {reinterpret_cast<const char*>(text) + places[token], end - places[token]};
  }

  /// What stands between the quotes of the string at `token`, escapes as they are written.
  std::string_view string_body(std::uint32_t token) const {
    const std::uint32_t start = places[token] + 1;
    const std::uint32_t closing_quote = without_blanks(places[token + 1]) - 1;
    return {reinterpret_cast<const char*>(text) + start, closing_quote - start};
  }

 private:
  std::uint32_t without_blanks(std::uint32_t end) const {
    while (text[end - 1] <= ' ') --end;
    return end;
  }
};

class Passes;

/// Whether numbers are converted, and strings with escapes found, while a text is indexed.
enum class Values : std::uint8_t { when_asked, at_once };

/// Checks a whole text and indexes its tokens; documents and typed reading stand on it.
class Index {
 public:
  /// Largest text, in bytes.
  static constexpr std::size_t kTextMax = (std::size_t{4} << 30) - 64;

  explicit Index(std::pmr::memory_resource* resource = std::pmr::get_default_resource());

  /// Checks `text` (strict RFC 8259, UTF-8, the depth) and indexes it; nothing behind the text is
  /// read. What was built before is forgotten, its memory is used again.
  /// Errors: the first fault with its offset; document_limit; out_of_memory. The view is empty
  /// then, and the index can be built again.
  /// Memory: 9 bytes a token, 13 where values are converted at once, and up to as much to spare, by
  /// the first 16 KiB of text; 8 bytes a level of nesting.
  Result<void> build(std::string_view text, const ScanOptions& options = {},
                     Values values = Values::when_asked);

  /// Of the text built last; empty before and after a failure.
  IndexView view() const { return view_; }
  /// Their tokens, in order, with Values::at_once; 4 bytes each.
  std::span<const std::uint32_t> strings_with_escapes() const { return escaped_; }

 private:
  struct Stop;

  bool read(std::string_view text, const ScanOptions& options, Stop& stop);
  bool append(Passes& passes, kernel::TokenCarry& grammar, std::uint32_t base);
  void convert(const kernel::Kernel& kernel, std::string_view text, std::uint32_t end);
  void find_escapes(std::string_view text, std::uint32_t last);
  std::size_t capacity() const;
  void lay_out(const ResourceMemory& arrays);
  void reserve(std::size_t tokens);
  void reserve_levels(std::size_t levels);

  ResourceMemory arrays_;  ///< places, links, tokens
  ResourceMemory values_;  ///< of numbers
  std::pmr::vector<std::uint32_t> escaped_;
  ResourceMemory levels_;  ///< open brackets
  ResourceMemory spill_;   ///< of the grammar
  kernel::IndexCarry carry_{};
  Values when_ = Values::when_asked;
  std::uint32_t converted_ = 0;  ///< tokens whose values are
  std::uint32_t searched_ = 0;   ///< bytes that were searched for escapes
  IndexView view_;
};

}  // namespace sluice::json
