#include "flow/pipeline.h"

#include <algorithm>
#include <utility>

namespace sluice {
namespace {

constexpr std::uint64_t kIdleNs = 5'000'000;
constexpr std::uint64_t kTellAfterNs = 1'000'000'000;
constexpr std::uint64_t kTellEveryNs = 10'000'000'000;

}  // namespace

Pipeline::Pipeline(Loop& loop, Source& source, FanOut& fan_out,
                   std::vector<std::unique_ptr<Sink>>& sinks, PipelineObserver& observer,
                   const Options& options)
    : loop_(loop),
      source_(source),
      fan_out_(fan_out),
      sinks_(sinks),
      observer_(observer),
      options_(options) {}

Pipeline::~Pipeline() {
  for (Alarm* alarm : {&drain_over_, &idle_, &due_, &remind_}) loop_.clear(*alarm);
  if (watched_ >= 0) loop_.forget(watched_);
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
  // The source waits for memory or a queue, or nothing new has come: nothing is gained by holding
  // records back.
  const bool blocked = last_step_ == Source::Step::wait_room || !fan_out_.idle();
  if (!moved && (blocked || std::exchange(idle_.rung, false))) moved = flush_held_back();
  return moved;
}

bool Pipeline::read() {
  if (ending_ || !fan_out_.idle()) return false;
  if (fan_out_.all_failed()) {
    if (watched_ >= 0) loop_.forget(std::exchange(watched_, -1));
    source_.stop();
  }
  if (watched_ >= 0) return false;
  BlockRef block;
  last_step_ = source_.step([this](std::uint64_t bytes) { return has_room(bytes, true); }, block);
  if (last_step_ == Source::Step::wait_room) {
    if (fan_out_.relieve(wanted_bytes_, loop_.now_ns())) return true;
    // No copy can be made, so none needs what was left free for it.
    last_step_ =
        source_.step([this](std::uint64_t bytes) { return has_room(bytes, false); }, block);
  }
  switch (last_step_) {
    case Source::Step::block:
      fan_out_.offer(std::move(block), loop_.now_ns());
      observer_.on_progress();
      return true;
    case Source::Step::again:
      return true;
    case Source::Step::wait_input:
      watched_ = source_.wait_descriptor();
      loop_.watch(watched_, Readiness::readable, *this);
      return false;
    case Source::Step::wait_room:
    case Source::Step::done:
      return false;
  }
  return false;
}

bool Pipeline::has_room(std::uint64_t bytes, bool leaves_reserve) {
  wanted_bytes_ = bytes;
  if (fan_out_.port_without_room(bytes) != nullptr) return false;
  return !leaves_reserve || fan_out_.leaves_room_for_copies(bytes);
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

/// True when all is over.
bool Pipeline::end_when_delivered() {
  if (!ending_) {
    if (last_step_ != Source::Step::done || !fan_out_.idle()) return false;
    ending_ = true;
    for (const auto& sink : sinks_) sink->begin_end();
  }
  return std::ranges::all_of(sinks_, [](const auto& sink) { return sink->ended(); });
}

void Pipeline::sleep() {
  set_due_timer();
  const bool held_back =
      std::ranges::any_of(sinks_, [](const auto& sink) { return sink->holds_back(); });
  if (held_back && !ending_) loop_.set(idle_, loop_.now_ns() + kIdleNs);
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

/// Keeps the time for which a sink has kept us waiting, and says so once it is long.
void Pipeline::note_waiting() {
  const bool waiting = ending_ || last_step_ == Source::Step::wait_room || !fan_out_.idle();
  const std::uint64_t now = loop_.now_ns();
  if (!waiting) {
    if (waiting_since_ns_ != 0) waited_ns_ += now - std::exchange(waiting_since_ns_, 0);
    loop_.clear(remind_);
    return;
  }
  if (waiting_since_ns_ == 0) waiting_since_ns_ = now;
  const Port* const port = slowest();
  if (port != nullptr) waited_for_ = port;
  const std::uint64_t tell_ns =
      std::max(waiting_since_ns_ + kTellAfterNs, told_ns_ == 0 ? 0 : told_ns_ + kTellEveryNs);
  if (now < tell_ns) {
    loop_.set(remind_, tell_ns);
    return;
  }
  told_ns_ = now;
  if (port != nullptr) observer_.on_waiting(*port);
  loop_.set(remind_, now + kTellEveryNs);
}

/// Whom we wait for: the port without room, else the one that holds most.
const Port* Pipeline::slowest() const {
  if (!ending_ && fan_out_.idle()) {
    if (const Port* port = fan_out_.port_without_room(wanted_bytes_)) return port;
  }
  const Port* most = nullptr;
  for (std::size_t index = 0; index < fan_out_.size(); ++index) {
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
  if (watched_ >= 0) loop_.forget(std::exchange(watched_, -1));
  source_.stop();
  loop_.set(drain_over_, loop_.now_ns() + options_.drain_ns);
}

void Pipeline::give_up() {
  for (const auto& sink : sinks_) {
    if (!sink->ended()) sink->abandon();
  }
}

void Pipeline::on_ready() { loop_.forget(std::exchange(watched_, -1)); }

}  // namespace sluice
