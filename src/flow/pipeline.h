#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "base/loop.h"
#include "flow/admission.h"
#include "flow/fan_out.h"
#include "flow/sink.h"
#include "flow/source.h"

namespace sluice {

/// Is told what a person would want to know while a pipeline runs.
class PipelineObserver {
 public:
  virtual ~PipelineObserver() = default;
  /// `port`'s sink has kept its source, or the end, waiting for more than a second.
  virtual void on_waiting(const Port& port) = 0;
  /// Something went on; called once a block at most.
  virtual void on_progress() = 0;
};

/// A source, and the inlet of the fan-out at which its blocks come in.
struct Feed {
  Source& source;
  std::size_t inlet = 0;
};

/// Sources, their fan-out and the sinks on one loop, from the first record to the last
/// acknowledgement. Reads where every sink of a source has room, each source in turn; sleeps when
/// nothing can get on.
class Pipeline final {
 public:
  struct Options {
    std::uint64_t drain_ns = 30'000'000'000;
  };

  /// Sink i takes from the fan-out's port i; each inlet has one feed. Everything outlives the
  /// pipeline.
  Pipeline(Loop& loop, const std::vector<Feed>& feeds, FanOut& fan_out,
           std::vector<std::unique_ptr<Sink>>& sinks, PipelineObserver& observer,
           const Options& options);
  ~Pipeline();
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  /// Runs to the end.
  void run();
  /// Reads no further and drains for at most `drain_ns`; called again, ends the drain at once.
  /// Call it from the loop.
  void interrupt();
  bool interrupted() const { return interrupted_; }
  std::uint64_t ended_ns() const { return ended_ns_; }
  /// How long a sink kept a source waiting, the one that waited longest; and which one did last.
  std::uint64_t waited_ns() const;
  const Port* waited_for() const { return waited_for_; }

 private:
  struct Alarm final : Timer {
    void on_time() override {
      rung = true;
      set = false;
    }
    bool rung = false;
    bool set = false;  ///< kept for `idle_` only
  };

  /// A feed and how it gets on.
  struct Lane final : private ReadyHandler {
    Lane(const Feed& feed, Loop& from) : source(feed.source), inlet(feed.inlet), loop(from) {}
    ~Lane() override { forget(); }
    void watch();
    void forget();
    void on_ready() override { forget(); }

    Source& source;
    std::size_t inlet;
    Loop& loop;
    Source::Step last_step = Source::Step::again;
    std::uint64_t wanted_bytes = 0;  ///< of the block the source waits to take
    int watched = -1;                ///< the source's descriptor while we wait for it
    std::uint64_t brought_ns = 0;    ///< when it brought something last
    std::uint64_t waiting_since_ns = 0;
    std::uint64_t waited_ns = 0;
  };

  bool turn();
  bool read();
  bool read(Lane& lane);
  Source::Step step(Lane& lane, bool leaves_reserve, BlockRef& block);
  bool is_blocked(const Lane& lane) const;
  bool pump();
  bool flush_held_back();
  bool flush_neglected();
  void sleep();
  bool end_when_delivered();
  void set_due_timer();
  void note_waiting();
  bool note_waiting(Lane& lane, std::uint64_t now_ns);
  const Port* slowest(const Lane& lane) const;
  void give_up();

  Loop& loop_;
  std::deque<Lane> lanes_;
  std::size_t first_lane_ = 0;  ///< whose turn it is to be read from first
  FanOut& fan_out_;
  Admission admission_;
  std::vector<std::unique_ptr<Sink>>& sinks_;
  PipelineObserver& observer_;
  Options options_;

  std::uint64_t turn_ns_ = 0;    ///< when the last turn began
  std::uint64_t looked_ns_ = 0;  ///< for what was neglected
  bool ending_ = false;
  bool interrupted_ = false;
  Alarm drain_over_;
  Alarm idle_;    ///< nothing has come for a while: write what is held back
  Alarm due_;     ///< a delayed record may go
  Alarm remind_;  ///< time to say whom we wait for
  std::uint64_t told_ns_ = 0;
  const Port* waited_for_ = nullptr;
  std::uint64_t ended_ns_ = 0;
};

}  // namespace sluice
