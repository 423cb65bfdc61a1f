#include "flow/retention.h"

namespace sluice {
namespace {

/// Copies nothing, ever.
class Borrow final : public RetentionPolicy {};

}  // namespace

extern const PolicySpec borrow_policy_spec{
    .name = "borrow",
    .summary = "every sink refers to the block",
    .make = []() -> std::unique_ptr<RetentionPolicy> { return std::make_unique<Borrow>(); },
};

}  // namespace sluice
