#include "flow/pipeline.h"

#include <algorithm>
#include <utility>

namespace sluice {
namespace {

constexpr std::uint64_t kIdleNs = 5'000'000;
constexpr std::uint64_t kTellAfterNs = 1'000'000'000;
constexpr std::uint64_t kTellEveryNs = 10'000'000'000;

}  // namespace

void Pipeline::Lane::watch() {
  watched = source.wait_descriptor();
  if (watched >= 0) loop.watch(watched, Readiness::readable, *this);
}

void Pipeline::Lane::forget() {
  if (watched >= 0) loop.forget(std::exchange(watched, -1));
}

Pipeline::Pipeline(Loop& loop, const std::vector<Feed>& feeds, FanOut& fan_out,
                   std::vector<std::unique_ptr<Sink>>& sinks, PipelineObserver& observer,
                   const Options& options)
    : loop_(loop),
      fan_out_(fan_out),
      admission_(fan_out, loop),
      sinks_(sinks),
      observer_(observer),
      options_(options) {
  for (const Feed& feed : feeds) lanes_.emplace_back(feed, loop);
}

Pipeline::~Pipeline() {
  for (Alarm* alarm : {&drain_over_, &idle_, &due_, &remind_}) loop_.clear(*alarm);
}

std::uint64_t Pipeline::waited_ns() const {
  std::uint64_t longest = 0;
  for (const Lane& lane : lanes_) longest = std::max(longest, lane.waited_ns);
  return longest;
}

void Pipeline::run() {
  while (true) {
    loop_.turn(false);
    if (std::exchange(drain_over_.rung, false)) give_up();
    if (turn()) {
      note_waiting();
      continue;
    }
    if (end_when_delivered()) break;
    note_waiting();
    sleep();
  }
  ended_ns_ = loop_.now_ns();
}

/// One round of everything that can be done now; true when something got on.
bool Pipeline::turn() {
  turn_ns_ = loop_.now_ns();
  bool moved = fan_out_.deliver(loop_.now_ns());
  // Before the next block is read, what is left of this one may become small copies.
  if (moved) pump();
  moved = read() || moved;
  moved = pump() || moved;
  if (moved) {
    if (std::exchange(idle_.set, false)) loop_.clear(idle_);
    return flush_neglected() || moved;
  }
  // A source waits for memory or a queue, or nothing new has come: nothing is gained by holding
  // records back.
  const bool blocked =
      std::ranges::any_of(lanes_, [this](const Lane& lane) { return is_blocked(lane); });
  if (blocked || std::exchange(idle_.rung, false)) moved = flush_held_back();
  return moved;
}

bool Pipeline::is_blocked(const Lane& lane) const {
  return lane.last_step == Source::Step::wait_room || !fan_out_.idle(lane.inlet);
}

/// A block from each source that can, beginning with another one each time.
bool Pipeline::read() {
  if (ending_) return false;
  bool moved = false;
  for (std::size_t count = 0; count < lanes_.size(); ++count) {
    moved = read(lanes_[(first_lane_ + count) % lanes_.size()]) || moved;
  }
  first_lane_ = (first_lane_ + 1) % lanes_.size();
  return moved;
}

bool Pipeline::read(Lane& lane) {
  if (lane.last_step == Source::Step::done || !fan_out_.idle(lane.inlet)) return false;
  if (fan_out_.all_failed(lane.inlet)) {
    lane.forget();
    lane.source.stop();
  }
  if (lane.watched >= 0) return false;
  BlockRef block;
  lane.last_step = step(lane, true, block);
  if (lane.last_step == Source::Step::wait_room) {
    if (fan_out_.relieve(lane.wanted_bytes, loop_.now_ns(), lane.inlet)) return true;
    // No copy can be made, so none needs what was left free for it.
    lane.last_step = step(lane, false, block);
  }
  switch (lane.last_step) {
    case Source::Step::block:
      lane.brought_ns = turn_ns_;
      fan_out_.offer(std::move(block), loop_.now_ns(), lane.inlet);
      observer_.on_progress();
      return true;
    case Source::Step::again:
      return true;
    case Source::Step::wait_input:
      lane.watch();
      return false;
    case Source::Step::wait_room:
    case Source::Step::done:
      return false;
  }
  return false;
}

Source::Step Pipeline::step(Lane& lane, bool leaves_reserve, BlockRef& block) {
  return lane.source.step(
      [&, this](std::uint64_t bytes) {
        lane.wanted_bytes = bytes;
        return leaves_reserve ? admission_.has_room_and_reserve(lane.inlet, bytes)
                              : admission_.has_room(lane.inlet, bytes);
      },
      block);
}

bool Pipeline::pump() {
  bool moved = false;
  for (const auto& sink : sinks_) moved = sink->pump() || moved;
  fan_out_.reconsider(loop_.now_ns());
  return moved;
}

bool Pipeline::flush_held_back() {
  bool moved = false;
  for (const auto& sink : sinks_) {
    if (sink->holds_back()) moved = sink->flush() || moved;
  }
  return moved;
}

/// While one source keeps the loop busy, what sinks hold back of another must not wait for it: if
/// that one is blocked, or has brought nothing for a while.
bool Pipeline::flush_neglected() {
  if (lanes_.size() == 1 || turn_ns_ - looked_ns_ < kIdleNs) return false;
  looked_ns_ = turn_ns_;
  bool moved = false;
  for (const Lane& lane : lanes_) {
    if (!is_blocked(lane) && turn_ns_ - lane.brought_ns < kIdleNs) continue;
    for (const std::size_t port : fan_out_.ports_of(lane.inlet)) {
      if (sinks_[port]->holds_back()) moved = sinks_[port]->flush() || moved;
    }
  }
  return moved;
}

/// True when all is over.
bool Pipeline::end_when_delivered() {
  if (!ending_) {
    const bool done = std::ranges::all_of(lanes_, [this](const Lane& lane) {
      return lane.last_step == Source::Step::done && fan_out_.idle(lane.inlet);
    });
    if (!done) return false;
    ending_ = true;
    for (const auto& sink : sinks_) sink->begin_end();
  }
  return std::ranges::all_of(sinks_, [](const auto& sink) { return sink->ended(); });
}

void Pipeline::sleep() {
  set_due_timer();
  const bool held_back =
      std::ranges::any_of(sinks_, [](const auto& sink) { return sink->holds_back(); });
  // Whatever wakes the loop meanwhile without bringing anything does not put it off.
  if (held_back && !ending_ && !std::exchange(idle_.set, true)) {
    loop_.set(idle_, loop_.now_ns() + kIdleNs);
  }
  loop_.turn(true);
}

void Pipeline::set_due_timer() {
  std::uint64_t due_ns = Poller::kForever;
  for (std::size_t index = 0; index < fan_out_.size(); ++index) {
    const auto next = fan_out_.port(index).next_due_ns();
    // What was due when this turn began waits for its sink, not for time.
    if (next && *next > turn_ns_) due_ns = std::min(due_ns, *next);
  }
  loop_.clear(due_);
  if (due_ns != Poller::kForever) loop_.set(due_, due_ns);
}

/// Keeps the time for which a sink has kept a source waiting, and says so once it is long.
void Pipeline::note_waiting() {
  const std::uint64_t now = loop_.now_ns();
  std::uint64_t tell_ns = Poller::kForever;
  const Port* port = nullptr;
  for (Lane& lane : lanes_) {
    if (!note_waiting(lane, now)) continue;
    const Port* const slow = slowest(lane);
    if (slow != nullptr) waited_for_ = slow;
    if (lane.waiting_since_ns + kTellAfterNs >= tell_ns) continue;
    tell_ns = lane.waiting_since_ns + kTellAfterNs;
    port = slow;
  }
  if (tell_ns == Poller::kForever) {
    loop_.clear(remind_);
    return;
  }
  if (told_ns_ != 0) tell_ns = std::max(tell_ns, told_ns_ + kTellEveryNs);
  if (now < tell_ns) {
    loop_.set(remind_, tell_ns);
    return;
  }
  told_ns_ = now;
  if (port != nullptr) observer_.on_waiting(*port);
  loop_.set(remind_, now + kTellEveryNs);
}

/// Whether the lane waits.
bool Pipeline::note_waiting(Lane& lane, std::uint64_t now_ns) {
  const bool waiting = ending_ || is_blocked(lane);
  if (waiting && lane.waiting_since_ns == 0) lane.waiting_since_ns = now_ns;
  if (!waiting && lane.waiting_since_ns != 0) {
    lane.waited_ns += now_ns - std::exchange(lane.waiting_since_ns, 0);
  }
  return waiting;
}

/// Whom the lane waits for: the port without room, else the one that holds most.
const Port* Pipeline::slowest(const Lane& lane) const {
  if (!ending_ && fan_out_.idle(lane.inlet)) {
    if (const Port* port = fan_out_.port_without_room(lane.wanted_bytes, lane.inlet)) return port;
  }
  const Port* most = nullptr;
  for (const std::size_t index : fan_out_.ports_of(lane.inlet)) {
    const Port& port = fan_out_.port(index);
    const std::uint64_t open = port.outstanding() + fan_out_.undelivered(index);
    const bool ends_slowly = ending_ && !sinks_[index]->ended();
    if ((port.failed() || open == 0) && !ends_slowly) continue;
    if (most == nullptr || port.held_bytes() > most->held_bytes()) most = &port;
  }
  return most;
}

void Pipeline::interrupt() {
  if (std::exchange(interrupted_, true)) {
    drain_over_.rung = true;
    return;
  }
  for (Lane& lane : lanes_) {
    lane.forget();
    lane.source.stop();
  }
  loop_.set(drain_over_, loop_.now_ns() + options_.drain_ns);
}

/// The time is over: sinks end without what they still hold, and nothing more is waited for.
void Pipeline::give_up() {
  for (const auto& sink : sinks_) {
    if (!sink->ended()) sink->abandon();
  }
  for (Lane& lane : lanes_) lane.last_step = Source::Step::done;
}

}  // namespace sluice
