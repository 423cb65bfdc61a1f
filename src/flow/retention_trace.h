#pragma once

#include <cstdint>
#include <span>

#include "flow/retention.h"

namespace sluice {

/// One decision to copy: what, when and why.
struct CopyDecision {
  std::uint64_t at_ns = 0;
  std::uint32_t block = 0;  ///< its number, in the order in which blocks came
  std::uint32_t records = 0;
  std::uint64_t capacity = 0;         ///< of the block
  std::uint64_t copies_capacity = 0;  ///< of all copies together
  std::uint64_t copied_bytes = 0;
  /// Before anybody had the block, by its sizes alone; `holders` is empty then.
  bool early = false;
  Moment moment = Moment::arrival;
  std::span<const Holder> holders;
  bool refused = false;  ///< there was no memory for the copies
};

/// Is told of every decision to copy.
class RetentionTrace {
 public:
  virtual ~RetentionTrace() = default;
  virtual void on_copy(const CopyDecision& decision) = 0;
};

}  // namespace sluice
