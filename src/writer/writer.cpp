#include "writer/writer.h"

#include <new>

#include "writer/start_line.h"

namespace sluice::json {

void Writer::new_line() { start_line(out_, std::uint64_t{options_.indent} * depth_); }

/// False, and nothing is remembered, when the output has failed: from then on all calls are empty.
bool Writer::remember_rare_level() {
  if (depth_ >= options_.max_depth) out_.fail(ErrorCode::json_depth, out_.size());
  if (out_.failed()) return false;
  if (depth_ == 0 || depth_ % kLevelsAWord != 0) return true;
  try {
    outer_.push_back(objects_);
  } catch (const std::bad_alloc&) {
    out_.fail(ErrorCode::out_of_memory, out_.size());
  }
  return !out_.failed();
}

void Writer::restore_levels() {
  if (depth_ == 0) return;
  objects_ = outer_.back();
  outer_.pop_back();
}

void Writer::end_line() {
  SLUICE_CHECK(place_ == Place::done || out_.failed());
  place_ = Place::top;
  out_.put("\n");
}

Result<void> Writer::close() {
  SLUICE_CHECK(place_ == Place::done || place_ == Place::top || out_.failed());
  return out_.close();
}

}  // namespace sluice::json
