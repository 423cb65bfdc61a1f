#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/file.h"
#include "flow/source.h"
#include "memory/block.h"
#include "sources/cutter.h"
#include "sources/input_opener.h"

namespace sluice {

/// Reads NDJSON with the memory that the study of retention policies had, so that peaks can be held
/// against its figures: each line in a buffer of its own that starts at 64 bytes and doubles by
/// copying, filled from one I/O buffer; and for as long as a line is parsed, what the study's
/// parser took (yyjson 0.12, in situ) is taken from the budget. It waits half-grown
/// where memory is short, as the study's reader did; with one source nobody waits for it.
class StudySource final : public Source {
 public:
  /// Bytes of the I/O buffer: part of what the study counted as fixed.
  static constexpr std::size_t kInputBytes = 16 * 1024;

  /// As for RecordSource. The streams of the scanner are its own and not counted: what is counted
  /// for the study's parser, and used by nobody, stands for them.
  StudySource(std::vector<std::unique_ptr<InputOpener>> inputs, const json::Selection& selection,
              const CutterOptions& options, Pool& pool, Clock& clock, Refusals& refusals);

  Step step(const HasRoom& has_room, BlockRef& block) override;
  int wait_descriptor() const override { return input_->wait_descriptor(); }
  void stop() override;
  SourceCounts counts() const override;

 private:
  enum class Fill { line, full, wait_input };
  bool open_next();
  void close_input();
  bool take_line(const HasRoom& has_room);
  Fill fill_line();
  bool read_more();
  bool grow();
  bool parse();
  Step cut(BlockRef& block);
  bool nothing_else_held() const;
  std::size_t room_for_text() const { return line_->data.capacity() - kChunkSlack; }

  std::vector<std::unique_ptr<InputOpener>> inputs_;
  const json::Selection& selection_;
  CutterOptions options_;
  alignas(64) std::array<std::byte, json::kStreamBytes> streams_;
  Pool& pool_;
  Clock& clock_;
  Refusals& refusals_;
  BlockLedger ledger_;

  std::size_t next_input_ = 0;
  std::string name_;
  std::unique_ptr<Input> input_;
  std::unique_ptr<Cutter> cutter_;
  std::optional<Buffer> buffer_;  ///< what was read and is not in a line yet
  std::size_t buffer_start_ = 0;
  std::size_t buffer_end_ = 0;
  bool at_end_ = false;
  std::optional<OpenBlock> line_;
  std::size_t line_size_ = 0;
  bool line_whole_ = false;
  bool parsed_ = false;
  std::uint64_t offset_ = 0;
  std::uint64_t lines_ = 0;
  SourceCounts counts_;
};

/// What the study's parser took for a text, one after the other, each but the last given back when
/// the next was there, in bytes: room for `4 + size / 6 + 4` values of 16 bytes, then for half as
/// many more as often as that was too few; rounded up to powers of two.
std::vector<std::size_t> study_parser_blocks(std::span<const std::uint8_t> text);

}  // namespace sluice
