#include "flow/fan_out.h"

#include <algorithm>
#include <numeric>
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
      behind_(ports.size(), false) {
  holders_.reserve(ports.size());
  touched_.reserve(kMostTouched);
  LettingGo* const told = policy.watches(Moment::release) ? this : nullptr;
  for (PortOptions& port : ports) {
    const auto group = std::ranges::find(groups_, port.projection, &Group::projection);
    group_of_.push_back(static_cast<std::size_t>(group - groups_.begin()));
    if (group == groups_.end()) groups_.push_back({.projection = port.projection, .copy = {}});
    ports_.emplace_back(std::move(port), ports_.size(), shares_, pool, told);
  }
  make_inlets(std::move(options_.inlets));
}

void FanOut::make_inlets(std::vector<std::vector<std::size_t>> inlets) {
  if (inlets.empty()) {
    inlets.emplace_back(ports_.size());
    std::iota(inlets.front().begin(), inlets.front().end(), std::size_t{0});
  }
  SLUICE_CHECK(inlets.size() <= kMostInlets);
  for (std::vector<std::size_t>& ports : inlets) {
    const std::size_t count = ports.size();
    inlets_.push_back({.ports = std::move(ports),
                       .block = {},
                       .early = std::vector<BlockRef>(count),
                       .delivered = std::vector<std::uint32_t>(count, 0)});
  }
  pending_.reserve(inlets_.size());
}

const Port* FanOut::port_without_room(std::uint64_t bytes, std::size_t inlet) const {
  for (const std::size_t port : inlets_[inlet].ports) {
    if (!ports_[port].has_room(bytes)) return &ports_[port];
  }
  return nullptr;
}

bool FanOut::leaves_room_for_copies(std::uint64_t bytes) const {
  const auto wanted = static_cast<std::uint64_t>(wanted_copies_);
  const Budget& budget = pool_.budget();
  return bytes + std::min(wanted, options_.rest_bytes / 16) <=
         budget.free() + budget.used(Region::pool);
}

bool FanOut::all_failed(std::size_t inlet) const {
  const std::vector<std::size_t>& ports = inlets_[inlet].ports;
  if (ports.empty()) return false;  // nobody was ever read for
  return std::ranges::all_of(ports, [&](std::size_t port) { return ports_[port].failed(); });
}

void FanOut::count_acknowledged(AcknowledgementObserver& observer) {
  std::vector<std::vector<std::size_t>> blocking;
  for (const Inlet& inlet : inlets_) {
    SLUICE_CHECK(inlet.offered == 0);
    std::vector<std::size_t> ports = inlet.ports;
    std::erase_if(ports, [&](std::size_t port) {
      return ports_[port].options().when_full != WhenFull::block;
    });
    blocking.push_back(std::move(ports));
  }
  acknowledgements_.emplace(std::move(blocking), observer);
  for (Port& port : ports_) {
    if (port.options().when_full == WhenFull::block) port.tell(*acknowledgements_);
  }
}

void FanOut::offer(BlockRef block, std::uint64_t now_ns, std::size_t inlet) {
  SLUICE_CHECK(idle(inlet) && block->rows() > 0);
  Inlet& into = inlets_[inlet];
  into.received_ns = block->origin().received_ns;
  into.offered += block->rows();
  into.block = std::move(block);
  into.number = ++number_;
  into.arrived = true;
  into.is_short = false;
  std::ranges::fill(into.delivered, 0);
  pending_.push_back(inlet);
  make_early_copies(into);
  deliver(now_ns);
}

