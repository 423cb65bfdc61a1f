#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/loop.h"
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

/// One source, its fan-out and its sinks on one loop, from the first record to the last
/// acknowledgement. Reads when every sink has room, sleeps when nothing can get on.
class Pipeline final : private ReadyHandler {
 public:
  struct Options {
    std::uint64_t drain_ns = 30'000'000'000;
  };

  /// Sink i takes from the fan-out's port i. Everything outlives the pipeline.
  Pipeline(Loop& loop, Source& source, FanOut& fan_out, std::vector<std::unique_ptr<Sink>>& sinks,
           PipelineObserver& observer, const Options& options);
  ~Pipeline() override;

  /// Runs to the end.
  void run();
  /// Reads no further and drains for at most `drain_ns`; called again, ends the drain at once.
  /// Call it from the loop.
  void interrupt();
  bool interrupted() const { return interrupted_; }
  std::uint64_t ended_ns() const { return ended_ns_; }
  /// How long the source was kept waiting for a sink, and for which one last.
  std::uint64_t waited_ns() const { return waited_ns_; }
  const Port* waited_for() const { return waited_for_; }

 private:
  struct Alarm final : Timer {
    void on_time() override { rung = true; }
    bool rung = false;
  };

  bool turn();
  bool read();
  bool has_room(std::uint64_t bytes, bool leaves_reserve);
  bool pump();
  bool flush_held_back();
  void sleep();
  bool end_when_delivered();
  void set_due_timer();
  void note_waiting();
  const Port* slowest() const;
  void give_up();
  void on_ready() override;

  Loop& loop_;
  Source& source_;
  FanOut& fan_out_;
  std::vector<std::unique_ptr<Sink>>& sinks_;
  PipelineObserver& observer_;
  Options options_;

  std::uint64_t turn_ns_ = 0;  ///< when the last turn began
  Source::Step last_step_ = Source::Step::again;
  std::uint64_t wanted_bytes_ = 0;  ///< of the block the source waits to take
  int watched_ = -1;                ///< the source's descriptor while we wait for it
  bool ending_ = false;
  bool interrupted_ = false;
  Alarm drain_over_;
  Alarm idle_;    ///< nothing has come for a while: write what is held back
  Alarm due_;     ///< a delayed record may go
  Alarm remind_;  ///< time to say whom we wait for
  std::uint64_t waiting_since_ns_ = 0;
  std::uint64_t told_ns_ = 0;
  std::uint64_t waited_ns_ = 0;
  const Port* waited_for_ = nullptr;
  std::uint64_t ended_ns_ = 0;
};

}  // namespace sluice
