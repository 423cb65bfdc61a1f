#pragma once

#include <cstdint>
#include <span>

#include "json/boundary.h"

namespace sluice::json {

/// What a search for a fault works with; all of it is overwritten.
struct FaultSearch {
  Passes& passes;
  kernel::TokenCarry& grammar;  ///< `spill` and `depth_max` are set
  PlainMachine& machine;

  /// Brings `boundary` nearer to the fault that the passes saw behind it, so that next to nothing
  /// is left for a machine that reads byte by byte. `rest` is the text from the boundary on, of
  /// which the text pass found no fault in `likely` bytes. No beginning of a scalar at the new
  /// boundary is wrong, if none was at the old one.
  /// Returns how many bytes of `rest` are before the new boundary.
  std::size_t approach(Boundary& boundary, std::span<const std::uint8_t> rest,
                       std::uint32_t likely);

 private:
  bool read_step(Boundary& boundary, Boundary& next, std::span<const std::uint8_t> rest,
                 std::uint32_t size_max);
};

}  // namespace sluice::json