void FanOut::make_early_copies(Inlet& inlet) {
  CopyDecision decision{.at_ns = inlet.received_ns,
                        .block = inlet.number,
                        .records = inlet.block->rows(),
                        .capacity = inlet.block->capacity(),
                        .early = true,
                        .holders = {}};
  const std::uint64_t copied_before = copied_bytes_;
  for (std::size_t index = 0; index < groups_.size(); ++index) {
    const bool is_fed = std::ranges::any_of(
        inlet.ports, [&](std::size_t port) { return group_of_[port] == index; });
    if (!is_fed) continue;
    const SelectedCopy copy(*inlet.block, groups_[index].projection, options_.fields);
    const CopyQuestion question{.original_capacity = inlet.block->data_capacity(),
                                .copy_capacity = copy.data_capacity(pool_)};
    const EarlyCopy answer = policy_.at_arrival(question);
    if (answer == EarlyCopy::none) continue;
    BlockRef shared;
    for (std::size_t at = 0; at < inlet.ports.size(); ++at) {
      if (group_of_[inlet.ports[at]] != index) continue;
      if (!shared || answer == EarlyCopy::own) {
        decision.refused = !make_copy(copy, shared) || decision.refused;
        decision.copies_capacity += copy.capacity(pool_);
      }
      inlet.early[at] = shared;
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
  if (pending_.empty()) return false;
  bool moved = false;
  std::fill(behind_.begin(), behind_.end(), false);
  for (const std::size_t inlet : pending_) moved = deliver(inlets_[inlet], now_ns) || moved;
  std::erase_if(pending_, [&](std::size_t inlet) { return idle(inlet); });
  return moved || give_up_early_copies();
}

bool FanOut::deliver(Inlet& inlet, std::uint64_t now_ns) {
  bool moved = false;
  bool complete = true;
  const std::uint32_t rows = inlet.block->rows();
  for (std::size_t at = 0; at < inlet.ports.size(); ++at) {
    std::uint32_t& done = inlet.delivered[at];
    const std::size_t port = inlet.ports[at];
    if (done == rows) continue;
    if (!behind_[port]) {
      const Arrival arrival{
          .block = inlet.early[at] ? inlet.early[at] : inlet.block,
          .number = inlet.number,
          .received_ns = inlet.received_ns,
          .inlet = static_cast<std::uint32_t>(&inlet - inlets_.data()),
      };
      const std::uint32_t settled = ports_[port].enter(arrival, done, rows - done, now_ns);
      done += settled;
      moved = moved || settled > 0;
    }
    if (done == rows) continue;
    behind_[port] = true;
    complete = false;
  }
  if (complete) {
    for (BlockRef& copy : inlet.early) copy.reset();
    inlet.block.reset();
  }
  return moved;
}

/// Where copies for many sinks have taken all memory, none is left for an entry in a queue. As long
/// as a sink holds something, it will give some back; when none does, only these copies can go, and
/// the block serves as well. True when some did.
bool FanOut::give_up_early_copies() {
  const bool held =
      std::ranges::any_of(ports_, [](const Port& port) { return port.outstanding(); });
  if (held) return false;
  bool any = false;
  for (const std::size_t inlet : pending_) {
    for (BlockRef& copy : inlets_[inlet].early) {
      any = any || copy;
      copy.reset();
    }
  }
  return any;
}

std::uint64_t FanOut::undelivered(std::size_t port) const {
  std::uint64_t records = 0;
  for (const std::size_t pending : pending_) {
    const Inlet& inlet = inlets_[pending];
    const auto at = std::ranges::find(inlet.ports, port) - inlet.ports.begin();
    const auto fed = static_cast<std::size_t>(at) < inlet.ports.size();
    if (fed) records += inlet.block->rows() - inlet.delivered[static_cast<std::size_t>(at)];
  }
  return records;
}

bool FanOut::is_pending(std::uint32_t number) const {
  return std::ranges::any_of(pending_,
                             [&](std::size_t inlet) { return inlets_[inlet].number == number; });
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
    const bool is_short = std::ranges::any_of(inlets_, &Inlet::is_short);
    const Moment moment = is_short ? Moment::shortage : Moment::release;
    for (const std::uint32_t number : touched_) consider(number, moment, now_ns);
    for (Inlet& inlet : inlets_) {
      const bool had_turn = !inlet.block && std::ranges::binary_search(touched_, inlet.number);
      if (had_turn) inlet.arrived = false;
    }
    touched_.clear();
  }
  for (Inlet& inlet : inlets_) {
    if (!inlet.arrived || inlet.block) continue;
    inlet.arrived = false;
    if (policy_.watches(Moment::arrival)) consider(inlet.number, Moment::arrival, now_ns);
  }
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
  if (is_pending(number)) return std::nullopt;
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

bool FanOut::relieve(std::uint64_t bytes, std::uint64_t now_ns, std::size_t inlet) {
  if (inlets_[inlet].is_short || !policy_.watches(Moment::shortage)) return false;
  const Port* const full = port_without_room(bytes, inlet);
  if (full != nullptr && full->queue_is_full()) return false;
  const std::optional<std::size_t> only =
      full == nullptr ? std::nullopt : std::optional(group_of(*full));
  const std::optional<std::uint32_t> best = best_to_relieve(only, now_ns);
  if (best) {
    const std::optional<Candidate> found = candidate(*best, now_ns, only);
    if (change_over(*best, *found, Moment::shortage, now_ns)) return true;
  }
  inlets_[inlet].is_short = true;
  return false;
}

/// Of the oldest blocks that may change over, the one that frees most bytes for each one copied.
std::optional<std::uint32_t> FanOut::best_to_relieve(std::optional<std::size_t> only,
                                                     std::uint64_t now_ns) {
  std::optional<std::uint32_t> best;
  double best_gain = 0;
  std::uint32_t looks = 0;
  bool all_delivered = true;
  for (std::uint32_t number = first_to_examine(); !is_before(number_, number); ++number) {
    all_delivered = all_delivered && !is_pending(number);
    const std::optional<Candidate> found = candidate(number, now_ns, only);
    const bool may_go = found && found->held.copies_capacity < found->held.capacity &&
                        policy_.copies_now(Moment::shortage, found->held);
    if (may_go) {
      const auto freed = static_cast<double>(found->held.capacity - found->held.copies_capacity);
      const double gain = freed / static_cast<double>(to_copy() + 64);
      if (gain > best_gain) best = number;
      best_gain = std::max(best_gain, gain);
    } else if (!best && !only && all_delivered) {
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
