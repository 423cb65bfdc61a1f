#include "load/worker.h"

#include <sys/epoll.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/check.h"
#include "base/clock.h"

namespace sluice::load {
namespace {

constexpr std::size_t kScratchBytes = 256 * 1024;
constexpr std::uint64_t kLookEveryNs = 100'000'000;
constexpr std::uint64_t kRetryNs = 10'000'000;

std::uint64_t read_clock(clockid_t which) {
  timespec time;
  clock_gettime(which, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(time.tv_nsec);
}

std::uint64_t now() { return read_clock(CLOCK_MONOTONIC); }

}  // namespace

Worker::Worker(const Options& options, const Share& share)
    : options_(options), share_(share), scratch_(kScratchBytes) {
  for (std::size_t i = 0; i < share.connections; ++i) {
    slots_.push_back({.connection = std::make_unique<Connection>(options, stats_)});
  }
}

Result<void> Worker::run(std::uint64_t start_ns) {
  epoll_ = Descriptor(epoll_create1(EPOLL_CLOEXEC));
  if (!epoll_.is_open()) return Error{.code = ErrorCode::input_open, .system_errno = errno};
  const std::uint64_t cpu_before = read_clock(CLOCK_THREAD_CPUTIME_ID);
  if (options_.rate > 0) schedule_.emplace(start_ns, options_.rate, share_.number, share_.of);
  end_ns_ = start_ns + options_.duration_ns;
  now_ns_ = now();
  looked_ns_ = now_ns_;
  while (sending() || in_flight() > 0) {
    fill_all();
    wait();
    if (now_ns_ - looked_ns_ >= kLookEveryNs) end_overdue();
  }
  count_unsent();
  stats_.elapsed_ns = now_ns_ - start_ns;
  stats_.cpu_ns = read_clock(CLOCK_THREAD_CPUTIME_ID) - cpu_before;
  return {};
}

bool Worker::sending() const {
  if (share_.stop->load(std::memory_order_relaxed)) return false;
  return now_ns_ < end_ns_ && (share_.requests == 0 || begun_ < share_.requests);
}

std::size_t Worker::in_flight() const {
  std::size_t all = 0;
  for (const Slot& slot : slots_) all += slot.connection->in_flight();
  return all;
}

bool Worker::open(Slot& slot) {
  if (slot.connection->is_open()) return true;
  if (now_ns_ < slot.opens_ns) return false;
  slot.known = false;
  slot.opens_ns = now_ns_ + kRetryNs;
  return slot.connection->open();
}

/// Gives the connection what may go now, and sends it.
void Worker::fill(std::size_t index) {
  Slot& slot = slots_[index];
  Connection& connection = *slot.connection;
  const auto may_begin = [&] { return sending() && is_due(); };
  if (may_begin() && connection.has_room() && open(slot)) {
    while (connection.has_room() && may_begin()) {
      connection.enqueue(schedule_ ? schedule_->next_ns() : now_ns_, now_ns_);
      if (schedule_) schedule_->advance();
      ++begun_;
    }
    connection.send();
  }
  watch(index);
}

/// In turn, so that none has to carry all that is due.
void Worker::fill_all() {
  for (std::size_t i = 0; i < slots_.size() && sending() && is_due(); ++i) {
    const std::size_t index = (next_slot_ + i) % slots_.size();
    if (!slots_[index].connection->is_open() || schedule_) fill(index);
  }
  next_slot_ = (next_slot_ + 1) % slots_.size();
}

void Worker::watch(std::size_t index) {
  Slot& slot = slots_[index];
  if (!slot.connection->is_open()) {
    slot.known = false;
    return;
  }
  const bool writing = slot.connection->wants_to_write();
  if (slot.known && writing == slot.watches_writing) return;
  epoll_event event{};
  event.events = writing ? EPOLLIN | EPOLLOUT : EPOLLIN;
  event.data.u64 = index;
  const int how = slot.known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
  SLUICE_CHECK(epoll_ctl(epoll_.get(), how, slot.connection->descriptor(), &event) == 0);
  slot.known = true;
  slot.watches_writing = writing;
}

/// Sleeps until something is due or ready, and serves what is ready.
void Worker::wait() {
  std::uint64_t until = looked_ns_ + kLookEveryNs;
  if (sending()) until = std::min(until, end_ns_);
  if (sending() && schedule_ && schedule_->next_ns() > now_ns_) {
    until = std::min(until, schedule_->next_ns());
  }
  for (const Slot& slot : slots_) {
    if (sending() && !slot.connection->is_open()) until = std::min(until, slot.opens_ns);
  }
  const std::uint64_t left = until - std::min(until, now_ns_);
  const timespec timeout{.tv_sec = static_cast<time_t>(left / 1'000'000'000),
                         .tv_nsec = static_cast<long>(left % 1'000'000'000)};
  std::array<epoll_event, 256> events;
  const int count =
      epoll_pwait2(epoll_.get(), events.data(), static_cast<int>(events.size()), &timeout, nullptr);
  SLUICE_CHECK(count >= 0 || errno == EINTR);
  now_ns_ = now();
  for (int i = 0; i < count; ++i) {
    const auto index = static_cast<std::size_t>(events[static_cast<std::size_t>(i)].data.u64);
    Connection& connection = *slots_[index].connection;
    if (!connection.is_open()) continue;
    if (connection.wants_to_write()) connection.send();
    now_ns_ = now();
    if (connection.is_open()) connection.receive(scratch_, now_ns_);
    const bool ended_well = !connection.is_open() && !options_.keep_alive;
    if (ended_well) slots_[index].opens_ns = now_ns_;
    fill(index);
  }
}

void Worker::end_overdue() {
  looked_ns_ = now_ns_;
  for (Slot& slot : slots_) {
    Connection& connection = *slot.connection;
    if (connection.in_flight() == 0) continue;
    if (now_ns_ - std::min(now_ns_, connection.oldest_sent_ns()) >= options_.timeout_ns) {
      connection.fail(Failure::timeout);
      slot.known = false;
    }
  }
}

void Worker::count_unsent() {
  if (!schedule_ || share_.requests > 0) return;
  for (; schedule_->next_ns() < end_ns_; schedule_->advance()) ++stats_.unsent;
}

}  // namespace sluice::load
