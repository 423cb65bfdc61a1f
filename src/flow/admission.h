#pragma once

#include <cstdint>

#include "base/loop.h"
#include "flow/fan_out.h"

namespace sluice {

/// Whether memory may be taken for records that are to come in at an inlet: asked by whoever takes
/// it, before he does.
class Admission {
 public:
  Admission(FanOut& fan_out, Loop& loop) : fan_out_(fan_out), loop_(loop) {}

  /// Whether all sinks of the inlet have room for `bytes` more, and copies keep what they need.
  bool has_room_and_reserve(std::size_t inlet, std::uint64_t bytes) const {
    return has_room(inlet, bytes) && fan_out_.leaves_room_for_copies(bytes);
  }
  bool has_room(std::size_t inlet, std::uint64_t bytes) const {
    return fan_out_.port_without_room(bytes, inlet) == nullptr;
  }
  /// As the one or the other, after held blocks were changed over to copies as far as that helps:
  /// for one who is refused and does not wait. Cost: of the copies.
  bool make_room(std::size_t inlet, std::uint64_t bytes) {
    while (!has_room_and_reserve(inlet, bytes)) {
      if (!fan_out_.relieve(bytes, loop_.now_ns(), inlet)) return has_room(inlet, bytes);
    }
    return true;
  }

 private:
  FanOut& fan_out_;
  Loop& loop_;
};

}  // namespace sluice
