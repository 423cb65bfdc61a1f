#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "flow/latency.h"
#include "memory/pool.h"
#include "memory/shares.h"
#include "record/record.h"

namespace sluice {

enum class WhenFull { block, drop_newest, drop_oldest };

struct PortOptions {
  std::string name{};
  Projection projection{};
  std::uint64_t queue_records = 0;  ///< most records not yet acknowledged; 0: no such bound
  std::uint64_t queue_bytes = 0;    ///< most bytes kept alive; 0: the share of the budget decides
  WhenFull when_full = WhenFull::block;
  /// Whether the share of the budget bounds it. It need not where a sink blocks and there is one
  /// source: then everybody waits for the slowest anyway, and bounds would only make it earlier.
  bool bound_by_share = true;
  std::uint64_t delay_ns = 0;  ///< a record leaves this long after it entered
  /// What a sink that may drop leaves free, so that the source can still read any record: such a
  /// sink may be dead, and never give back what it holds.
  std::uint64_t keep_free_bytes = 0;
};

struct PortStats {
  std::uint64_t records = 0;  ///< acknowledged
  std::uint64_t dropped = 0;
  std::uint64_t lost = 0;  ///< came when the sink had failed
  std::uint64_t queue_max = 0;
  LatencyHistogram latency;  ///< from complete receipt to acknowledgement
};

/// A block on its way to a sink: itself, or a copy of what the sink selected of it.
struct Arrival {
  BlockRef block;
  std::uint32_t number = 0;       ///< of the block, in the order in which they came; wraps around
  std::uint64_t received_ns = 0;  ///< when the block's last byte was there
  std::uint32_t inlet = 0;        ///< of the fan-out; below kMostInlets
};
/// So that the entry of a queue stays small.
inline constexpr std::uint32_t kMostInlets = 64;

/// A run of records that a sink has taken and not yet acknowledged. Of a copy, the fields are the
/// projection's.
struct Taken {
  const Block& block;
  std::uint32_t first;
  std::uint32_t count;
};

/// Is told when a port has let go of a block for good.
class LettingGo {
 public:
  virtual ~LettingGo() = default;
  virtual void on_let_go(std::uint32_t number) = 0;
};

/// Is told what a sink has acknowledged, by the inlet from which it came, and that it failed.
class PortListener {
 public:
  virtual ~PortListener() = default;
  virtual void on_acknowledged(std::size_t port, std::size_t inlet, std::uint64_t records) = 0;
  virtual void on_failed(std::size_t port) = 0;
};

/// What stands between the fan-out and one sink: the queue of (block, first, count), its bounds
/// and its counts. The oldest entries are in flight: taken by the sink, not yet acknowledged; the
/// others wait and can still be pointed at another block or dropped. One thread.
class Port {
 public:
  /// `shares`, `pool` and `letting_go` outlive the port; `index` is the sink's in `shares`.
  Port(PortOptions options, std::size_t index, Shares& shares, Pool& pool,
       LettingGo* letting_go = nullptr);
  ~Port();
  Port(const Port&) = delete;
  Port& operator=(const Port&) = delete;

  // For the fan-out.
  /// From now on; outlives the port. Cost: a call for each run of records acknowledged at once.
  void tell(PortListener& listener) { listener_ = &listener; }
  /// Whether a block that keeps `bytes` alive may come, at least one record of it.
  bool has_room(std::uint64_t bytes) const;
  /// Whether it is the number of records that leaves no room, not memory.
  bool queue_is_full() const { return free_records() == 0; }
  /// Enters as many of the records as there is room for, or drops some by `when_full`; says how
  /// many are settled. Fewer than `count` only where `when_full` is to block.
  std::uint32_t enter(const Arrival& arrival, std::uint32_t first, std::uint32_t count,
                      std::uint64_t now_ns);
  /// Points the waiting entries of block `number` to `copy`, which holds the same records; what was
  /// taken stays where it is.
  void repoint(std::uint32_t number, const BlockRef& copy);
  /// What of the block `number`, not of a copy, waits to be taken; null when nothing does.
  struct Waiting {
    const Block* block = nullptr;
    std::uint64_t entered_ns = 0;
  };
  Waiting waiting_of(std::uint32_t number) const;
  /// Whether the sink is in the middle of taking the block `number`.
  bool is_taking(std::uint32_t number) const;
  /// The number of the block that has waited longest; nothing when none waits.
  std::optional<std::uint32_t> oldest_waiting() const;
  /// How much longer an entry will stay that entered at `entered_ns`: judged by how long others
  /// stayed, and by the age of the oldest.
  std::uint64_t remaining_ns(std::uint64_t entered_ns, std::uint64_t now_ns) const;

