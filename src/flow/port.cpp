#include "flow/port.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/check.h"

namespace sluice {
namespace {

constexpr std::size_t kFirstSlots = 8;

}  // namespace

Port::Port(PortOptions options, std::size_t index, Shares& shares, Pool& pool)
    : options_(std::move(options)), index_(index), shares_(shares), pool_(pool) {}

Port::~Port() {
  while (size_ > 0) pop_front();
  pool_.budget().give_back(Region::queue, ring_.size() * sizeof(Entry));
}

std::uint64_t Port::held_bytes_bound() const {
  const std::uint64_t share = shares_.bound(index_);
  return options_.queue_bytes == 0 ? share : std::min(share, options_.queue_bytes);
}

std::uint64_t Port::free_records() const {
  if (options_.queue_records == 0) return std::numeric_limits<std::uint32_t>::max();
  return options_.queue_records - std::min(options_.queue_records, outstanding_);
}

bool Port::has_room(std::uint64_t bytes) const {
  if (failed() || options_.when_full != WhenFull::block) return true;
  if (free_records() == 0 || !shares_.has_room(index_, bytes)) return false;
  return options_.queue_bytes == 0 || held_bytes() == 0 ||
         held_bytes() + bytes <= options_.queue_bytes;
}

bool Port::has_room_for_bytes(const Block& block) const {
  // More records of the block that came last cost no further bytes.
  if (size_ > 0 && at(size_ - 1).block.get() == &block) return true;
  if (!shares_.has_room(index_, block.capacity())) return false;
  const Budget& budget = pool_.budget();
  if (options_.when_full != WhenFull::block &&
      budget.free() + budget.used(Region::pool) < options_.keep_free_bytes) {
    return false;
  }
  return options_.queue_bytes == 0 || held_bytes() == 0 ||
         held_bytes() + block.capacity() <= options_.queue_bytes;
}

std::uint32_t Port::enter(const BlockRef& block, std::uint32_t first, std::uint32_t count,
                          bool copy, std::uint64_t now_ns) {
  if (failed()) {
    stats_.lost += count;
    return count;
  }
  if (options_.when_full == WhenFull::drop_oldest) {
    const std::uint64_t wanted = std::min<std::uint64_t>(
        count, options_.queue_records == 0 ? count : options_.queue_records);
    while (free_records() < wanted && drop_oldest_waiting(wanted - free_records())) {
    }
    while (!has_room_for_bytes(*block) &&
           drop_oldest_waiting(std::numeric_limits<std::uint64_t>::max())) {
    }
  }
  std::uint32_t fitting = 0;
  if (has_room_for_bytes(*block) && make_slot()) {
    fitting = static_cast<std::uint32_t>(std::min<std::uint64_t>(count, free_records()));
  }
  if (options_.when_full == WhenFull::drop_oldest && fitting > 0) {
    // The newest of a block that is larger than the whole queue are those that stay.
    stats_.dropped += count - fitting;
    append(block, first + (count - fitting), fitting, copy, now_ns);
    return count;
  }
  if (fitting > 0) append(block, first, fitting, copy, now_ns);
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

void Port::append(const BlockRef& block, std::uint32_t first, std::uint32_t count, bool copy,
                  std::uint64_t now_ns) {
  Entry* last = size_ > 0 ? &at(size_ - 1) : nullptr;
  const bool same_block = last != nullptr && last->block == block;
  outstanding_ += count;
  stats_.queue_max = std::max(stats_.queue_max, outstanding_);
  const bool last_waits = waiting_ < size_;
  if (same_block && last_waits && last->first + last->count == first &&
      last->entered_ns == now_ns) {
    last->count += count;
    return;
  }
  std::uint64_t charge = block->capacity();
  if (same_block) {
    charge = std::exchange(last->charge, 0);
  } else {
    shares_.charge(index_, charge);
  }
  at(size_) = {.block = block,
               .first = first,
               .count = count,
               .copy = copy,
               .charge = charge,
               .entered_ns = now_ns,
               .received_ns = block->origin().received_ns};
  ++size_;
}

bool Port::drop_oldest_waiting(std::uint64_t records) {
  if (waiting_ == size_) return false;
  Entry& entry = at(waiting_);
  const auto dropped = static_cast<std::uint32_t>(std::min<std::uint64_t>(entry.count, records));
  stats_.dropped += dropped;
  outstanding_ -= dropped;
  entry.first += dropped;
  entry.count -= dropped;
  if (entry.count > 0) return true;
  let_go(waiting_);
  for (std::size_t position = waiting_; position + 1 < size_; ++position) {
    at(position) = std::move(at(position + 1));
  }
  --size_;
  return true;
}

void Port::repoint(const BlockRef& from, const BlockRef& copy) {
  SLUICE_CHECK(from->rows() == copy->rows());
  bool charged = false;
  // From the newest on, so that the charge of `from` ends up with an entry that keeps it.
  for (std::size_t position = size_; position-- > waiting_;) {
    Entry& entry = at(position);
    if (entry.block != from) continue;
    let_go(position);
    entry.block = copy;
    entry.copy = true;
    if (charged) continue;
    entry.charge = copy->capacity();
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
  return Taken{
      .block = *entry.block, .first = entry.first, .count = entry.count, .copy = entry.copy};
}

void Port::forget_block() {
  SLUICE_CHECK(waiting_ > 0);
  let_go(waiting_ - 1);
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
    entry.count -= done;
    records -= done;
    if (entry.count == 0) pop_front();
  }
}

void Port::fail(const Error& error) {
  error_ = error;
  stats_.lost += outstanding_;
  outstanding_ = 0;
  in_flight_ = 0;
  while (size_ > 0) pop_front();
}

void Port::pop_front() {
  let_go(0);
  head_ = (head_ + 1) & (ring_.size() - 1);
  --size_;
  if (waiting_ > 0) --waiting_;
}

void Port::let_go(std::size_t position) {
  Entry& entry = at(position);
  if (entry.charge > 0) {
    // An older entry of the same block goes on holding it, and now answers for it.
    Entry* older = position > 0 ? &at(position - 1) : nullptr;
    const std::uint64_t charge = std::exchange(entry.charge, 0);
    if (older != nullptr && older->block == entry.block) {
      older->charge = charge;
    } else {
      shares_.discharge(index_, charge);
    }
  }
  entry.block.reset();
}

std::optional<std::uint64_t> Port::next_due_ns() const {
  if (waiting_ == size_) return std::nullopt;
  return at(waiting_).entered_ns + options_.delay_ns;
}

}  // namespace sluice
