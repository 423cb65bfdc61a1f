#include "flow/pushed_source.h"

#include <utility>

#include "base/check.h"

namespace sluice {

bool PushedSource::try_admit(std::uint64_t bytes) {
  if (stopped_ || on_the_way_ == kMostOnTheWay) return false;
  if (!admission_.make_room(inlet_, on_the_way_bytes_ + bytes)) {
    refused_bytes_ = on_the_way_bytes_ + bytes;
    return false;
  }
  if (counts_.started_ns == 0) counts_.started_ns = clock_.now_ns();
  on_the_way_bytes_ += bytes;
  ++on_the_way_;
  return true;
}

void PushedSource::withdraw(std::uint64_t bytes) {
  SLUICE_CHECK(on_the_way_ > 0 && on_the_way_bytes_ >= bytes);
  on_the_way_bytes_ -= bytes;
  --on_the_way_;
}

void PushedSource::refuse(std::uint64_t bytes) {
  refused_bytes_ = on_the_way_bytes_;
  withdraw(bytes);
}

void PushedSource::push(BlockRef block, std::uint64_t admitted_bytes, std::uint64_t text_bytes) {
  SLUICE_CHECK(waiting_.size() < on_the_way_);
  counts_.records += block->rows();
  counts_.bytes_read += text_bytes;
  waiting_.push_back({.block = std::move(block), .admitted_bytes = admitted_bytes});
}

/// Room was asked for when a block was admitted. Where it was refused, the pipeline is to know that
/// somebody waits for room, so that sinks hold nothing back.
Source::Step PushedSource::step(const HasRoom& has_room, BlockRef& block) {
  if (waiting_.empty() && push_) push_();
  if (waiting_.empty()) {
    const std::uint64_t refused = std::exchange(refused_bytes_, 0);
    if (stopped_ && on_the_way_ == 0) return Step::done;
    if (refused == 0) return Step::wait_input;
    static_cast<void>(has_room(refused));
    return Step::wait_room;
  }
  block = std::move(waiting_.front().block);
  withdraw(waiting_.front().admitted_bytes);
  waiting_.pop_front();
  return Step::block;
}

SourceCounts PushedSource::counts() const {
  SourceCounts counts = counts_;
  counts.original_byte_seconds = ledger_.byte_seconds();
  return counts;
}

}  // namespace sluice
