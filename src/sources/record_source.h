#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/file.h"
#include "flow/source.h"
#include "memory/block.h"
#include "sources/cutter.h"
#include "sources/format_detector.h"
#include "sources/input_opener.h"
#include "sources/line_ahead.h"

namespace sluice {

struct SourceOptions {
  CutterOptions cutter;
  InputFormat format = InputFormat::automatic;
  std::size_t largest_block = 64 * 1024;  ///< bytes that small records share at most
  std::size_t most_records = 0;           ///< that share a block; 0: as many as fit
  std::size_t blocks_ahead = 0;           ///< read ahead for a crew, at most
  std::uint64_t bytes_ahead = 0;          ///< that they keep, beyond one block
  /// Other sources take from the same budget: a block is larger than `largest_block` only while
  /// its growth is promised, and while an input makes one wait, memory without text goes back.
  bool shares_budget = false;
  std::uint32_t source = 0;  ///< its number, for the records' metadata
};

/// Reads the inputs one after the other, cuts them into blocks of checked records. A buffer starts
/// as small as the last record and grows only while it stays full; what was read behind the end of
/// a block is carried over to the next, in place when nobody holds the block any more.
class RecordSource final : public Source {
 public:
  /// Everything given by reference outlives the source. `streams` as for json::LineScanner. With a
  /// crew, small lines are read ahead for it to check, where nothing bounds the records of a block.
  RecordSource(std::vector<std::unique_ptr<InputOpener>> inputs, const json::Selection& selection,
               const SourceOptions& options, std::span<std::byte> streams, Pool& pool, Clock& clock,
               Refusals& refusals, ScanCrew* crew = nullptr);

  Step step(const HasRoom& has_room, BlockRef& block) override;
  int wait_descriptor() const override { return input_->wait_descriptor(); }
  void stop() override;

  SourceCounts counts() const override;

  /// The least that `has_room` and the budget must grant for any record to pass.
  static std::size_t largest_need(const Pool& pool, const SourceOptions& options,
                                  std::size_t fields);

 private:
  bool open_next();
  void close_input();
  bool take_block(const HasRoom& has_room);
  void fit(Buffer& buffer, std::size_t size);
  void carry_into(OpenBlock& block, const std::uint8_t* tail);
  bool grow(const HasRoom& has_room);
  Step read_more();
  Step cut(BlockRef& block);
  Step settle(const Cut& cut, std::span<const std::uint8_t> text, BlockRef& block);
  bool decide_format();
  std::optional<Step> step_ahead(const HasRoom& has_room, BlockRef& block);
  void begin_ahead();
  bool read_ahead(const HasRoom& has_room);
  std::optional<Step> take_ahead(BlockRef& block);
  void trim(std::size_t used);
  void make_block(const Cut& cut, BlockRef& block);
  void adapt(const Cut& cut, std::size_t text_size);
  void give_back_unused();
  static std::size_t room_in(const OpenBlock& block) { return block.data.capacity() - kChunkSlack; }
  const std::uint8_t* tail() const {
    return aside_ ? aside_.data() : previous_ ? previous_->data() + tail_start_ : nullptr;
  }
  std::size_t room_for_text() const { return room_in(*open_); }
  std::span<std::uint8_t> text() const { return {open_->data.data(), text_size_}; }
  std::size_t most_rows() const;
  std::size_t row_bytes() const {
    return json::row_words(selection_.size()) * sizeof(std::uint64_t);
  }

  std::vector<std::unique_ptr<InputOpener>> inputs_;
  const json::Selection& selection_;
  SourceOptions options_;
  std::span<std::byte> streams_;
  Pool& pool_;
  Clock& clock_;
  Refusals& refusals_;
  BlockLedger ledger_;

  std::size_t next_input_ = 0;
  std::string name_;
  std::unique_ptr<Input> input_;
  std::optional<FormatDetector> detector_;
  std::unique_ptr<Cutter> cutter_;
  bool at_end_ = false;
  bool needs_bytes_ = false;
  std::uint64_t offset_ = 0;  ///< of the text in the input
  Place place_;

  std::optional<OpenBlock> open_;
  std::size_t text_size_ = 0;
  Promise promise_;    ///< while the block grows beyond its first size
  BlockRef previous_;  ///< holds the tail until there is a block for it, unless `aside_` does
  Buffer aside_;
  std::size_t tail_start_ = 0;
  std::size_t tail_size_ = 0;
  std::size_t wanted_data_ = 4 * 1024;
  std::size_t last_alone_ = 0;  ///< size of the last record that travelled alone
  std::size_t wanted_rows_ = 64;

  std::optional<LineAhead> ahead_;

  SourceCounts counts_;
};

}  // namespace sluice
