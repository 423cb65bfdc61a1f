#include "writer/write_value.h"

#include <cstring>
#include <limits>
#include <new>

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

/// Copies runs of text in which no blank stands between two tokens. There is one where the byte
/// before the next token is a blank, as only blanks stand between tokens.
void write_compact(Output& out, const IndexView& index, std::uint32_t first, std::uint32_t behind) {
  PieceCopy pieces(out, index);
  std::uint32_t start = index.places[first];
  for (std::uint32_t token = first; token + 1 < behind; ++token) {
    const std::uint32_t next = index.places[token + 1];
    if (index.text[next - 1] > ' ') continue;
    pieces.copy(start, end_of(index, token));
    start = next;
  }
  pieces.copy(start, end_of(index, behind - 1));
}

void write_indented(Output& out, const IndexView& index, std::uint32_t first, std::uint32_t behind,
                    std::uint64_t indent) {
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
void write_decoded(Output& out, const Value& value, std::uint32_t behind,
                   const WriteOptions& options) {
  Writer writer(out,
                {.indent = options.indent, .max_depth = std::numeric_limits<std::uint32_t>::max()});
  const IndexView& index = value.index();
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
  const IndexView& index = value.index();
  const std::uint32_t first = value.token();
  const std::uint32_t behind = index.behind(first);
  out.expect(end_of(index, behind - 1) - index.places[first]);
  if (value.decodes_in_place()) return write_decoded(out, value, behind, options);
  if (options.indent == 0) return write_compact(out, index, first, behind);
  write_indented(out, index, first, behind, options.indent);
}

Result<std::string> write(const Value& value, const WriteOptions& options) {
  std::string text;
  StringOutput out(text);
  write_value(out, value, options);
  SLUICE_TRY(out.close());
  return text;
}

}  // namespace sluice::json
