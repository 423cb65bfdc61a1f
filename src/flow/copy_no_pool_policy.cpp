#include "flow/retention.h"

namespace sluice {
namespace {

/// Less memory than copy, and more calls for it.
class CopyNoPool final : public RetentionPolicy {
 public:
  EarlyCopy at_arrival(const CopyQuestion&) const override { return EarlyCopy::own; }
  bool keeps_buffers() const override { return false; }
};

}  // namespace

extern const PolicySpec copy_no_pool_policy_spec{
    .name = "copy_no_pool",
    .summary = "as copy, and empty buffers are not kept for reuse",
    .make = []() -> std::unique_ptr<RetentionPolicy> { return std::make_unique<CopyNoPool>(); },
};

}  // namespace sluice
