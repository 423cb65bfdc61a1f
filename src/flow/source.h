#pragma once

#include <cstdint>
#include <functional>

#include "memory/block.h"

namespace sluice {

/// What a source did so far.
struct SourceCounts {
  std::uint64_t bytes_read = 0;
  std::uint64_t carried_bytes = 0;  ///< moved from one buffer to another
  std::uint64_t records = 0;        ///< accepted
  std::uint64_t started_ns = 0;     ///< when the first byte was asked for; 0 before
  /// Capacity of each block times how long it lived after it was read.
  double original_byte_seconds = 0;
};

/// Brings records, a block at a time. Before it takes memory it asks whether every sink has room
/// for as much; it never waits inside a call.
class Source {
 public:
  enum class Step {
    block,       ///< a block of records is there
    again,       ///< something was done; call again
    wait_input,  ///< nothing can be read now; `wait_descriptor` tells when
    wait_room,   ///< a sink or the budget has no room now
    done,        ///< nothing will ever come again
  };
  /// Whether every sink has room for a block of so many bytes.
  using HasRoom = std::function<bool(std::uint64_t)>;

  virtual ~Source() = default;
  /// Does one piece of work; with Step::block, `block` is filled.
  virtual Step step(const HasRoom& has_room, BlockRef& block) = 0;
  /// Requires: the last step was wait_input. Becomes readable when a step gets on; -1 of a source
  /// that others write to, which is asked again at every turn of the loop.
  virtual int wait_descriptor() const = 0;
  /// Reads no further; what has been read in part is given up.
  virtual void stop() = 0;
  virtual SourceCounts counts() const = 0;
};

}  // namespace sluice
