#include "flow/fan_out.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "record/selected_copy.h"

namespace sluice {

FanOut::FanOut(Pool& pool, const RetentionPolicy& policy, std::uint32_t fields,
               std::vector<PortOptions> ports, std::uint64_t rest_bytes)
    : pool_(pool),
      policy_(policy),
      fields_(fields),
      shares_(rest_bytes, ports.size()),
      delivered_(ports.size(), 0) {
  for (PortOptions& options : ports) {
    const auto group = std::find_if(groups_.begin(), groups_.end(), [&](const Group& each) {
      return each.projection == options.projection;
    });
    group_of_.push_back(static_cast<std::size_t>(group - groups_.begin()));
    if (group == groups_.end()) groups_.push_back({.projection = options.projection, .copy = {}});
    ports_.emplace_back(std::move(options), ports_.size(), shares_, pool);
  }
}

const Port* FanOut::port_without_room(std::uint64_t bytes) const {
  const auto port = std::find_if(ports_.begin(), ports_.end(),
                                 [=](const Port& each) { return !each.has_room(bytes); });
  return port == ports_.end() ? nullptr : &*port;
}

bool FanOut::all_failed() const {
  return std::ranges::all_of(ports_, [](const Port& port) { return port.failed(); });
}

void FanOut::offer(BlockRef block, std::uint64_t now_ns) {
  SLUICE_CHECK(idle() && block->rows() > 0);
  block_ = std::move(block);
  std::fill(delivered_.begin(), delivered_.end(), 0);
  make_copies();
  deliver(now_ns);
}

void FanOut::make_copies() {
  for (Group& group : groups_) {
    const SelectedCopy copy(*block_, group.projection, fields_);
    const CopyQuestion question{.original_capacity = block_->capacity(),
                                .copy_capacity = pool_.capacity_of(copy.size_bytes())};
    if (!policy_.copies(question)) continue;
    // Early copies never wait: without memory for one, the original serves as well.
    if (std::optional<BlockRef> made = copy.make(pool_)) {
      group.copy = std::move(*made);
      copied_bytes_ += copy.selected_bytes();
    }
  }
}

bool FanOut::deliver(std::uint64_t now_ns) {
  if (idle()) return false;
  bool moved = false;
  bool complete = true;
  const std::uint32_t rows = block_->rows();
  for (std::size_t index = 0; index < ports_.size(); ++index) {
    std::uint32_t& done = delivered_[index];
    if (done == rows) continue;
    const BlockRef& copy = groups_[group_of_[index]].copy;
    const std::uint32_t settled = ports_[index].enter(copy ? copy : block_, done, rows - done,
                                                      static_cast<bool>(copy), now_ns);
    done += settled;
    moved = moved || settled > 0;
    complete = complete && done == rows;
  }
  if (complete) {
    for (Group& group : groups_) group.copy.reset();
    block_.reset();
  }
  return moved;
}

std::uint64_t FanOut::undelivered(std::size_t index) const {
  return idle() ? 0 : block_->rows() - delivered_[index];
}

}  // namespace sluice
