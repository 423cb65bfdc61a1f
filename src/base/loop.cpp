#include "base/loop.h"

#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "base/check.h"

namespace sluice {
namespace {

constexpr std::uint64_t kLongestWait = 3'600'000'000'000;
constexpr std::uint64_t kPollEveryNs = 200'000;

}  // namespace

std::uint64_t SteadyClock::now_ns() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(time.tv_nsec);
}

void Loop::set(Timer& timer, std::uint64_t due_ns) {
  if (timer.due_ns_ == Poller::kForever) timers_.push_back(&timer);
  timer.due_ns_ = due_ns;
}

void Loop::clear(Timer& timer) {
  if (timer.due_ns_ == Poller::kForever) return;
  timer.due_ns_ = Poller::kForever;
  std::erase(timers_, &timer);
}

void Loop::watch(int descriptor, Readiness readiness, ReadyHandler& handler) {
  poller_.watch(descriptor, readiness, handler);
  ++watched_;
}

void Loop::forget(int descriptor) {
  poller_.forget(descriptor);
  --watched_;
}

std::uint64_t Loop::next_due_ns() const {
  std::uint64_t due_ns = Poller::kForever;
  for (const Timer* timer : timers_) due_ns = std::min(due_ns, timer->due_ns_);
  return due_ns;
}

void Loop::fire_due() {
  if (timers_.empty()) return;
  const std::uint64_t now = now_ns();
  while (true) {
    const auto due = std::find_if(timers_.begin(), timers_.end(),
                                  [now](const Timer* timer) { return timer->due_ns_ <= now; });
    if (due == timers_.end()) return;
    Timer& timer = **due;
    clear(timer);
    timer.on_time();
  }
}

void Loop::turn(bool may_wait) {
  if (may_wait) {
    const std::uint64_t due = next_due_ns();
    const std::uint64_t now = now_ns();
    poller_.wait(due == Poller::kForever ? due : due > now ? due - now : 0);
    polled_ns_ = now_ns();
  } else if (watched_ > 0) {
    // Asking costs a system call; work that comes in small steps need not ask before each. What is
    // ready may itself be much work: the rest gets as much time as that took last.
    const std::uint64_t before = now_ns();
    if (before - polled_ns_ < std::max(kPollEveryNs, poll_took_ns_)) return fire_due();
    poller_.wait(0);
    polled_ns_ = now_ns();
    poll_took_ns_ = polled_ns_ - before;
  }
  fire_due();
}

Result<EpollPoller> EpollPoller::make() {
  const int descriptor = epoll_create1(EPOLL_CLOEXEC);
  if (descriptor < 0) return Error{.code = ErrorCode::input_open, .system_errno = errno};
  return EpollPoller(descriptor);
}

EpollPoller::EpollPoller(EpollPoller&& other) noexcept
    : epoll_(std::exchange(other.epoll_, -1)), watches_(std::move(other.watches_)) {}

EpollPoller::~EpollPoller() {
  if (epoll_ >= 0) close(epoll_);
}

void EpollPoller::watch(int descriptor, Readiness readiness, ReadyHandler& handler) {
  const auto number = static_cast<std::size_t>(descriptor);
  if (number >= watches_.size()) watches_.resize(number + 1);
  Watch& watch = watches_[number];
  watch.handler = &handler;
  ++watch.generation;
  epoll_event event{};
  event.events = readiness == Readiness::readable ? EPOLLIN : EPOLLOUT;
  event.data.u64 = std::uint64_t{watch.generation} << 32 | number;
  SLUICE_CHECK(epoll_ctl(epoll_, EPOLL_CTL_ADD, descriptor, &event) == 0);
}

void EpollPoller::forget(int descriptor) {
  SLUICE_CHECK(epoll_ctl(epoll_, EPOLL_CTL_DEL, descriptor, nullptr) == 0);
  watches_[static_cast<std::size_t>(descriptor)].handler = nullptr;
}

void EpollPoller::wait(std::uint64_t timeout_ns) {
  std::array<epoll_event, 128> events;
  const std::uint64_t capped = std::min(timeout_ns, kLongestWait);
  const timespec timeout{.tv_sec = static_cast<time_t>(capped / 1'000'000'000),
                         .tv_nsec = static_cast<long>(capped % 1'000'000'000)};
  int count = epoll_pwait2(epoll_, events.data(), static_cast<int>(events.size()),
                           timeout_ns == kForever ? nullptr : &timeout, nullptr);
  if (count < 0 && (errno == ENOSYS || errno == EPERM)) {
    // Kernels before 5.11, and some containers, count in milliseconds. Rounded up: waking before a
    // timer is due would turn the rest of the wait into a spin.
    const int ms = timeout_ns == kForever ? -1 : static_cast<int>((capped + 999'999) / 1'000'000);
    count = epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), ms);
  }
  SLUICE_CHECK(count >= 0 || errno == EINTR);
  for (int i = 0; i < count; ++i) {
    // A handler may have forgotten a later descriptor of the same round, or watched another that
    // got its number.
    const std::uint64_t which = events[static_cast<std::size_t>(i)].data.u64;
    const Watch watch = watches_[which & 0xFFFFFFFF];
    if (watch.handler != nullptr && watch.generation == which >> 32) watch.handler->on_ready();
  }
}

void ManualPoller::set_ready(int descriptor, std::uint64_t at_ns) {
  const auto known = std::ranges::find(ready_, descriptor, &std::pair<int, std::uint64_t>::first);
  if (known == ready_.end()) {
    ready_.emplace_back(descriptor, at_ns);
  } else {
    known->second = at_ns;
  }
}

std::uint64_t ManualPoller::ready_ns(int descriptor) const {
  const auto known = std::ranges::find(ready_, descriptor, &std::pair<int, std::uint64_t>::first);
  return known == ready_.end() ? kForever : known->second;
}

void ManualPoller::watch(int descriptor, Readiness, ReadyHandler& handler) {
  SLUICE_CHECK(std::ranges::find(watches_, descriptor, &Watch::descriptor) == watches_.end());
  watches_.push_back({descriptor, &handler});
}

void ManualPoller::forget(int descriptor) {
  SLUICE_CHECK(std::erase_if(watches_, [=](const Watch& watch) {
                 return watch.descriptor == descriptor;
               }) == 1);
}

void ManualPoller::wait(std::uint64_t timeout_ns) {
  const std::uint64_t now = clock_.now_ns();
  std::uint64_t until = timeout_ns == kForever ? kForever : now + timeout_ns;
  for (const Watch& watch : watches_) {
    until = std::min(until, std::max(now, ready_ns(watch.descriptor)));
  }
  SLUICE_CHECK(until != kForever);
  clock_.advance(until - now);
  const std::vector<Watch> watched = watches_;
  for (const Watch& watch : watched) {
    const bool still =
        std::ranges::find(watches_, watch.descriptor, &Watch::descriptor) != watches_.end();
    if (still && ready_ns(watch.descriptor) <= until) watch.handler->on_ready();
  }
}

}  // namespace sluice
