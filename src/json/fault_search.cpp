#include "json/fault_search.h"

#include <utility>

namespace sluice::json {

/// Goes ahead in steps as long as they are good, then from there in smaller ones. The machine takes
/// about as long for the smallest as the passes to begin one.
std::size_t FaultSearch::approach(Boundary& boundary, std::span<const std::uint8_t> rest,
                                  std::uint32_t likely) {
  const std::uint64_t start = boundary.offset();
  Boundary next(grammar.depth_max);
  for (const std::uint32_t step : {likely, 1024u, 128u}) {
    boundary.resume(passes, grammar);
    while (read_step(boundary, next, rest.subspan(boundary.offset() - start), step)) {
      std::swap(boundary, next);
    }
  }
  return boundary.offset() - start;
}

/// Moves `next` to behind the step at `boundary`; false when there is a fault in it.
bool FaultSearch::read_step(Boundary& boundary, Boundary& next, std::span<const std::uint8_t> rest,
                            std::uint32_t size_max) {
  const Passes::Chunk chunk = passes.read(rest, size_max, /*last=*/false, 0);
  if (chunk.fault || chunk.scalar_fault || chunk.size == 0) return false;
  const kernel::Streams& streams = passes.streams();
  if (!passes.kernel().tokens(grammar, streams.tokens, streams.token_count)) return false;
  passes.drop_tokens(streams.token_count, 0);
  next.move_to(boundary.offset() + chunk.size, passes, grammar, rest.first(chunk.size));
  if (!next.inside_scalar()) return true;
  // The scalar pass sees whole scalars only; the beginning of one must be right as well.
  next.resume(machine);
  return machine.feed({}).has_value();
}

}  // namespace sluice::json
