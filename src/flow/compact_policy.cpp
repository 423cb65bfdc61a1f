#include "flow/retention.h"

namespace sluice {
namespace {

/// Late copying: by then the block has been held long enough. A single sink never gets a copy,
/// since nobody lets go before it does.
class Compact final : public RetentionPolicy {
 public:
  bool watches(Moment moment) const override { return moment == Moment::release; }
  bool copies_now(Moment, const HeldBlock& block) const override {
    return block.holders.size() == 1;
  }
};

}  // namespace

extern const PolicySpec compact_policy_spec{
    .name = "compact",
    .summary = "a copy for the last sink that still holds a block",
    .make = []() -> std::unique_ptr<RetentionPolicy> { return std::make_unique<Compact>(); },
};

}  // namespace sluice
