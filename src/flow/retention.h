#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace sluice {

/// What a decision is about: a block that arrived, and what one projection takes of it.
struct CopyQuestion {
  std::uint64_t original_capacity = 0;  ///< bytes that live as long as the block is referred to
  std::uint64_t copy_capacity = 0;      ///< bytes that a copy of the selected ranges would keep
};

/// Decides which sinks refer to a block and which get a small copy of what they selected, so that
/// the big one can go. Sinks with the same projection share one answer, and one copy.
class RetentionPolicy {
 public:
  virtual ~RetentionPolicy() = default;
  virtual bool copies(const CopyQuestion& question) const = 0;
};

/// The names that `make_retention` knows, in the order of the documents.
std::vector<std::string_view> retention_names();
/// Null for a name that is not among them.
std::unique_ptr<RetentionPolicy> make_retention(std::string_view name);

}  // namespace sluice
