#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <utility>

#include "flow/admission.h"
#include "flow/source.h"

namespace sluice {

/// A source that is written to, from the same loop: who has records asks for room before he takes
/// memory for them, and pushes a block when it is filled. The pipeline takes the blocks in their
/// order, one a turn.
///
/// What was admitted and has not come in at the inlet yet is counted with every further question,
/// so that many bodies at once do not take more than the sinks have room for. One thread.
class PushedSource final : public Source {
 public:
  /// Blocks that may be on their way in, whatever their size.
  static constexpr std::size_t kMostOnTheWay = 4'096;

  PushedSource(Admission& admission, std::size_t inlet, Clock& clock)
      : admission_(admission), inlet_(inlet), clock_(clock), ledger_(clock) {}

  /// Whether memory may be taken that the block will keep, `bytes` at most. After true, exactly one
  /// `push` or `withdraw` of as many bytes has to follow; the memory itself still comes from the
  /// pool, which may refuse it. False: the records are to be refused (budget_full, or draining).
  [[nodiscard]] bool try_admit(std::uint64_t bytes);
  /// The block will not come.
  void withdraw(std::uint64_t bytes);
  /// As withdraw, because the pool has no memory for it.
  void refuse(std::uint64_t bytes);
  /// Its turn comes at the next turns of the loop. `text_bytes` were read for it.
  void push(BlockRef block, std::uint64_t admitted_bytes, std::uint64_t text_bytes);

  /// Is called when the pipeline asks and no block waits: who is filling one may push it then, so
  /// that what comes in one turn of the loop shares a block.
  void on_idle(std::function<void()> push) { push_ = std::move(push); }

  /// Counts how long its blocks live: give it to their origin.
  BlockLedger& ledger() { return ledger_; }
  std::size_t inlet() const { return inlet_; }
  /// Records pushed so far: where `Acknowledgements::all` has to come for those pushed last.
  std::uint64_t pushed() const { return counts_.records; }
  bool stopped() const { return stopped_; }

  Step step(const HasRoom& has_room, BlockRef& block) override;
  /// It is asked again at every turn.
  int wait_descriptor() const override { return -1; }
  /// Admits nothing more. Done when what was admitted has come.
  void stop() override { stopped_ = true; }
  SourceCounts counts() const override;

 private:
  struct Waiting {
    BlockRef block;
    std::uint64_t admitted_bytes;
  };

  Admission& admission_;
  std::size_t inlet_;
  Clock& clock_;
  BlockLedger ledger_;
  std::deque<Waiting> waiting_;
  std::uint64_t on_the_way_bytes_ = 0;
  std::size_t on_the_way_ = 0;
  std::uint64_t refused_bytes_ = 0;  ///< since the pipeline asked last
  bool stopped_ = false;
  std::function<void()> push_;
  SourceCounts counts_;
};

}  // namespace sluice
