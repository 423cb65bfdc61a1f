#include "world.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace sluice::simulated {
namespace {

struct Piece {
  const char* escaped;  ///< as it stands in a JSON string
  const char* decoded;
};

// Each pair written by hand from RFC 8259, section 7.
constexpr std::array kPieces{
    Piece{"plain", "plain"},
    Piece{"\\n", "\n"},
    Piece{"\\\"", "\""},
    Piece{"\\\\", "\\"},
    Piece{"\\/", "/"},
    Piece{"\\u0041", "A"},
    Piece{"\\u00e9", "\xC3\xA9"},
    Piece{"\\ud83d\\ude00", "\xF0\x9F\x98\x80"},
    Piece{"Z\xC3\xBCrich", "Z\xC3\xBCrich"},
    Piece{" ", " "},
};

constexpr std::array kFaults{
    "{\"id\":01}", "{\"id\":1", "nonsense", "{\"a\":\"\xFF\"}", "{\"a\":\"\\ud800\"}",
    "[1,]",        "{\"open",   "\"\t\"",   "{\"id\":1} x",
};

}  // namespace

Records draw_records(Random& random, std::size_t count, std::size_t largest,
                     std::size_t max_record) {
  Records records;
  const unsigned tagged = random.chance(80) ? 90 : random.chance(50) ? 0 : 5;
  for (std::size_t at = 0; at < count; ++at) {
    const bool last = at + 1 == count;
    const char* const end = last && random.chance(50) ? "" : random.chance(10) ? "\r\n" : "\n";
    if (random.chance(5)) records.text += random.chance(50) ? "\n" : "  \r\n";
    if (random.chance(5)) {
      records.text += kFaults[random.below(kFaults.size())] + std::string(end);
      ++records.refused;
      continue;
    }
    std::string escaped;
    std::string decoded;
    for (std::uint64_t piece = random.below(8); piece > 0; --piece) {
      const Piece& drawn = kPieces[random.below(kPieces.size())];
      escaped += drawn.escaped;
      decoded += drawn.decoded;
    }
    const std::string id = std::to_string(random.next() >> random.below(64));
    const bool has_tag = random.chance(tagged);
    // Small ones often, large ones now and then.
    const std::size_t size = random.chance(80) ? random.below(300) : random.below(largest);
    const std::string body(size, static_cast<char>('a' + random.below(26)));
    std::string record = "{\"id\":" + id + ",\"body\":\"" + body + "\"";
    if (has_tag) record += ",\"tag\":\"" + escaped + "\"";
    record += "}";
    records.text += record + end;
    if (record.size() > max_record) {
      ++records.refused;
      continue;
    }
    records.wholes.push_back(record + "\n");
    records.objects.push_back("{\"id\":" + id + (has_tag ? ",\"tag\":\"" + escaped + "\"" : "") +
                              "}\n");
    records.tags.push_back(has_tag ? decoded + "\n" : "");
  }
  return records;
}

ScriptedInput::ScriptedInput(const std::string& text, std::uint64_t seed, ManualClock& clock,
                             ManualPoller& poller, int descriptor)
    : text_(text), random_(seed), clock_(clock), poller_(poller), descriptor_(descriptor) {}

Result<ReadResult> ScriptedInput::read(std::span<std::uint8_t> into) {
  if (clock_.now_ns() < ready_ns_) return ReadResult{};
  if (random_.chance(10)) {
    ready_ns_ = clock_.now_ns() + random_.between(1, 10'000'000);
    poller_.set_ready(descriptor_, ready_ns_);
    return ReadResult{};
  }
  if (at_ == text_.size()) return ReadResult{.end = true};
  const std::size_t most = random_.chance(50) ? into.size() : random_.between(1, 5'000);
  const std::size_t size = std::min({most, into.size(), text_.size() - at_});
  std::memcpy(into.data(), text_.data() + at_, size);
  at_ += size;
  return ReadResult{.bytes = size};
}

ScriptedOutput::ScriptedOutput(const OutputScript& script, int descriptor, std::string& into,
                               ManualClock& clock, ManualPoller& poller)
    : script_(script),
      random_(script.seed),
      descriptor_(descriptor),
      into_(into),
      clock_(clock),
      poller_(poller) {}

Result<std::size_t> ScriptedOutput::write(std::span<const iovec> pieces) {
  if (clock_.now_ns() < ready_ns_) return std::size_t{0};
  if (random_.chance(script_.wait_percent)) {
    ready_ns_ = clock_.now_ns() + script_.wait_ns;
    poller_.set_ready(descriptor_, ready_ns_);
    return std::size_t{0};
  }
  if (into_.size() >= script_.fails_after) {
    return Error{.code = ErrorCode::sink_write, .system_errno = 28};
  }
  std::size_t left = std::min(random_.between(1, script_.most_a_write),
                              std::uint64_t{script_.fails_after - into_.size()});
  std::size_t written = 0;
  for (const iovec& piece : pieces) {
    const std::size_t size = std::min(left, piece.iov_len);
    into_.append(static_cast<const char*>(piece.iov_base), size);
    written += size;
    left -= size;
  }
  return written;
}

}  // namespace sluice::simulated