  // For the sink.
  /// The next records that may go, all of one block. Stays valid until they are acknowledged or
  /// `forget_block` is called.
  std::optional<Taken> take(std::uint64_t now_ns);
  /// What `take` would give, whenever it may go, without taking it.
  struct Next {
    std::uint32_t count = 0;
    std::uint64_t entered_ns = 0;
  };
  std::optional<Next> next() const;
  /// The records taken last have been copied: their block is no longer needed, only their count.
  void forget_block();
  /// The oldest `records` in flight are done.
  void acknowledge(std::uint64_t records, std::uint64_t now_ns);
  /// The sink has ended: what waits or is in flight stays undelivered, as does all that comes.
  void fail(const Error& error);

  /// When the next waiting record may go; nothing when none waits.
  std::optional<std::uint64_t> next_due_ns() const;
  bool has_waiting() const { return outstanding_ > in_flight_; }
  std::uint64_t outstanding() const { return outstanding_; }
  std::uint64_t pending() const { return outstanding_ + stats_.lost; }
  bool failed() const { return error_.code != ErrorCode::none; }
  const Error& error() const { return error_; }
  const PortOptions& options() const { return options_; }
  const PortStats& stats() const { return stats_; }
  std::uint64_t held_bytes() const { return shares_.held(index_); }
  std::uint64_t held_bytes_bound() const;

 private:
  struct Entry {
    BlockRef block;
    std::uint32_t first = 0;
    std::uint32_t count : 26 = 0;  ///< not yet acknowledged
    std::uint32_t inlet : 6 = 0;
    std::uint32_t number = 0;
    std::uint32_t charge = 0;  ///< 0 when a later entry of the same block carries it
    std::uint64_t entered_ns = 0;
    std::uint64_t received_ns = 0;
  };

  /// Supposed of a sink that has not let go of anything yet.
  static constexpr std::uint64_t kUnknownHoldNs = 5'000'000;

  static constexpr std::uint64_t kPartsOfQueue = 16;

  std::uint64_t free_records() const;
  bool is_small_part(std::uint32_t fitting, std::uint32_t count) const;
  bool share_has_room(std::uint64_t bytes) const;
  bool has_room_for_bytes(const Block& block) const;
  bool make_slot();
  void append(const Arrival& arrival, std::uint32_t first, std::uint32_t count,
              std::uint64_t now_ns);
  /// Drops the oldest waiting entry, or `records` of it; false when nothing waits.
  bool drop_oldest_waiting(std::uint64_t records);
  /// True when the port holds the entry's block no longer.
  bool let_go(std::size_t position);
  void let_go_for_good(std::size_t position);
  /// The first entry whose block's number is not before `number`.
  std::size_t find(std::uint32_t number) const;
  Entry& at(std::size_t position) { return ring_[(head_ + position) & (ring_.size() - 1)]; }
  const Entry& at(std::size_t position) const {
    return ring_[(head_ + position) & (ring_.size() - 1)];
  }
  void pop_front();
  void note_hold(std::uint64_t hold_ns);

  PortOptions options_;
  std::size_t index_;
  Shares& shares_;
  Pool& pool_;
  LettingGo* letting_go_;
  PortListener* listener_ = nullptr;
  std::vector<Entry> ring_;
  std::size_t head_ = 0;
  std::size_t size_ = 0;
  std::size_t waiting_ = 0;  ///< position of the first entry that is not taken
  std::uint64_t outstanding_ = 0;
  std::uint64_t in_flight_ = 0;
  std::uint64_t hold_ns_ = kUnknownHoldNs;  ///< moving average of how long entries stay
  bool has_hold_ = false;
  PortStats stats_;
  Error error_;
};

}  // namespace sluice
