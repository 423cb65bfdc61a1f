#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "flow/acknowledgements.h"
#include "flow/port.h"
#include "flow/retention.h"
#include "flow/retention_trace.h"
#include "memory/pool.h"

namespace sluice {

class SelectedCopy;

/// Hands every block to all ports, as a reference or, where the policy says so, as a small shared
/// copy of what the port selected; and changes over to copies later where the policy says that.
///
/// Blocks come in at inlets, one for each source, and each inlet feeds some of the ports. One block
/// at a time an inlet: its next is offered when all its ports have taken this one or dropped it.
/// Other inlets go on meanwhile, but a port takes blocks in the order in which they were offered,
/// so that none waits for ever. One thread.
class FanOut final : private LettingGo {
 public:
  struct Options {
    std::uint32_t fields = 0;      ///< how many a row has
    std::uint64_t rest_bytes = 0;  ///< what is left of the budget for blocks
    RetentionTrace* trace = nullptr;
    /// The ports that each inlet feeds; none: one inlet, which feeds all. At most kMostInlets.
    std::vector<std::vector<std::size_t>> inlets{};
  };
  FanOut(Pool& pool, const RetentionPolicy& policy, std::vector<PortOptions> ports,
         const Options& options);
  FanOut(const FanOut&) = delete;
  FanOut& operator=(const FanOut&) = delete;

  std::size_t size() const { return ports_.size(); }
  Port& port(std::size_t index) { return ports_[index]; }
  const Port& port(std::size_t index) const { return ports_[index]; }

  std::size_t inlets() const { return inlets_.size(); }
  /// The ports that `inlet` feeds, by index.
  const std::vector<std::size_t>& ports_of(std::size_t inlet) const { return inlets_[inlet].ports; }

  // In the following, 0 is the inlet where there is but one.
  /// The first port of the inlet that has no room for a block of `bytes`; null when all have.
  const Port* port_without_room(std::uint64_t bytes, std::size_t inlet = 0) const;
  /// Whether a source that takes `bytes` leaves enough for copies, which free more than they take.
  bool leaves_room_for_copies(std::uint64_t bytes) const;
  /// Whether there is nobody left to read for.
  bool all_failed(std::size_t inlet = 0) const;
  /// Requires: idle(inlet).
  void offer(BlockRef block, std::uint64_t now_ns, std::size_t inlet = 0);
  /// Hands on what there is room for; true when something moved.
  bool deliver(std::uint64_t now_ns);
  bool idle(std::size_t inlet = 0) const { return !inlets_[inlet].block; }
  /// Records of the offered blocks that some port, by index, has not been handed yet.
  std::uint64_t undelivered(std::size_t port) const;

  /// From now on counts what sinks acknowledge, by inlet, and tells `observer`, which outlives the
  /// fan-out. Requires: nothing was offered.
  void count_acknowledged(AcknowledgementObserver& observer);
  /// Requires: they are counted.
  const Acknowledgements& acknowledgements() const { return *acknowledgements_; }
  /// Records that have come in at the inlet.
  std::uint64_t offered(std::size_t inlet) const { return inlets_[inlet].offered; }

  /// Asks the policy about the blocks that arrived, or that a sink let go of, since the last call.
  /// To be called when all sinks have done what they can do now.
  void reconsider(std::uint64_t now_ns);
  /// Changes one held block over to copies because a block of `bytes` finds no room: for the sink
  /// whose share is used up, or, when it is the budget that is, for all that hold it. False when
  /// that would not help, or none can be.
  bool relieve(std::uint64_t bytes, std::uint64_t now_ns, std::size_t inlet = 0);

  std::uint64_t copied_bytes() const { return copied_bytes_; }

 private:
  /// Ports with one projection.
  struct Group {
    Projection projection;
    std::uint64_t copy_capacity = 0;  ///< of the block that is being considered
    std::uint64_t selected_bytes = 0;
    bool wanted = false;
    BlockRef copy;
  };
  /// Where one source's blocks come in, and the one that is there.
  struct Inlet {
    std::vector<std::size_t> ports;
    BlockRef block;
    std::uint32_t number = 0;
    std::uint64_t received_ns = 0;
    std::vector<BlockRef> early;           ///< as `ports`
    std::vector<std::uint32_t> delivered;  ///< as `ports`
    bool arrived = false;                  ///< and the policy has not been asked yet
    /// Memory was wanted, and nothing held could be changed over for it.
    bool is_short = false;
    std::uint64_t offered = 0;
  };
  /// A held block, all of whose holders wait.
  struct Candidate {
    const Block* block = nullptr;
    HeldBlock held;
  };

  void make_inlets(std::vector<std::vector<std::size_t>> inlets);
  void make_early_copies(Inlet& inlet);
  bool deliver(Inlet& inlet, std::uint64_t now_ns);
  bool is_pending(std::uint32_t number) const;
  bool give_up_early_copies();
  bool make_copy(const SelectedCopy& copy, BlockRef& into);
  void consider(std::uint32_t number, Moment moment, std::uint64_t now_ns);
  /// `group`: only its ports are to change over; otherwise all that hold the block.
  std::optional<Candidate> candidate(std::uint32_t number, std::uint64_t now_ns,
                                     std::optional<std::size_t> group = std::nullopt);
  std::uint64_t to_copy() const;
  void measure(const Block& block, Group& group);
  bool change_over(std::uint32_t number, const Candidate& candidate, Moment moment,
                   std::uint64_t now_ns);
  std::optional<std::uint32_t> best_to_relieve(std::optional<std::size_t> only,
                                               std::uint64_t now_ns);
  std::uint32_t first_to_examine() const;
  std::size_t group_of(const Port& port) const;
  void on_let_go(std::uint32_t number) override;

  Pool& pool_;
  const RetentionPolicy& policy_;
  Options options_;
  Shares shares_;
  std::vector<Group> groups_;
  std::vector<std::size_t> group_of_;
  std::vector<Holder> holders_;
  std::vector<std::uint32_t> touched_;  ///< blocks that somebody let go of
  /// Of older blocks none can be changed over unless somebody lets go of it: a look at all that
  /// wait for every block that comes would take longer than what comes.
  std::uint32_t unexamined_ = 1;
  double wanted_copies_ = 0;

  std::vector<Inlet> inlets_;
  std::vector<std::size_t> pending_;  ///< inlets with a block, in the order in which it came
  std::vector<bool> behind_;          ///< ports whose turn is with an earlier block
  std::uint32_t number_ = 0;          ///< of the block that came last
  std::optional<Acknowledgements> acknowledgements_;
  std::uint64_t copied_bytes_ = 0;
  std::deque<Port> ports_;
};

}  // namespace sluice
