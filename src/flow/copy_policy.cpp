#include "flow/retention.h"

namespace sluice {
namespace {

/// No sink ever holds up another's memory; the same bytes may be there several times.
class Copy final : public RetentionPolicy {
 public:
  EarlyCopy at_arrival(const CopyQuestion&) const override { return EarlyCopy::own; }
};

}  // namespace

extern const PolicySpec copy_policy_spec{
    .name = "copy",
    .summary = "every sink gets a copy of what it selected",
    .make = []() -> std::unique_ptr<RetentionPolicy> { return std::make_unique<Copy>(); },
};

}  // namespace sluice
