#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "flow/port.h"
#include "flow/retention.h"
#include "memory/pool.h"

namespace sluice {

/// Hands every block to all ports, as a reference or, where the policy says so, as a small shared
/// copy of what the port selected. One block at a time: the next is offered when all ports have
/// taken this one or dropped it. One thread.
class FanOut {
 public:
  /// `fields`: how many a row has. `rest_bytes`: what is left of the budget for blocks.
  FanOut(Pool& pool, const RetentionPolicy& policy, std::uint32_t fields,
         std::vector<PortOptions> ports, std::uint64_t rest_bytes);

  std::size_t size() const { return ports_.size(); }
  Port& port(std::size_t index) { return ports_[index]; }
  const Port& port(std::size_t index) const { return ports_[index]; }

  /// The first port that has no room for a block of `bytes`; null when all have.
  const Port* port_without_room(std::uint64_t bytes) const;
  /// Whether there is nobody left to read for.
  bool all_failed() const;
  /// Requires: idle().
  void offer(BlockRef block, std::uint64_t now_ns);
  /// Hands on what there is room for; true when something moved.
  bool deliver(std::uint64_t now_ns);
  bool idle() const { return !block_; }
  /// Records of the offered block that some port, by index, has not been handed yet.
  std::uint64_t undelivered(std::size_t index) const;

  std::uint64_t copied_bytes() const { return copied_bytes_; }

 private:
  /// Ports with one projection.
  struct Group {
    Projection projection;
    BlockRef copy;
  };
  void make_copies();

  Pool& pool_;
  const RetentionPolicy& policy_;
  std::uint32_t fields_;
  Shares shares_;
  std::deque<Port> ports_;
  std::vector<Group> groups_;
  std::vector<std::size_t> group_of_;
  BlockRef block_;
  std::vector<std::uint32_t> delivered_;
  std::uint64_t copied_bytes_ = 0;
};

}  // namespace sluice
