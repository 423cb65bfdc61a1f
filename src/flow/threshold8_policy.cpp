#include "flow/retention.h"

namespace sluice {
namespace {

/// Copies what is small against what it would keep alive.
class Threshold8 final : public RetentionPolicy {
 public:
  EarlyCopy at_arrival(const CopyQuestion& question) const override {
    const bool small = question.original_capacity >= kRatio * question.copy_capacity;
    return small ? EarlyCopy::shared : EarlyCopy::none;
  }

 private:
  static constexpr std::uint64_t kRatio = 8;
};

}  // namespace

extern const PolicySpec threshold8_policy_spec{
    .name = "threshold8",
    .summary = "a shared copy where the block is at least 8 times as large, else the block",
    .make = []() -> std::unique_ptr<RetentionPolicy> { return std::make_unique<Threshold8>(); },
};

}  // namespace sluice
