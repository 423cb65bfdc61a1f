#include "writer/write_value.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "kernel/kernel.h"
#include "writer/start_line.h"

namespace sluice::json {
namespace {

/// Copies pieces of a text to an output; short ones without a call, by copying too much where both
/// sides have it.
class PieceCopy {
 public:
  PieceCopy(Output& out, const IndexView& index)
      : out_(out),
        text_(reinterpret_cast<const char*>(index.text)),
        end_(text_ + index.text_size) {}

  void copy(std::uint32_t first, std::uint32_t behind) {
    const char* const from = text_ + first;
    const std::size_t size = behind - first;
    if (size <= kShort && out_.left() >= kShort && static_cast<std::size_t>(end_ - from) >= kShort)
        [[likely]] {
      char* const at = out_.room(kShort);
      std::memcpy(at, from, kShort);
      out_.commit(at + size);
    } else {
      out_.put({from, size});
    }
  }

 private:
  static constexpr std::size_t kShort = 32;

  Output& out_;
  const char* text_;
  const char* end_;
};

bool is_structure(std::uint8_t token) {
  return token == ':' || token == ',' || (token | 0x20) == '{' || (token | 0x20) == '}';
}

/// Where the token ends that begins at `place`.
std::uint32_t end_of(const IndexView& index, std::uint32_t token) {
  if (is_structure(index.tokens[token])) return index.places[token] + 1;
  const std::string_view raw = index.raw(token);
  return index.places[token] + static_cast<std::uint32_t>(raw.size());
}

/// The kernel's compact pass over as much of the text as there is room for, and so on.
void write_compact(Output& out, std::string_view text) {
  constexpr std::size_t kSlack = kernel::kCompactSlack;
  const auto compact = kernel::active().compact;
  kernel::CompactCarry carry;
  while (!text.empty()) {
    const std::size_t room = std::max(out.left(), Output::kRoomMax) - kSlack;
    const std::size_t whole_blocks = room / kernel::kBlockBytes * kernel::kBlockBytes;
    const std::size_t size = std::min(text.size(), whole_blocks);
    char* const at = out.room(size + kSlack);
    if (at == nullptr) return;
    out.commit(at + compact(carry, reinterpret_cast<const kernel::u8*>(text.data()),
                            static_cast<kernel::u32>(size), reinterpret_cast<kernel::u8*>(at)));
    text.remove_prefix(size);
  }
}

void write_indented(Output& out, const IndexView& index, std::uint32_t first,
                    std::uint64_t indent) {
  const std::uint32_t behind = index.behind(first);
  PieceCopy pieces(out, index);
  std::uint64_t depth = 0;
  for (std::uint32_t token = first; token < behind && !out.failed(); ++token) {
    const std::uint8_t kind = index.tokens[token];
    const bool empty = index.is_opener(token) && index.links[token] == token + 1;
    if ((kind | 0x20) == '}') start_line(out, --depth * indent);
    pieces.copy(index.places[token], end_of(index, token));
    if (empty) {
      ++token;
      pieces.copy(index.places[token], index.places[token] + 1);
    } else if (index.is_opener(token)) {
      start_line(out, ++depth * indent);
    } else if (kind == ',') {
      start_line(out, depth * indent);
    } else if (kind == ':') {
      out.put(" ");
    }
  }
}

/// Strings are asked for and escaped again; some no longer stand in the text as JSON.
void write_decoded(Output& out, const Value& value, const WriteOptions& options) {
  Writer writer(out,
                {.indent = options.indent, .max_depth = std::numeric_limits<std::uint32_t>::max()});
  const IndexView& index = value.index();
  const std::uint32_t behind = index.behind(value.token());
  for (std::uint32_t token = value.token(); token < behind && !out.failed(); ++token) {
    switch (index.tokens[token]) {
      case '{':
        writer.begin_object();
        break;
      case '}':
        writer.end_object();
        break;
      case '[':
        writer.begin_array();
        break;
      case ']':
        writer.end_array();
        break;
      case ',':
      case ':':
        break;
      case '"': {
        const Result<std::string_view> text = value.with_token(token).as_string();
        if (!text) return out.fail(text.error());
        index.tokens[token + 1] == ':' ? writer.key(*text) : writer.value(*text);
        break;
      }
      default:
        writer.raw(index.raw(token));
    }
  }
}

}  // namespace

void write_value(Output& out, const Value& value, const WriteOptions& options) {
  if (!value.exists()) return out.fail(value.error());
  const std::string_view text = value.raw();
  out.expect(text.size() + kernel::kCompactSlack);
  if (value.decodes_in_place()) return write_decoded(out, value, options);
  if (options.indent == 0) return write_compact(out, text);
  write_indented(out, value.index(), value.token(), options.indent);
}

Result<std::string> write(const Value& value, const WriteOptions& options) {
  std::string text;
  StringOutput out(text);
  write_value(out, value, options);
  SLUICE_TRY(out.close());
  return text;
}

}  // namespace sluice::json
