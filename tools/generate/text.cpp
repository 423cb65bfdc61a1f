#include "generate/text.h"

namespace sluice::generate {
namespace {

constexpr const char* kWords[] = {
    "river",  "valve",  "gate",   "weir",    "basin",  "current", "level", "meter",  "pump",
    "a",      "the",    "of",     "between", "below",  "slowly",  "fills", "drains", "rises",
    "holds",  "before", "canal",  "keeper",  "bridge", "water",   "and",   "lock",   "turns",
    "winter", "flood",  "season", "opens",   "when",   "summer",  "upper", "lower",  "reach",
};
constexpr std::size_t kLongestWord = 8;  // with the blank behind it

constexpr const char* kEscapes[] = {"\\n", "\\\"", "\\\\", "\\t"};

constexpr const char* kPhrases[] = {
    "connection refused by peer",
    "retrying in a moment",
    "session opened",
    "checksum does not match",
    "lease renewed",
    "queue is empty",
    "flushed to disk",
    "took longer than expected",
    "no route to host",
    "configuration reloaded",
    "worker stopped",
    "slow consumer detected",
};
constexpr const char* kPhrasesWithMore[] = {
    "stopped at Köln–Süd", "first line\\nsecond line",   "asked for \\\"everything\\\"",
    "D:\\\\logs\\\\today", "price 12 \\u20ac per month", "東京 answered",
};

constexpr char kBase64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

void append_prose(std::string& out, Random& random, std::size_t size) {
  const std::size_t end = out.size() + size;
  while (out.size() + kLongestWord + 2 <= end) {
    out += random.pick(kWords);
    out += ' ';
    if (random.one_in(33)) out += random.pick(kEscapes);
  }
  out.append(end - out.size(), '.');
}

void append_base64(std::string& out, Random& random, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) out += kBase64[random.below(64)];
}

void append_message(std::string& out, Random& random) {
  const std::uint64_t phrases = 2 + random.below(6);
  for (std::uint64_t i = 0; i < phrases; ++i) {
    if (i > 0) out += ", ";
    out += random.one_in(4) ? random.pick(kPhrasesWithMore) : random.pick(kPhrases);
  }
}

void append_padded(std::string& out, std::uint64_t value, std::size_t width) {
  const std::string digits = std::to_string(value);
  if (digits.size() < width) out.append(width - digits.size(), '0');
  out += digits;
}

void append_hex(std::string& out, std::uint64_t value, int digits) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) {
    out += "0123456789abcdef"[(value >> shift) & 15];
  }
}

void append_thousandths(std::string& out, std::uint64_t thousandths) {
  out += std::to_string(thousandths / 1000);
  out += '.';
  append_padded(out, thousandths % 1000, 3);
}

void append_time(std::string& out, std::uint64_t microseconds) {
  const std::uint64_t seconds = microseconds / 1'000'000;
  out += "2026-03-";
  append_padded(out, 1 + seconds / 86'400 % 28, 2);
  out += 'T';
  append_padded(out, seconds / 3'600 % 24, 2);
  out += ':';
  append_padded(out, seconds / 60 % 60, 2);
  out += ':';
  append_padded(out, seconds % 60, 2);
  out += '.';
  append_padded(out, microseconds % 1'000'000, 6);
  out += 'Z';
}

}  // namespace sluice::generate
