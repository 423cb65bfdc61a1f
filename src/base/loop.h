#pragma once

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace sluice {

enum class Readiness { readable, writable };

/// Called by the loop when its descriptor is ready. The callee forgets the descriptor when it has
/// had enough: a watch stands until then.
class ReadyHandler {
 public:
  virtual ~ReadyHandler() = default;
  virtual void on_ready() = 0;
};

/// Sleeps until a descriptor is ready or time has passed.
class Poller {
 public:
  static constexpr std::uint64_t kForever = std::numeric_limits<std::uint64_t>::max();

  virtual ~Poller() = default;
  /// At most one handler a descriptor; not for regular files, which are always ready.
  virtual void watch(int descriptor, Readiness readiness, ReadyHandler& handler) = 0;
  virtual void forget(int descriptor) = 0;
  /// Calls the handlers of what is ready; waits at most `timeout_ns` for something to be.
  virtual void wait(std::uint64_t timeout_ns) = 0;
};

/// A moment at which something is to be done. Not owned by the loop; must outlive its being set.
class Timer {
 public:
  virtual ~Timer() = default;
  virtual void on_time() = 0;

 private:
  friend class Loop;
  std::uint64_t due_ns_ = Poller::kForever;
};

/// One thread's events: timers and descriptors. Takes clock and poller from outside, so that the
/// same code runs in real and in virtual time.
class Loop {
 public:
  Loop(Clock& clock, Poller& poller) : clock_(clock), poller_(poller) {}

  std::uint64_t now_ns() { return clock_.now_ns(); }
  /// Sets or moves a timer; it fires once. Cost: linear in the timers that are set (few).
  void set(Timer& timer, std::uint64_t due_ns);
  void clear(Timer& timer);
  void watch(int descriptor, Readiness readiness, ReadyHandler& handler);
  void forget(int descriptor);
  /// Runs what is due or ready now; with `may_wait`, sleeps until something is. Without it,
  /// descriptors are looked at every 0.2 ms at most, and no more than half of the time.
  void turn(bool may_wait);

 private:
  void fire_due();
  std::uint64_t next_due_ns() const;

  Clock& clock_;
  Poller& poller_;
  std::vector<Timer*> timers_;
  std::size_t watched_ = 0;
  std::uint64_t polled_ns_ = 0;
  std::uint64_t poll_took_ns_ = 0;
};

/// epoll. Needs a few words for each descriptor number up to the highest that was watched, and no
/// memory that grows with the input.
class EpollPoller final : public Poller {
 public:
  static Result<EpollPoller> make();
  EpollPoller(EpollPoller&& other) noexcept;
  ~EpollPoller() override;

  void watch(int descriptor, Readiness readiness, ReadyHandler& handler) override;
  void forget(int descriptor) override;
  void wait(std::uint64_t timeout_ns) override;

 private:
  explicit EpollPoller(int descriptor) : epoll_(descriptor) {}
  struct Watch {
    ReadyHandler* handler = nullptr;
    std::uint32_t generation = 0;  ///< tells an event of an earlier watch with the same number
  };
  int epoll_ = -1;
  std::vector<Watch> watches_;  ///< by descriptor
};

/// Virtual time: descriptors are numbers that become ready when a simulation says so, and waiting
/// moves the clock to the next event at once. Waiting for ever is a deadlock of the program under
/// test and fails a check.
class ManualPoller final : public Poller {
 public:
  explicit ManualPoller(ManualClock& clock) : clock_(clock) {}
  /// From `at_ns` on `descriptor` is ready; kForever: not any more.
  void set_ready(int descriptor, std::uint64_t at_ns);
  void watch(int descriptor, Readiness readiness, ReadyHandler& handler) override;
  void forget(int descriptor) override;
  void wait(std::uint64_t timeout_ns) override;

 private:
  struct Watch {
    int descriptor;
    ReadyHandler* handler;
  };
  std::uint64_t ready_ns(int descriptor) const;

  ManualClock& clock_;
  std::vector<Watch> watches_;
  std::vector<std::pair<int, std::uint64_t>> ready_;
};

}  // namespace sluice
