#include "flow/retention.h"

#include <array>

namespace sluice {
namespace {

/// Every sink refers to the original.
class Borrow final : public RetentionPolicy {
 public:
  bool copies(const CopyQuestion&) const override { return false; }
};

/// Sinks that selected the same share one copy, however large.
class SharedCopy final : public RetentionPolicy {
 public:
  bool copies(const CopyQuestion&) const override { return true; }
};

/// Copies what is small against what it would keep alive.
class Threshold final : public RetentionPolicy {
 public:
  explicit Threshold(std::uint64_t ratio) : ratio_(ratio) {}
  bool copies(const CopyQuestion& question) const override {
    return question.original_capacity >= ratio_ * question.copy_capacity;
  }

 private:
  std::uint64_t ratio_;
};

struct Row {
  std::string_view name;
  std::unique_ptr<RetentionPolicy> (*make)();
};

constexpr std::array kPolicies{
    Row{"borrow", []() -> std::unique_ptr<RetentionPolicy> { return std::make_unique<Borrow>(); }},
    Row{"shared_copy",
        []() -> std::unique_ptr<RetentionPolicy> { return std::make_unique<SharedCopy>(); }},
    Row{"threshold8",
        []() -> std::unique_ptr<RetentionPolicy> { return std::make_unique<Threshold>(8); }},
};

}  // namespace

std::vector<std::string_view> retention_names() {
  std::vector<std::string_view> names;
  for (const Row& row : kPolicies) names.push_back(row.name);
  return names;
}

std::unique_ptr<RetentionPolicy> make_retention(std::string_view name) {
  for (const Row& row : kPolicies) {
    if (row.name == name) return row.make();
  }
  return nullptr;
}

}  // namespace sluice
