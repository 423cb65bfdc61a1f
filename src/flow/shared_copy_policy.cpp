#include "flow/retention.h"

namespace sluice {
namespace {

/// However large the copy.
class SharedCopy final : public RetentionPolicy {
 public:
  EarlyCopy at_arrival(const CopyQuestion&) const override { return EarlyCopy::shared; }
};

}  // namespace

extern const PolicySpec shared_copy_policy_spec{
    .name = "shared_copy",
    .summary = "sinks that selected the same share one copy",
    .make = []() -> std::unique_ptr<RetentionPolicy> { return std::make_unique<SharedCopy>(); },
};

}  // namespace sluice
