#include "json/boundary.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

#include "base/check.h"

namespace sluice::json {
namespace {

/// Feeds a machine and counts the bytes.
class Lead {
 public:
  explicit Lead(PlainMachine& machine) : machine_(machine) { machine_.restart(); }
  void add(std::span<const std::uint8_t> bytes) {
    size_ += bytes.size();
    // A refusal shows again as soon as the text goes on.
    static_cast<void>(machine_.feed(bytes).has_value());
  }
  void add(std::string_view text) {
    add({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  }
  std::uint64_t size() const { return size_; }

 private:
  PlainMachine& machine_;
  std::uint64_t size_ = 0;
};

/// A text that opens the innermost container and ends with `last`.
std::string_view innermost(const kernel::TokenCarry& tokens, std::uint8_t last,
                           std::uint8_t before_last) {
  const bool object = tokens.depth != 0 && tokens.is_object(tokens.depth - 1);
  switch (last) {
    case '\n':
      return " ";  // a byte order mark is one at the very start only
    case '{':
      return "{";
    case '[':
      return "[";
    case ':':
      return R"({"":)";
    case ',':
      return object ? R"({"":0,)" : "[0,";
    default:
      break;
  }
  if (last == '"' && before_last == '{') return R"({"")";
  if (last == '"' && before_last == ',' && object) return R"({"":0,"")";
  if (tokens.depth == 0) return R"("")";
  return object ? R"({"":"")" : R"(["")";
}

/// How many of the last three bytes begin a UTF-8 sequence that is not over.
std::uint32_t unfinished_sequence(const std::uint8_t (&tail)[3]) {
  for (std::uint32_t size = 1; size <= 3; ++size) {
    const std::uint8_t byte = tail[3 - size];
    if (byte < 0x80) return 0;
    if (byte >= 0xC0) {
      const std::uint32_t whole = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
      return size < whole ? size : 0;
    }
  }
  return 0;
}

}  // namespace

Boundary::Boundary(std::uint32_t depth_max) : spill_(kernel::TokenCarry::spill_words(depth_max)) {
  tokens_.spill = spill_.data();
}

void Boundary::restart() {
  offset_ = 0;
  carry_ = {};
  tokens_.restart();
  scalar_size_ = 0;
}

void Boundary::move_to(std::uint64_t offset, const Passes& passes, const kernel::TokenCarry& tokens,
                       std::span<const std::uint8_t> read) {
  SLUICE_CHECK(read.size() >= kHistoryBytes);
  offset_ = offset;
  carry_ = passes.carry();
  tokens_ = tokens;
  tokens_.spill = spill_.data();
  std::copy_n(tokens.spill, spilled_words(), tokens_.spill);
  scalar_size_ = passes.streams().scalar_count;
  std::memcpy(scalar_.data(), passes.streams().scalars, scalar_size_);
  std::ranges::copy(read.last(kHistoryBytes), history_.begin());
}

std::size_t Boundary::spilled_words() const {
  return std::min<std::size_t>(spill_.size(), tokens_.depth / 64);
}

void Boundary::resume(Passes& passes, kernel::TokenCarry& grammar) const {
  passes.resume(carry_, std::span(scalar_).first(scalar_size_));
  std::uint64_t* const spill = grammar.spill;
  const std::uint32_t depth_max = grammar.depth_max;
  grammar = tokens_;
  grammar.spill = spill;
  grammar.depth_max = depth_max;
  std::copy_n(tokens_.spill, spilled_words(), spill);
}

/// Bytes before this place that belong to an escape, a surrogate pair or a UTF-8 sequence that is
/// not over; at most eleven, for a pair that lacks its last digit. Bit 63 is the last byte.
std::uint32_t Boundary::unfinished_bytes() const {
  if (carry_.unit.highs >> 58 != 0) {
    const int second_digit = 58 + std::countr_zero(carry_.unit.highs >> 58);
    return static_cast<std::uint32_t>(64 - (second_digit - 3));
  }
  if (carry_.unit.units >> 60 != 0) {
    const int unit = 60 + std::countr_zero(carry_.unit.units >> 60);
    const bool paired = (carry_.unit.highs >> (unit - 4) & 1) != 0;
    return static_cast<std::uint32_t>(64 - (unit - (paired ? 7 : 1)));
  }
  return carry_.escaped != 0 ? 1 : unfinished_sequence(carry_.tail);
}

std::uint64_t Boundary::resume(PlainMachine& machine) const {
  Lead lead(machine);
  if (offset_ == 0) return 0;
  for (std::uint32_t level = 0; level + 1 < tokens_.depth; ++level) {
    lead.add(tokens_.is_object(level) ? R"({"":)" : "[");
  }
  const bool inside_string = carry_.in_string != 0;
  if (!inside_string && !inside_scalar()) {
    lead.add(innermost(tokens_, tokens_.last, tokens_.before_last));
  } else {
    lead.add(innermost(tokens_, tokens_.before_last, '\n'));
  }
  if (inside_string) {
    lead.add("\"");
    lead.add(std::span(history_).last(unfinished_bytes()));
  } else if (inside_scalar()) {
    lead.add(std::span(scalar_).first(scalar_size_));
  }
  return offset_ - lead.size();
}

}  // namespace sluice::json
