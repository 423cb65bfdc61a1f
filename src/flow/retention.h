#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace sluice {

/// When a policy is asked about a block.
enum class Moment : std::uint8_t {
  arrival,   ///< its sinks have it, and those that finish at once have let go of it
  release,   ///< one or more sinks have let go of it, others have not
  shortage,  ///< the source cannot go on for want of memory
};
/// As a trace spells it, e.g. "arrival".
std::string_view moment_name(Moment moment);

/// A block that arrived, and what one projection takes of it. Capacities in bytes, of the records'
/// own bytes, as the study of retention policies counted them.
struct CopyQuestion {
  std::uint64_t original_capacity = 0;
  std::uint64_t copy_capacity = 0;
};

/// How sinks get what they selected before they are handed a block.
enum class EarlyCopy : std::uint8_t {
  none,    ///< they refer to the block
  shared,  ///< those with the same projection share one copy
  own,     ///< each has a copy of its own
};

/// A sink that waits to take records of a block.
struct Holder {
  std::uint32_t projection = 0;      ///< equal numbers share one copy
  std::uint64_t copy_capacity = 0;   ///< bytes that the copy would keep
  std::uint64_t selected_bytes = 0;  ///< bytes to copy
  std::uint64_t remaining_ns = 0;    ///< estimate of how long until it lets go
};

/// A block that somebody still holds.
struct HeldBlock {
  std::uint64_t capacity = 0;       ///< bytes that go when the last one lets go
  std::span<const Holder> holders;  ///< those that let go first come first
  /// Of `holders`: copies for all of them, each projection counted once.
  std::uint64_t copies_capacity = 0;
};

/// Decides who refers to a block and who gets a small copy of what he selected, so that the big
/// one can go. A copy is never waited for: without memory for one, the block serves as well.
class RetentionPolicy {
 public:
  virtual ~RetentionPolicy() = default;
  /// Asked once for each projection of a block, before anybody has it.
  virtual EarlyCopy at_arrival(const CopyQuestion&) const { return EarlyCopy::none; }
  /// Whether `copies_now` is to be asked at all at such a moment.
  virtual bool watches(Moment) const { return false; }
  /// Whether all that hold the block now get copies, and the block goes. Asked only where the
  /// copies keep less than the block, and no sink is in the middle of taking it.
  virtual bool copies_now(Moment, const HeldBlock&) const { return false; }
  /// Whether empty buffers are kept for reuse.
  virtual bool keeps_buffers() const { return true; }
};

/// One policy, in a file of its own: NAME_policy.cpp defines `NAME_policy_spec`.
struct PolicySpec {
  std::string_view name;
  std::string_view summary;  ///< one line
  std::unique_ptr<RetentionPolicy> (*make)();
};

/// All there are, collected from the *_policy.cpp files by the build, in the order of the files' names.
const std::vector<const PolicySpec*>& policy_specs();
/// Null for a name that is not among them.
std::unique_ptr<RetentionPolicy> make_retention(std::string_view name);

}  // namespace sluice
