#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "base/result.h"
#include "json/line_scanner.h"

namespace sluice {

/// A piece of work for a crew.
class CrewTask {
 public:
  virtual ~CrewTask() = default;
  /// What can be done only in the order of the tasks, such as reading the next part of a file.
  virtual void begin() = 0;
  /// What can be done while others are at work.
  virtual void finish(json::LineScanner& scanner) = 0;

 private:
  friend class ScanCrew;
  std::atomic<int> done_{0};
};

/// Threads that work for one that hands out what they made, its owner. The owner submits tasks and
/// asks for them in the same order; what nobody has begun by then it does itself, and while
/// somebody is at it, the next one. So no work waits for a thread to wake.
///
/// Waking a thread that sleeps costs as much as checking a block, so it is done for several tasks.
class ScanCrew {
 public:
  /// Tasks that are submitted and not asked for.
  static constexpr std::size_t kMostTasks = 64;

  /// One more thread for each of `streams` (as for json::LineScanner; all outlive the crew) but the
  /// first, which is for what the owner does. Signals that the caller has blocked stay blocked in
  /// them. Errors: input_open with the errno, when the system has no thread left.
  static Result<std::unique_ptr<ScanCrew>> make(const json::Selection& selection,
                                                const json::ScanOptions& options,
                                                std::span<const std::span<std::byte>> streams);
  ~ScanCrew();

  /// The task stays until it was asked for, or forgotten. Requires: fewer than kMostTasks
  /// submitted.
  void submit(CrewTask& task);
  /// Returns when the oldest task is done; it is the owner's again.
  void await_oldest();
  /// Gives up all that were submitted; when this returns nobody is at any of them.
  void forget_all();

 private:
  ScanCrew(const json::Selection& selection, const json::ScanOptions& options,
           std::span<std::byte> streams)
      : selection_(selection), options_(options), own_(selection, options, streams) {}
  void work(std::span<std::byte> streams);
  bool do_next(json::LineScanner& scanner);
  CrewTask* begin_next();
  void lock_order();
  static void wait_for(const CrewTask& task);
  CrewTask*& at(std::uint32_t number) { return tasks_[number % kMostTasks]; }

  const json::Selection& selection_;
  json::ScanOptions options_;
  json::LineScanner own_;  ///< the owner's
  std::array<CrewTask*, kMostTasks> tasks_{};
  std::uint32_t oldest_ = 0;  ///< not asked for; the owner's
  std::atomic<std::uint32_t> submitted_{0};
  std::mutex order_;                     ///< of the beginnings
  std::atomic<std::uint32_t> begun_{0};  ///< oldest first; changed under `order_`
  std::atomic<int> calls_{0};            ///< moves when sleepers are to look again
  std::atomic<bool> ended_{false};
  std::vector<std::thread> threads_;
};

}  // namespace sluice
