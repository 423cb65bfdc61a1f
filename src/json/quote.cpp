#include "json/quote.h"

#include <span>

#include "json/plain_machine.h"

namespace sluice::json {
namespace {

std::string escaped(std::string_view text, bool replace_high_bytes) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string out = "\"";
  for (const char byte : text) {
    const auto value = static_cast<unsigned char>(byte);
    if (byte == '"' || byte == '\\') {
      out += '\\';
      out += byte;
    } else if (byte == '\n') {
      out += "\\n";
    } else if (byte == '\t') {
      out += "\\t";
    } else if (value < 0x20) {
      out += "\\u00";
      out += kHex[value >> 4];
      out += kHex[value & 15];
    } else if (value >= 0x80 && replace_high_bytes) {
      out += "\xEF\xBF\xBD";
    } else {
      out += byte;
    }
  }
  out += '"';
  return out;
}

}  // namespace

std::string quoted(std::string_view text) {
  std::string out = escaped(text, false);
  PlainMachine machine{ScanOptions{}};
  const bool valid =
      machine.feed({reinterpret_cast<const std::uint8_t*>(out.data()), out.size()}).has_value() &&
      machine.finish().has_value();
  return valid ? out : escaped(text, true);
}

}  // namespace sluice::json
