#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

/// Fan-outs in virtual time: records, sinks and arrivals as drawn, run by the shipping flow.
namespace sluice::model {

inline constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
inline constexpr std::uint64_t kUs = 1'000;
inline constexpr std::uint64_t kMs = 1'000'000;

/// A record and the JSON texts of its fields tag, body, more and extra, in bytes; the rest of it is
/// a field that nobody selects.
struct RecordPlan {
  static constexpr std::size_t kFields = 4;
  std::uint32_t size = 0;
  std::uint32_t fields[kFields] = {};
  std::uint64_t arrives_ns = 0;
};

/// What a sink selects: bits of fields, or the whole record.
inline constexpr std::uint32_t kWhole = 1u << 31;

struct SinkPlan {
  std::uint32_t selects = 1;
  std::uint64_t hold_ns = 0;     ///< a record leaves so long after it entered
  std::uint64_t service_ns = 0;  ///< and the next at least so long after it
  std::uint64_t changes_at_ns = kNever;
  std::uint64_t later_hold_ns = 0;
  std::uint64_t later_service_ns = 0;
  std::uint64_t stalls_at_ns = kNever;
  std::uint64_t stall_ns = 0;
  std::uint64_t queue = 64;  ///< records
};

struct Condition {
  std::string name;
  std::vector<RecordPlan> records;
  std::vector<SinkPlan> sinks;
  std::uint64_t budget_bytes = 64 << 20;
  /// Instead: so many times the largest record (counted as at least 8 KiB) on top of the reserves.
  double budget_records = 0;
  /// The field that nobody selects is a list of short strings, a value in five bytes; else one
  /// string.
  bool many_values = false;

  std::uint32_t largest_record() const;
};

/// The study's six: records of the sizes that its figures allow.
std::vector<Condition> study_conditions();
/// Small records, and a sink that holds a tag of each for a window of 4,096.
std::vector<Condition> small_conditions();
/// Condition `index` of the draw `seed`, by the rule of experiments/fanout/RULE.md.
Condition draw_condition(std::uint64_t seed, std::uint64_t index);

/// The records as NDJSON; `ends`, by record: where its line ends in the text.
std::string make_text(const Condition& condition, std::vector<std::size_t>& ends);

}  // namespace sluice::model
