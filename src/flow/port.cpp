#include "flow/port.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/check.h"

namespace sluice {
namespace {

constexpr std::size_t kFirstSlots = 8;

/// Records of one block in one entry: a block has far fewer, since each has a row of its own.
constexpr std::uint32_t kMostRecords = (1u << 26) - 1;

}  // namespace

Port::Port(PortOptions options, std::size_t index, Shares& shares, Pool& pool,
           LettingGo* letting_go)
    : options_(std::move(options)),
      index_(index),
      shares_(shares),
      pool_(pool),
      letting_go_(letting_go) {}

Port::~Port() {
  letting_go_ = nullptr;
  while (size_ > 0) pop_front();
  pool_.budget().give_back(Region::queue, ring_.size() * sizeof(Entry));
}

std::uint64_t Port::held_bytes_bound() const {
  const std::uint64_t share = options_.bound_by_share ? shares_.bound(index_) : shares_.total();
  return options_.queue_bytes == 0 ? share : std::min(share, options_.queue_bytes);
}

std::uint64_t Port::free_records() const {
  if (options_.queue_records == 0) return std::numeric_limits<std::uint32_t>::max();
  return options_.queue_records - std::min(options_.queue_records, outstanding_);
}

/// Where a full queue lets a few records go at a time, a block should not come in as many parts:
/// each would be cut again by the end of the next block, until every record had an entry. As many
/// entries as whole blocks needed are there for parts of any size.
bool Port::is_small_part(std::uint32_t fitting, std::uint32_t count) const {
  return size_ == ring_.size() && fitting < count &&
         fitting < options_.queue_records / kPartsOfQueue;
}

bool Port::share_has_room(std::uint64_t bytes) const {
  return !options_.bound_by_share || shares_.has_room(index_, bytes);
}

bool Port::has_room(std::uint64_t bytes) const {
  if (failed() || options_.when_full != WhenFull::block) return true;
  if (free_records() == 0 || !share_has_room(bytes)) return false;
  return options_.queue_bytes == 0 || held_bytes() == 0 ||
         held_bytes() + bytes <= options_.queue_bytes;
}

bool Port::has_room_for_bytes(const Block& block) const {
  // More records of the block that came last cost no further bytes.
  if (size_ > 0 && at(size_ - 1).block.get() == &block) return true;
  if (!share_has_room(block.capacity())) return false;
  const Budget& budget = pool_.budget();
  if (options_.when_full != WhenFull::block &&
      budget.free() + budget.used(Region::pool) < options_.keep_free_bytes) {
    return false;
  }
  return options_.queue_bytes == 0 || held_bytes() == 0 ||
         held_bytes() + block.capacity() <= options_.queue_bytes;
}

std::uint32_t Port::enter(const Arrival& arrival, std::uint32_t first, std::uint32_t count,
                          std::uint64_t now_ns) {
  const Block& block = *arrival.block;
  if (failed()) {
    stats_.lost += count;
    return count;
  }
  if (options_.when_full == WhenFull::drop_oldest) {
    const std::uint64_t wanted = std::min<std::uint64_t>(
        count, options_.queue_records == 0 ? count : options_.queue_records);
    while (free_records() < wanted && drop_oldest_waiting(wanted - free_records())) {
    }
    while (!has_room_for_bytes(block) &&
           drop_oldest_waiting(std::numeric_limits<std::uint64_t>::max())) {
    }
  }
  auto fitting = static_cast<std::uint32_t>(std::min<std::uint64_t>(count, free_records()));
  if (options_.when_full == WhenFull::block && is_small_part(fitting, count)) return 0;
  if (fitting > 0 && !(has_room_for_bytes(block) && make_slot())) fitting = 0;
  if (options_.when_full == WhenFull::drop_oldest && fitting > 0) {
    // The newest of a block that is larger than the whole queue are those that stay.
    stats_.dropped += count - fitting;
    append(arrival, first + (count - fitting), fitting, now_ns);
    return count;
  }
  if (fitting > 0) append(arrival, first, fitting, now_ns);
  if (options_.when_full == WhenFull::block) return fitting;
  stats_.dropped += count - fitting;
  return count;
}

bool Port::make_slot() {
  if (size_ < ring_.size()) return true;
  const std::size_t slots = std::max(kFirstSlots, ring_.size() * 2);
  pool_.make_room(slots * sizeof(Entry));
  if (!pool_.budget().try_take(Region::queue, slots * sizeof(Entry))) return false;
  std::vector<Entry> wider(slots);
  for (std::size_t position = 0; position < size_; ++position) {
    wider[position] = std::move(at(position));
  }
  pool_.budget().give_back(Region::queue, ring_.size() * sizeof(Entry));
  ring_ = std::move(wider);
  head_ = 0;
  return true;
}

void Port::append(const Arrival& arrival, std::uint32_t first, std::uint32_t count,
                  std::uint64_t now_ns) {
  const BlockRef& block = arrival.block;
  SLUICE_CHECK(block->rows() <= kMostRecords && arrival.inlet < kMostInlets);
  Entry* last = size_ > 0 ? &at(size_ - 1) : nullptr;
  const bool same_block = last != nullptr && last->block == block;
  outstanding_ += count;
  stats_.queue_max = std::max(stats_.queue_max, outstanding_);
  const bool last_waits = waiting_ < size_;
  if (same_block && last_waits && last->first + last->count == first &&
      last->entered_ns == now_ns) {
    last->count = (last->count + count) & kMostRecords;
    return;
  }
  auto charge = static_cast<std::uint32_t>(block->capacity());
  if (same_block) {
    charge = std::exchange(last->charge, 0);
  } else {
    shares_.charge(index_, charge);
  }
  at(size_) = {.block = block,
               .first = first,
               .count = count & kMostRecords,
               .inlet = arrival.inlet & (kMostInlets - 1),
               .number = arrival.number,
               .charge = charge,
               .entered_ns = now_ns,
               .received_ns = arrival.received_ns};
  ++size_;
}

bool Port::drop_oldest_waiting(std::uint64_t records) {
  if (waiting_ == size_) return false;
  Entry& entry = at(waiting_);
  const auto dropped = static_cast<std::uint32_t>(std::min<std::uint64_t>(entry.count, records));
  stats_.dropped += dropped;
  outstanding_ -= dropped;
  entry.first += dropped;
  entry.count = (entry.count - dropped) & kMostRecords;
  if (entry.count > 0) return true;
  let_go_for_good(waiting_);
  for (std::size_t position = waiting_; position + 1 < size_; ++position) {
    at(position) = std::move(at(position + 1));
  }
  --size_;
  return true;
}

std::size_t Port::find(std::uint32_t number) const {
  std::size_t low = 0;
  std::size_t high = size_;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    // Numbers wrap around, so only their distance says which came first.
    const bool before = static_cast<std::int32_t>(at(middle).number - number) < 0;
    (before ? low : high) = before ? middle + 1 : middle;
  }
  return low;
}

