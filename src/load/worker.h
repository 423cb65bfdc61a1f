#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "load/connection.h"
#include "load/options.h"
#include "load/schedule.h"
#include "load/stats.h"

namespace sluice::load {

/// The share of one thread in a run: its connections, and its part of the schedule.
class Worker {
 public:
  struct Share {
    std::size_t number = 0;  ///< which of `of` workers this is
    std::size_t of = 1;
    std::size_t connections = 1;
    std::uint64_t requests = 0;               ///< 0: until the time is over
    const std::atomic<bool>* stop = nullptr;  ///< becomes true when the run is to end early
  };
  /// `options` outlives it.
  Worker(const Options& options, const Share& share);

  /// From `start_ns` to the last answer. Errors: input_open, when the system has no descriptors.
  Result<void> run(std::uint64_t start_ns);
  const Stats& stats() const { return stats_; }

 private:
  struct Slot {
    std::unique_ptr<Connection> connection;
    std::uint64_t opens_ns = 0;  ///< not before: a peer that refuses is not asked in a circle
    bool watches_writing = false;
    bool known = false;  ///< to epoll, with the present socket
  };

  bool sending() const;
  bool is_due() const { return !schedule_ || schedule_->next_ns() <= now_ns_; }
  bool open(Slot& slot);
  void fill(std::size_t index);
  void fill_all();
  void watch(std::size_t index);
  void wait();
  void end_overdue();
  void count_unsent();
  std::size_t in_flight() const;

  const Options& options_;
  Share share_;
  Stats stats_;
  std::vector<Slot> slots_;
  std::size_t next_slot_ = 0;  ///< who gets the next request that is due
  std::optional<Schedule> schedule_;
  std::vector<char> scratch_;
  Descriptor epoll_;
  std::uint64_t end_ns_ = 0;
  std::uint64_t now_ns_ = 0;
  std::uint64_t looked_ns_ = 0;  ///< when overdue requests were last looked for
  std::uint64_t begun_ = 0;      ///< requests that were enqueued
};

}  // namespace sluice::load
