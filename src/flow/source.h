#pragma once

#include <cstdint>
#include <functional>

#include "memory/block.h"

namespace sluice {

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
  /// Requires: the last step was wait_input. Becomes readable when a step gets on.
  virtual int wait_descriptor() const = 0;
  /// Reads no further; what has been read in part is given up.
  virtual void stop() = 0;
};

}  // namespace sluice
