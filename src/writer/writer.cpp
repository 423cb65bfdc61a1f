#include "writer/writer.h"

#include <new>

#include "writer/start_line.h"

namespace sluice::json {
namespace {

constexpr std::uint32_t kLevelsAWord = 64;

}  // namespace

void Writer::new_line() { start_line(out_, std::uint64_t{options_.indent} * depth_); }

void Writer::begin(char bracket, Place inside) {
  before_value();
  if (depth_ >= options_.max_depth) out_.fail(ErrorCode::json_depth, out_.size());
  if (!remember_level()) return;
  behind_value_ = inside;
  place_ = inside;
  first_ = true;
  out_.put({&bracket, 1});
}

/// False, and nothing is remembered, when the output has failed: from then on all calls are empty.
bool Writer::remember_level() {
  if (out_.failed()) return false;
  if (depth_ != 0 && depth_ % kLevelsAWord == 0) {
    try {
      outer_.push_back(objects_);
    } catch (const std::bad_alloc&) {
      out_.fail(ErrorCode::out_of_memory, out_.size());
      return false;
    }
  }
  objects_ = objects_ << 1 | (behind_value_ == Place::key ? 1 : 0);
  ++depth_;
  return true;
}

void Writer::end(char bracket, Place inside) {
  if (out_.failed()) return;
  SLUICE_CHECK(place_ == inside);
  const bool in_object = (objects_ & 1) != 0;
  objects_ >>= 1;
  --depth_;
  if (depth_ != 0 && depth_ % kLevelsAWord == 0) {
    objects_ = outer_.back();
    outer_.pop_back();
  }
  behind_value_ = depth_ == 0 ? Place::done : in_object ? Place::key : Place::element;
  place_ = behind_value_;
  if (!first_ && options_.indent != 0) new_line();
  first_ = false;
  out_.put({&bracket, 1});
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
