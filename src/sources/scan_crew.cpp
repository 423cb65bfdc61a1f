#include "sources/scan_crew.h"

#include <system_error>

#include "base/check.h"

namespace sluice {
namespace {

/// Tasks that nobody has begun, worth waking a thread for.
constexpr std::uint32_t kWorthAWake = 4;
/// Looks at what another thread is about to finish before one sleeps: about as long as a task
/// takes.
constexpr int kLooks = 2'000;

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

Result<std::unique_ptr<ScanCrew>> ScanCrew::make(const json::Selection& selection,
                                                 const json::ScanOptions& options,
                                                 std::span<const std::span<std::byte>> streams) {
  SLUICE_CHECK(!streams.empty());
  std::unique_ptr<ScanCrew> crew(new ScanCrew(selection, options, streams.front()));
  try {
    for (const std::span<std::byte> own : streams.subspan(1)) {
      crew->threads_.emplace_back([working = crew.get(), own] { working->work(own); });
    }
  } catch (const std::system_error& error) {
    return Error{.code = ErrorCode::input_open, .system_errno = error.code().value()};
  }
  return crew;
}

ScanCrew::~ScanCrew() {
  forget_all();
  ended_ = true;
  ++calls_;
  calls_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ScanCrew::work(std::span<std::byte> streams) {
  json::LineScanner scanner(selection_, options_, streams);
  while (true) {
    const int calls = calls_;
    if (ended_) return;
    if (!do_next(scanner)) calls_.wait(calls);
  }
}

/// The oldest task that nobody has begun; false when there is none.
bool ScanCrew::do_next(json::LineScanner& scanner) {
  CrewTask* const task = begin_next();
  if (task == nullptr) return false;
  task->finish(scanner);
  task->done_.store(1, std::memory_order_release);
  task->done_.notify_one();
  return true;
}

CrewTask* ScanCrew::begin_next() {
  if (begun_.load(std::memory_order_relaxed) == submitted_.load(std::memory_order_acquire)) {
    return nullptr;
  }
  lock_order();
  const std::lock_guard guard(order_, std::adopt_lock);
  const std::uint32_t number = begun_.load(std::memory_order_relaxed);
  if (number == submitted_.load(std::memory_order_acquire)) return nullptr;
  CrewTask* const task = at(number);
  begun_.store(number + 1, std::memory_order_release);
  task->begin();
  return task;
}

/// A beginning is short, and going to sleep is not.
void ScanCrew::lock_order() {
  for (int look = 0; look < kLooks; ++look) {
    if (order_.try_lock()) return;
    pause();
  }
  order_.lock();
}

void ScanCrew::submit(CrewTask& task) {
  const std::uint32_t number = submitted_.load(std::memory_order_relaxed);
  SLUICE_CHECK(number - oldest_ < kMostTasks);
  task.done_.store(0, std::memory_order_relaxed);
  at(number) = &task;
  submitted_.store(number + 1, std::memory_order_release);
  if (number + 1 - begun_.load(std::memory_order_relaxed) < kWorthAWake) return;
  ++calls_;
  calls_.notify_one();
}

void ScanCrew::await_oldest() {
  SLUICE_CHECK(oldest_ != submitted_.load(std::memory_order_relaxed));
  const CrewTask& task = *at(oldest_);
  while (task.done_.load(std::memory_order_acquire) == 0) {
    if (!do_next(own_)) wait_for(task);
  }
  ++oldest_;
}

void ScanCrew::wait_for(const CrewTask& task) {
  for (int look = 0; look < kLooks; ++look) {
    if (task.done_.load(std::memory_order_acquire) != 0) return;
    pause();
  }
  task.done_.wait(0, std::memory_order_acquire);
}

void ScanCrew::forget_all() {
  const std::uint32_t end = submitted_.load(std::memory_order_relaxed);
  std::uint32_t begun = 0;
  {
    const std::lock_guard guard(order_);
    begun = begun_.exchange(end);
  }
  // What somebody has begun he finishes.
  for (; oldest_ != begun; ++oldest_) wait_for(*at(oldest_));
  oldest_ = end;
}

}  // namespace sluice