Port::Waiting Port::waiting_of(std::uint32_t number) const {
  const std::size_t position = std::max(find(number), waiting_);
  if (position == size_ || at(position).number != number || at(position).block->is_copy()) {
    return {};
  }
  return {.block = at(position).block.get(), .entered_ns = at(position).entered_ns};
}

std::optional<std::uint32_t> Port::oldest_waiting() const {
  if (waiting_ == size_) return std::nullopt;
  return at(waiting_).number;
}

bool Port::is_taking(std::uint32_t number) const {
  for (std::size_t position = find(number); position < waiting_; ++position) {
    if (at(position).number != number) return false;
    if (at(position).block && !at(position).block->is_copy()) return true;
  }
  return false;
}

std::uint64_t Port::remaining_ns(std::uint64_t entered_ns, std::uint64_t now_ns) const {
  const std::uint64_t oldest_ns = size_ > 0 ? now_ns - at(0).entered_ns : 0;
  const std::uint64_t stay_ns = std::max(hold_ns_, oldest_ns);
  const std::uint64_t age_ns = now_ns - entered_ns;
  return age_ns < stay_ns ? stay_ns - age_ns : age_ns / 4;
}

void Port::repoint(std::uint32_t number, const BlockRef& copy) {
  bool charged = false;
  // From the newest on, so that the charge of the block ends up with an entry that keeps it.
  for (std::size_t position = size_; position-- > waiting_;) {
    Entry& entry = at(position);
    if (entry.number != number) continue;
    SLUICE_CHECK(entry.block->rows() == copy->rows());
    let_go(position);
    entry.block = copy;
    if (charged) continue;
    entry.charge = static_cast<std::uint32_t>(copy->capacity());
    shares_.charge(index_, entry.charge);
    charged = true;
  }
}

