#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/error.h"
#include "json/boundary.h"

namespace sluice::json {

/// Follows the passes through a text, so that the exact machine need not read all of it again when
/// they see a fault.
class FaultTrail {
 public:
  explicit FaultTrail(const ScanOptions& options);

  /// The passes stand at `offset` and saw no fault; `read` is what they read last, at least 16
  /// bytes, and `offset` is a multiple of 64.
  void move_to(std::uint64_t offset, const Passes& passes, const kernel::TokenCarry& grammar,
               std::span<const std::uint8_t> read);
  /// The first fault of `text`. Requires: there is one, and it shows in the chunk behind the place
  /// moved to last, or in the first one; the text pass saw none in `likely` bytes of that chunk.
  Error first_fault(std::string_view text, std::uint32_t likely);

 private:
  void approach(Boundary& boundary, std::string_view rest, std::uint32_t likely,
                PlainMachine& machine) const;

  ScanOptions options_;
  Boundary last_;  ///< inside a scalar whose beginning may be wrong; used if `inside_scalar_`
  Boundary sure_;  ///< the last one that is outside
  bool inside_scalar_ = false;
};

}  // namespace sluice::json
