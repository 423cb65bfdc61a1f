#include "flow/fan_out.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/check.h"
#include "record/selected_copy.h"

namespace sluice {
namespace {

/// Blocks that sinks let go of between two looks; of more, the rest is not asked about.
constexpr std::size_t kMostTouched = 256;

/// Blocks that are looked at for one change over when memory is short.
constexpr std::uint32_t kMostExamined = 256;

/// Numbers of blocks wrap around.
bool is_before(std::uint32_t number, std::uint32_t other) {
  return static_cast<std::int32_t>(number - other) < 0;
}

}  // namespace

FanOut::FanOut(Pool& pool, const RetentionPolicy& policy, std::vector<PortOptions> ports,
               const Options& options)
    : pool_(pool),
      policy_(policy),
      options_(options),
      shares_(options.rest_bytes, ports.size()),
      early_(ports.size()),
      delivered_(ports.size(), 0) {
  holders_.reserve(ports.size());
  touched_.reserve(kMostTouched);
  LettingGo* const told = policy.watches(Moment::release) ? this : nullptr;
  for (PortOptions& port : ports) {
    const auto group = std::ranges::find(groups_, port.projection, &Group::projection);
    group_of_.push_back(static_cast<std::size_t>(group - groups_.begin()));
    if (group == groups_.end()) groups_.push_back({.projection = port.projection, .copy = {}});
    ports_.emplace_back(std::move(port), ports_.size(), shares_, pool, told);
  }
}

const Port* FanOut::port_without_room(std::uint64_t bytes) const {
  const auto port = std::find_if(ports_.begin(), ports_.end(),
                                 [=](const Port& each) { return !each.has_room(bytes); });
  return port == ports_.end() ? nullptr : &*port;
}

bool FanOut::leaves_room_for_copies(std::uint64_t bytes) const {
  const auto wanted = static_cast<std::uint64_t>(wanted_copies_);
  const Budget& budget = pool_.budget();
  return bytes + std::min(wanted, options_.rest_bytes / 16) <=
         budget.free() + budget.used(Region::pool);
}

bool FanOut::all_failed() const {
  return std::ranges::all_of(ports_, [](const Port& port) { return port.failed(); });
}

void FanOut::offer(BlockRef block, std::uint64_t now_ns) {
  SLUICE_CHECK(idle() && block->rows() > 0);
  block_ = std::move(block);
  received_ns_ = block_->origin().received_ns;
  ++number_;
  arrived_ = true;
  short_ = false;
  std::fill(delivered_.begin(), delivered_.end(), 0);
  make_early_copies();
  deliver(now_ns);
}

void FanOut::make_early_copies() {
  CopyDecision decision{.at_ns = received_ns_,
                        .block = number_,
                        .records = block_->rows(),
                        .capacity = block_->capacity(),
                        .early = true,
                        .holders = {}};
  const std::uint64_t copied_before = copied_bytes_;
  for (std::size_t index = 0; index < groups_.size(); ++index) {
    const SelectedCopy copy(*block_, groups_[index].projection, options_.fields);
    const CopyQuestion question{.original_capacity = block_->data_capacity(),
                                .copy_capacity = copy.data_capacity(pool_)};
    const EarlyCopy answer = policy_.at_arrival(question);
    if (answer == EarlyCopy::none) continue;
    BlockRef shared;
    for (std::size_t port = 0; port < ports_.size(); ++port) {
      if (group_of_[port] != index) continue;
      if (!shared || answer == EarlyCopy::own) {
        decision.refused = !make_copy(copy, shared) || decision.refused;
        decision.copies_capacity += copy.capacity(pool_);
      }
      early_[port] = shared;
    }
  }
  decision.copied_bytes = copied_bytes_ - copied_before;
  const bool any = decision.copied_bytes > 0 || decision.refused;
  if (any && options_.trace != nullptr) options_.trace->on_copy(decision);
}

/// False, and nothing in `into`, when there is no memory: the original serves as well.
bool FanOut::make_copy(const SelectedCopy& copy, BlockRef& into) {
  into.reset();
  std::optional<BlockRef> made = copy.make(pool_);
  if (!made) return false;
  into = std::move(*made);
  copied_bytes_ += copy.selected_bytes();
  return true;
}

bool FanOut::deliver(std::uint64_t now_ns) {
  if (idle()) return false;
  bool moved = false;
  bool complete = true;
  const std::uint32_t rows = block_->rows();
  for (std::size_t index = 0; index < ports_.size(); ++index) {
    std::uint32_t& done = delivered_[index];
    if (done == rows) continue;
    const Arrival arrival{.block = early_[index] ? early_[index] : block_,
                          .number = number_,
                          .received_ns = received_ns_};
    const std::uint32_t settled = ports_[index].enter(arrival, done, rows - done, now_ns);
    done += settled;
    moved = moved || settled > 0;
    complete = complete && done == rows;
  }
  if (complete) {
    for (BlockRef& copy : early_) copy.reset();
    block_.reset();
  }
  return moved || give_up_early_copies();
}

/// Where copies for many sinks have taken all memory, none is left for an entry in a queue. As long
/// as a sink holds something, it will give some back; when none does, only these copies can go, and
/// the block serves as well. True when some did.
bool FanOut::give_up_early_copies() {
  const bool held =
      std::ranges::any_of(ports_, [](const Port& port) { return port.outstanding(); });
  if (held || idle()) return false;
  bool any = false;
  for (BlockRef& copy : early_) {
    any = any || copy;
    copy.reset();
  }
  return any;
}

std::uint64_t FanOut::undelivered(std::size_t index) const {
  return idle() ? 0 : block_->rows() - delivered_[index];
}

void FanOut::on_let_go(std::uint32_t number) {
  const bool known = !touched_.empty() && touched_.back() == number;
  if (!known && touched_.size() < kMostTouched) touched_.push_back(number);
}

void FanOut::reconsider(std::uint64_t now_ns) {
  if (!touched_.empty()) {
    std::ranges::sort(touched_);
    const auto repeated = std::ranges::unique(touched_);
    touched_.erase(repeated.begin(), repeated.end());
    const Moment moment = short_ ? Moment::shortage : Moment::release;
    for (const std::uint32_t number : touched_) consider(number, moment, now_ns);
    if (idle() && touched_.back() == number_) arrived_ = false;  // that was its turn
    touched_.clear();
  }
  if (!arrived_ || !idle()) return;
  arrived_ = false;
  if (policy_.watches(Moment::arrival)) consider(number_, Moment::arrival, now_ns);
}

void FanOut::consider(std::uint32_t number, Moment moment, std::uint64_t now_ns) {
  const std::optional<Candidate> found = candidate(number, now_ns);
  if (!found || found->held.copies_capacity >= found->held.capacity) return;
  if (policy_.copies_now(moment, found->held)) {
    change_over(number, *found, moment, now_ns);
  } else if (policy_.copies_now(Moment::shortage, found->held) && is_before(number, unexamined_)) {
    unexamined_ = number;  // not yet, but should memory be short
  }
}

/// Nothing when nobody holds the block, or somebody is in the middle of taking it: what is taken
/// stays where it is, and copies for the others would only come on top.
std::optional<FanOut::Candidate> FanOut::candidate(std::uint32_t number, std::uint64_t now_ns,
                                                   std::optional<std::size_t> only) {
  if (!idle() && number == number_) return std::nullopt;
  Candidate found;
  holders_.clear();
  for (Group& group : groups_) group.wanted = false;
  for (std::size_t index = 0; index < ports_.size(); ++index) {
    if (only && group_of_[index] != *only) continue;
    const Port& port = ports_[index];
    if (port.is_taking(number)) return std::nullopt;
    const Port::Waiting waiting = port.waiting_of(number);
    if (waiting.block == nullptr) continue;
    found.block = waiting.block;
    Group& group = groups_[group_of_[index]];
    if (!std::exchange(group.wanted, true)) {
      measure(*found.block, group);
      found.held.copies_capacity += group.copy_capacity;
    }
    holders_.push_back({.projection = static_cast<std::uint32_t>(group_of_[index]),
                        .copy_capacity = group.copy_capacity,
                        .selected_bytes = group.selected_bytes,
                        .remaining_ns = port.remaining_ns(waiting.entered_ns, now_ns)});
  }
  if (found.block == nullptr) return std::nullopt;
  std::ranges::sort(holders_, [](const Holder& a, const Holder& b) {
    return std::tie(a.remaining_ns, a.projection) < std::tie(b.remaining_ns, b.projection);
  });
  found.held.capacity = found.block->capacity();
  found.held.holders = holders_;
  return found;
}

void FanOut::measure(const Block& block, Group& group) {
  const SelectedCopy copy(block, group.projection, options_.fields);
  group.copy_capacity = copy.capacity(pool_);
  group.selected_bytes = copy.selected_bytes();
}

/// All holders or none: false when there is no memory for one of the copies.
bool FanOut::change_over(std::uint32_t number, const Candidate& candidate, Moment moment,
                         std::uint64_t now_ns) {
  CopyDecision decision{.at_ns = now_ns,
                        .block = number,
                        .records = candidate.block->rows(),
                        .capacity = candidate.held.capacity,
                        .copies_capacity = candidate.held.copies_capacity,
                        .moment = moment,
                        .holders = candidate.held.holders};
  // Remembered for the reserve, and slowly forgotten.
  wanted_copies_ = std::max(static_cast<double>(decision.copies_capacity), wanted_copies_ * 0.98);
  const std::uint64_t copied_before = copied_bytes_;
  for (Group& group : groups_) {
    if (!group.wanted || decision.refused) continue;
    const SelectedCopy copy(*candidate.block, group.projection, options_.fields);
    decision.refused = !make_copy(copy, group.copy);
  }
  decision.copied_bytes = copied_bytes_ - copied_before;
  for (std::size_t index = 0; index < ports_.size() && !decision.refused; ++index) {
    const Group& group = groups_[group_of_[index]];
    if (group.wanted) ports_[index].repoint(number, group.copy);
  }
  for (Group& group : groups_) group.copy.reset();
  if (options_.trace != nullptr) options_.trace->on_copy(decision);
  return !decision.refused;
}

bool FanOut::relieve(std::uint64_t bytes, std::uint64_t now_ns) {
  if (short_ || !policy_.watches(Moment::shortage)) return false;
  const Port* const full = port_without_room(bytes);
  if (full != nullptr && full->queue_is_full()) return false;
  const std::optional<std::size_t> only =
      full == nullptr ? std::nullopt : std::optional(group_of(*full));
  const std::optional<std::uint32_t> best = best_to_relieve(only, now_ns);
  if (best) {
    const std::optional<Candidate> found = candidate(*best, now_ns, only);
    if (change_over(*best, *found, Moment::shortage, now_ns)) return true;
  }
  short_ = true;
  return false;
}

/// Of the oldest blocks that may change over, the one that frees most bytes for each one copied.
std::optional<std::uint32_t> FanOut::best_to_relieve(std::optional<std::size_t> only,
                                                     std::uint64_t now_ns) {
  std::optional<std::uint32_t> best;
  double best_gain = 0;
  std::uint32_t looks = 0;
  const std::uint32_t end = idle() ? number_ + 1 : number_;
  for (std::uint32_t number = first_to_examine(); is_before(number, end); ++number) {
    const std::optional<Candidate> found = candidate(number, now_ns, only);
    const bool may_go = found && found->held.copies_capacity < found->held.capacity &&
                        policy_.copies_now(Moment::shortage, found->held);
    if (may_go) {
      const auto freed = static_cast<double>(found->held.capacity - found->held.copies_capacity);
      const double gain = freed / static_cast<double>(to_copy() + 64);
      if (gain > best_gain) best = number;
      best_gain = std::max(best_gain, gain);
    } else if (!best && !only) {
      unexamined_ = number + 1;
    }
    if (++looks >= kMostExamined && (best || only)) break;
  }
  return best;
}

std::size_t FanOut::group_of(const Port& port) const {
  std::size_t index = 0;
  while (&ports_[index] != &port) ++index;
  return group_of_[index];
}

std::uint32_t FanOut::first_to_examine() const {
  std::uint32_t first = number_;
  for (const Port& port : ports_) {
    const std::optional<std::uint32_t> oldest = port.oldest_waiting();
    if (oldest && is_before(*oldest, first)) first = *oldest;
  }
  return is_before(first, unexamined_) ? unexamined_ : first;
}

/// Bytes that copies of the block considered last would take.
std::uint64_t FanOut::to_copy() const {
  std::uint64_t bytes = 0;
  for (const Group& group : groups_) bytes += group.wanted ? group.selected_bytes : 0;
  return bytes;
}

}  // namespace sluice