std::optional<Taken> Port::take(std::uint64_t now_ns) {
  if (waiting_ == size_) return std::nullopt;
  const Entry& entry = at(waiting_);
  if (entry.entered_ns + options_.delay_ns > now_ns) return std::nullopt;
  in_flight_ += entry.count;
  ++waiting_;
  return Taken{.block = *entry.block, .first = entry.first, .count = entry.count};
}

std::optional<Port::Next> Port::next() const {
  if (waiting_ == size_) return std::nullopt;
  return Next{.count = at(waiting_).count, .entered_ns = at(waiting_).entered_ns};
}

void Port::forget_block() {
  SLUICE_CHECK(waiting_ > 0);
  let_go_for_good(waiting_ - 1);
}

void Port::acknowledge(std::uint64_t records, std::uint64_t now_ns) {
  SLUICE_CHECK(records <= in_flight_);
  outstanding_ -= records;
  in_flight_ -= records;
  stats_.records += records;
  while (records > 0) {
    Entry& entry = at(0);
    const auto done = static_cast<std::uint32_t>(std::min<std::uint64_t>(records, entry.count));
    stats_.latency.add(now_ns - entry.received_ns, done);
    entry.first += done;
    entry.count = (entry.count - done) & kMostRecords;
    records -= done;
    if (listener_ != nullptr) listener_->on_acknowledged(index_, entry.inlet, done);
    if (entry.count > 0) continue;
    note_hold(now_ns - entry.entered_ns);
    pop_front();
  }
}

/// A quarter of the newest, three of what was.
void Port::note_hold(std::uint64_t hold_ns) {
  hold_ns_ = std::exchange(has_hold_, true) ? hold_ns_ - hold_ns_ / 4 + hold_ns / 4 : hold_ns;
}

void Port::fail(const Error& error) {
  error_ = error;
  stats_.lost += outstanding_;
  outstanding_ = 0;
  in_flight_ = 0;
  while (size_ > 0) pop_front();
  if (listener_ != nullptr) listener_->on_failed(index_);
}

void Port::pop_front() {
  let_go_for_good(0);
  head_ = (head_ + 1) & (ring_.size() - 1);
  --size_;
  if (waiting_ > 0) --waiting_;
}

void Port::let_go_for_good(std::size_t position) {
  const Entry& entry = at(position);
  const bool original = entry.block && !entry.block->is_copy();
  const std::uint32_t number = entry.number;
  if (let_go(position) && original && letting_go_ != nullptr) letting_go_->on_let_go(number);
}

bool Port::let_go(std::size_t position) {
  Entry& entry = at(position);
  bool last = false;
  if (entry.charge > 0) {
    // An older entry of the same block goes on holding it, and now answers for it.
    Entry* older = position > 0 ? &at(position - 1) : nullptr;
    const std::uint32_t charge = std::exchange(entry.charge, 0);
    if (older != nullptr && older->block == entry.block) {
      older->charge = charge;
    } else {
      shares_.discharge(index_, charge);
      last = true;
    }
  }
  entry.block.reset();
  return last;
}

std::optional<std::uint64_t> Port::next_due_ns() const {
  if (waiting_ == size_) return std::nullopt;
  return at(waiting_).entered_ns + options_.delay_ns;
}

}  // namespace sluice
