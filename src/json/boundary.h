#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "json/passes.h"
#include "json/plain_machine.h"

namespace sluice::json {

/// All that is known of a text up to some place, a multiple of 64 bytes from its start: enough to
/// go on from there with the fast passes, and to bring an exact machine to the same state.
class Boundary {
 public:
  explicit Boundary(std::uint32_t depth_max);

  /// Takes down where the passes are: at `offset`, behind the bytes `read`.
  void move_to(std::uint64_t offset, const Passes& passes, const kernel::TokenCarry& tokens,
               std::span<const std::uint8_t> read);
  void restart();
  std::uint64_t offset() const { return offset_; }
  /// True when a number or literal goes on here.
  bool inside_scalar() const { return carry_.in_scalar != 0; }

  /// Brings the passes here. `grammar` has room for the levels of this boundary in its `spill`.
  void resume(Passes& passes, kernel::TokenCarry& grammar) const;
  /// Brings `machine` to the state it would be in had it read the text up to here, by a short text
  /// that leads to the same state: the open brackets, and what stands since the last token.
  /// Returns what to add (modulo 2^64) to the offsets it reports. The machine refuses that text
  /// only where the scalar that goes on here is wrong already.
  std::uint64_t resume(PlainMachine& machine) const;

 private:
  static constexpr std::uint32_t kHistoryBytes = 16;

  std::size_t spilled_words() const;
  std::uint32_t unfinished_bytes() const;

  std::uint64_t offset_ = 0;
  kernel::TextCarry carry_;
  kernel::TokenCarry tokens_;
  std::vector<std::uint64_t> spill_;
  std::array<std::uint8_t, kernel::kBlockBytes> scalar_{};  ///< text of the scalar that goes on
  std::uint32_t scalar_size_ = 0;
  std::array<std::uint8_t, kHistoryBytes> history_{};  ///< the bytes before this place
};

}  // namespace sluice::json
