#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "typed/kinds.h"
#include "typed/members.h"
#include "worker.h"

/// The frame of a program that reads one JSON text for the text benchmark; worker.h has the frame
/// of those that read lines, and the protocol.
///
///     worker JOB FILE
///     check      is it JSON?
///     document   a tree, every number and string converted
///     on_demand  a document of which nothing was asked yet
///     converted  the same, and every number and string is asked for once
///     numbers    every number as a double
///     strings    every string decoded
///     typed      all of twitter, citm or canada in structs;    brief: a few fields of twitter
///     write      a document that was read before is written, compact
///     write_typed  the same from structs; empty members are left out
///     fault, fault_typed  the text is bad near its end: line and column of the fault
///
/// ACCEPTED is 1 when it is JSON. SUM is taken once, outside of the time, except for converted,
/// numbers, strings and faults: over all values, strings count their decoded bytes, numbers the
/// bits of the nearest double, true 1, false 2; modulo 2^64. For faults it is 1,000 * line +
/// column; for writing it is the sum of what was written, read again.
/// SUM_OF_REFUSED_LINES has no use here, and is the size of what Sluice wrote.
namespace bench {

inline std::uint64_t sum_of(double number) { return std::bit_cast<std::uint64_t>(number); }
inline std::uint64_t sum_of(bool value) { return value ? 1 : 2; }

/// The same of a struct, so that what was read can be compared with the text.
template <class T>
std::uint64_t sum_of_typed(const T& value) {
  std::uint64_t sum = 0;
  if constexpr (std::same_as<T, bool>) {
    return sum_of(value);
  } else if constexpr (std::is_arithmetic_v<T>) {
    return sum_of(static_cast<double>(value));
  } else if constexpr (std::same_as<T, std::string>) {
    return value.size();
  } else if constexpr (sluice::json::Nullable<T>) {
    return value ? sum_of_typed(*value) : 0;
  } else if constexpr (sluice::json::Map<T>) {
    for (const auto& [key, each] : value) sum += sum_of_typed(each);
  } else if constexpr (sluice::json::Sequence<T> || sluice::json::reflection::kIsArray<T>) {
    for (const auto& each : value) sum += sum_of_typed(each);
  } else {
    std::apply([&](const auto&... member) { ((sum += sum_of_typed(member)), ...); },
               sluice::json::members_of(value));
  }
  return sum;
}

/// Answers with what `job` returns each time: whether it is JSON, and a sum that costs nothing to
/// take, plus `checked`, which was taken once.
inline Answer answer_of(bool good, std::uint64_t sum) {
  Answer answer;
  answer.accepted = good;
  answer.sum = good ? sum : 0;
  return answer;
}

}  // namespace bench
