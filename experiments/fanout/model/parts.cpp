#include "parts.h"

#include <algorithm>
#include <cstring>

#include "record/record.h"

namespace sluice::model {
namespace {

std::uint64_t cost(double ns_a_byte, std::uint64_t bytes) {
  return static_cast<std::uint64_t>(ns_a_byte * static_cast<double>(bytes));
}

}  // namespace

ArrivingInput::ArrivingInput(const std::string& text, const std::vector<std::size_t>& ends,
                             const std::vector<RecordPlan>& records, ManualClock& clock,
                             ManualPoller& poller)
    : text_(text),
      ends_(ends),
      records_(records),
      clock_(clock),
      poller_(poller),
      start_ns_(clock.now_ns()) {}

Result<ReadResult> ArrivingInput::read(std::span<std::uint8_t> into) {
  const std::uint64_t now = clock_.now_ns() - start_ns_;
  while (arrived_ < records_.size() && records_[arrived_].arrives_ns <= now) ++arrived_;
  if (at_ == text_.size()) return ReadResult{.end = true};
  const std::size_t there = arrived_ == 0 ? 0 : ends_[arrived_ - 1];
  const std::size_t size = std::min(into.size(), there - at_);
  if (size == 0) {
    poller_.set_ready(kDescriptor, start_ns_ + records_[arrived_].arrives_ns);
    return ReadResult{};
  }
  std::memcpy(into.data(), text_.data() + at_, size);
  at_ += size;
  return ReadResult{.bytes = size};
}

Source::Step TimedSource::step(const HasRoom& has_room, BlockRef& block) {
  const Step step = source_.step(has_room, block);
  if (step != Step::block) return step;
  std::uint64_t bytes = 0;
  for (std::uint32_t row = 0; row < block->rows(); ++row) {
    bytes += RecordView(*block, row).body().size();
  }
  clock_.advance(cost(costs_.parse_ns_a_byte, bytes) + costs_.parse_ns * block->rows());
  return step;
}

void CopyTimer::on_copy(const CopyDecision& decision) {
  clock_.advance(cost(costs_.copy_ns_a_byte, decision.copied_bytes) + costs_.copy_ns);
}

ModelSink::ModelSink(const SinkPlan& plan, Port& port, std::uint32_t fields, const Costs& costs,
                     Loop& loop, ManualClock& clock)
    : plan_(plan),
      port_(port),
      fields_(fields),
      costs_(costs),
      loop_(loop),
      clock_(clock),
      start_ns_(clock.now_ns()) {}

/// One after the other, each at least `service` behind the one before and `hold` after it entered.
std::uint64_t ModelSink::leaves_ns(const Port::Next& next) {
  const bool later = next.entered_ns - start_ns_ >= plan_.changes_at_ns;
  const std::uint64_t hold = later ? plan_.later_hold_ns : plan_.hold_ns;
  const std::uint64_t service = later ? plan_.later_service_ns : plan_.service_ns;
  busy_until_ns_ = std::max(next.entered_ns, busy_until_ns_) + service * next.count;
  std::uint64_t leaves = std::max(busy_until_ns_ + hold, last_left_ns_);
  if (plan_.stalls_at_ns != kNever) {
    const std::uint64_t from = start_ns_ + plan_.stalls_at_ns;
    if (leaves >= from && leaves < from + plan_.stall_ns) {
      leaves = from + plan_.stall_ns;
      busy_until_ns_ = std::max(busy_until_ns_, leaves);
    }
  }
  return last_left_ns_ = leaves;
}

bool ModelSink::pump() {
  bool moved = false;
  while (const auto next = port_.next()) {
    if (!std::exchange(knows_next_, true)) next_leaves_ns_ = leaves_ns(*next);
    if (next_leaves_ns_ > clock_.now_ns()) {
      loop_.set(wake_, next_leaves_ns_);
      break;
    }
    const auto taken = port_.take(clock_.now_ns());
    clock_.advance(cost(costs_.take_ns_a_byte, selected_bytes(*taken)) + costs_.take_ns);
    port_.acknowledge(taken->count, clock_.now_ns());
    knows_next_ = false;
    moved = true;
  }
  return moved;
}

std::uint64_t ModelSink::selected_bytes(const Taken& taken) const {
  std::uint64_t bytes = 0;
  for (std::uint32_t row = taken.first; row < taken.first + taken.count; ++row) {
    const RecordView record(taken.block, row);
    const auto& chosen = port_.options().projection.fields;
    if (chosen.empty()) bytes += record.body().size();
    for (std::size_t at = 0; at < chosen.size(); ++at) {
      bytes += taken.block.is_copy() ? record
                                           .field(static_cast<std::uint32_t>(at),
                                                  static_cast<std::uint32_t>(chosen.size()))
                                           .size()
                                     : record.field(chosen[at], fields_).size();
    }
  }
  return bytes;
}

}  // namespace sluice::model
