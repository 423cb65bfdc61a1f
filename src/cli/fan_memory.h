#pragma once

#include <cstddef>
#include <cstdint>

#include "memory/pool.h"
#include "sources/record_source.h"

namespace sluice {

/// What a run takes from its budget before any record, and how its parts divide the rest.
class FanMemory {
 public:
  struct Run {
    std::size_t sinks = 0;
    std::size_t fields = 0;  ///< how many are scanned for
    std::size_t threads = 1;
    bool study = false;  ///< as the study of retention policies counted
    std::size_t sources = 1;
    std::uint64_t reserved_bytes = 0;  ///< for parts that the run does not make itself
  };
  FanMemory(const Pool& pool, const Run& run)
      : pool_(pool),
        sinks_(run.sinks),
        fields_(run.fields),
        threads_(run.threads),
        study_(run.study),
        sources_(run.sources),
        reserved_(run.reserved_bytes) {}

  /// Objects of the run itself.
  std::size_t state_bytes() const;
  /// All that is taken whatever the input.
  std::uint64_t reserved_bytes() const;
  /// The least budget under which records of up to `max_record` bytes pass: of what the reserves
  /// leave, a quarter is for batches that grow.
  std::uint64_t needed_bytes(std::uint64_t max_record) const;

  /// Of a budget of so many bytes: what is divided among the sinks; with several sources, less what
  /// the largest record needs, so that a sink which has stopped does not stop the others...
  std::uint64_t shared_bytes(std::uint64_t budget_bytes, std::uint64_t max_record) const;
  /// ...how large the block of small records and the batch of a sink may become...
  std::size_t largest_block(std::uint64_t budget_bytes) const;
  std::size_t largest_batch(std::uint64_t budget_bytes) const;
  /// ...how many blocks are read ahead for more than one thread, and what they may keep...
  std::size_t blocks_ahead() const;
  std::uint64_t bytes_ahead(std::uint64_t budget_bytes) const;
  /// ...how many records a block may hold where the shortest queue is bounded to so many (0: not at
  /// all)...
  static std::size_t most_records(std::uint64_t shortest_queue) {
    return static_cast<std::size_t>(shortest_queue == 0 ? 0 : (shortest_queue + 3) / 4);
  }
  /// ...and from which size on a record travels alone.
  std::size_t alone_from() const { return study_ ? 0 : 4 * 1024; }

 private:
  std::uint64_t rest_bytes(std::uint64_t budget_bytes) const {
    return budget_bytes - reserved_bytes();
  }
  std::uint64_t record_bytes(std::uint64_t max_record) const;

  const Pool& pool_;
  std::size_t sinks_;
  std::size_t fields_;
  std::size_t threads_;
  bool study_;
  std::size_t sources_;
  std::uint64_t reserved_;
};

}  // namespace sluice
