#include "cli/fan_memory.h"

#include <algorithm>
#include <bit>

#include "sinks/byte_writer.h"
#include "sources/study_source.h"

namespace sluice {
namespace {

constexpr std::size_t kSmallestBlock = 4 * 1024;
constexpr std::size_t kLargestBlock = 64 * 1024;
constexpr std::size_t kBlocksAheadAThread = 8;
constexpr std::size_t kLargestBatch = 256 * 1024;
/// Objects of the run itself, for all sinks and for each: what they are, and room for names.
constexpr std::size_t kStateBytes = 2560;
constexpr std::size_t kStateBytesASink = sizeof(Port) + sizeof(ByteWriter) + 256;

constexpr std::size_t kStateBytesASource = sizeof(RecordSource) + 1024;
/// What a source keeps while it does not grow: its side area, and its smallest blocks.
constexpr std::size_t kSourceBytes = 48 * 1024;

/// The study had no shares of the budget: one source, and the budget alone, decided.
constexpr std::uint64_t kNoShares = std::uint64_t{1} << 62;
/// What the study's program counted as fixed state and queues, and a queue of 64 of ours.
constexpr std::size_t kStudyFixedBytes = 41 * 1024;
constexpr std::size_t kStudyQueueBytes = 64 * 40;

std::size_t power_of_two_up_to(std::uint64_t bytes, std::size_t least, std::size_t most) {
  return std::clamp(static_cast<std::size_t>(std::bit_floor(std::max<std::uint64_t>(bytes, 1))),
                    least, most);
}

}  // namespace

/// For the study as much as its program had, where ours is less: what is held against its peaks is
/// not ours to choose.
std::size_t FanMemory::state_bytes() const {
  const std::size_t own = kStateBytes + sinks_ * kStateBytesASink +
                          (sources_ - 1) * kStateBytesASource +
                          (threads_ > 1 ? sizeof(ScanCrew) : 0);
  if (!study_) return own;
  const std::size_t rest =
      StudySource::kInputBytes + sinks_ * (Batch::reserve_bytes(pool_) + kStudyQueueBytes);
  return std::max(own, kStudyFixedBytes - std::min(kStudyFixedBytes, rest));
}

std::uint64_t FanMemory::reserved_bytes() const {
  const std::size_t streams = study_ ? 0 : threads_ * pool_.capacity_of(json::kStreamBytes);
  return state_bytes() + reserved_ + sinks_ * Batch::reserve_bytes(pool_) + streams;
}

std::uint64_t FanMemory::record_bytes(std::uint64_t max_record) const {
  SourceOptions options;
  options.cutter.max_record = static_cast<std::size_t>(max_record);
  return RecordSource::largest_need(pool_, options, fields_);
}

/// With several sources another quarter is for the blocks that they begin.
std::uint64_t FanMemory::needed_bytes(std::uint64_t max_record) const {
  const std::uint64_t record = record_bytes(max_record);
  const std::uint64_t sinks = sinks_ * kSmallestBlock;
  if (sources_ == 1) return reserved_bytes() + record * 4 / 3 + sinks;
  return reserved_bytes() + 2 * (record + (sources_ - 1) * kSourceBytes) + sinks;
}

std::uint64_t FanMemory::shared_bytes(std::uint64_t budget_bytes, std::uint64_t max_record) const {
  if (study_) return kNoShares;
  const std::uint64_t rest = rest_bytes(budget_bytes);
  return sources_ == 1 ? rest : rest - std::min(rest / 2, record_bytes(max_record));
}

std::size_t FanMemory::largest_block(std::uint64_t budget_bytes) const {
  return power_of_two_up_to(rest_bytes(budget_bytes) / 8 / sources_, kSmallestBlock, kLargestBlock);
}

std::size_t FanMemory::blocks_ahead() const {
  return std::min(kBlocksAheadAThread * (threads_ - 1), ScanCrew::kMostTasks);
}

std::uint64_t FanMemory::bytes_ahead(std::uint64_t budget_bytes) const {
  return rest_bytes(budget_bytes) / 8;
}

std::size_t FanMemory::largest_batch(std::uint64_t budget_bytes) const {
  return power_of_two_up_to(rest_bytes(budget_bytes) / 4 / sinks_, Batch::kSmallestScratch,
                            kLargestBatch);
}

}  // namespace sluice
