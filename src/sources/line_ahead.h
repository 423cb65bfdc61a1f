#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>

#include "base/file.h"
#include "flow/source.h"
#include "memory/block.h"
#include "sources/scan_crew.h"

namespace sluice {

/// What was read ahead: a run of whole lines that a crew has checked, or whatever comes where such
/// runs end.
struct TextAhead {
  OpenBlock block;
  std::size_t size = 0;
  std::size_t carried = 0;       ///< bytes at its start that were read before
  std::size_t read = 0;          ///< bytes that were read for it
  bool is_lines = false;         ///< whole small lines; otherwise what comes where they end
  bool at_end = false;           ///< nothing follows in the input
  bool was_full = false;         ///< the block, when it had been read
  std::optional<Error> error{};  ///< that ended the input
  bool is_checked = false;       ///< by the crew, with this outcome:
  json::LineScanner::Progress progress{};
  /// Whether the rows are those of all of the text, and nothing is to be said about it.
  bool is_clean() const { return is_checked && progress.faults == 0 && progress.consumed == size; }
};

/// Has a crew read small lines, a few blocks ahead, and check them. All memory is taken and given
/// back on the caller's thread. Ends, until it is begun anew, with the first text that is no run of
/// small lines: a large line, the end of the input, an error.
class LineAhead {
 public:
  struct Limits {
    std::size_t blocks = 0;      ///< most of them ahead; at most ScanCrew::kMostTasks
    std::uint64_t bytes = 0;     ///< most that they keep, beyond one block
    std::size_t small_line = 0;  ///< largest line that shares a block, in bytes
  };
  /// How large the next block is to be.
  struct Wanted {
    std::size_t data = 0;
    std::size_t side = 0;       ///< bytes of its side area,
    std::size_t row_words = 0;  ///< whose rows have so many words
  };
  /// Largest beginning of a line with which it can begin.
  static constexpr std::size_t kLargestTail = 4 * 1024;

  /// All outlives it.
  LineAhead(ScanCrew& crew, Pool& pool, const Limits& limits)
      : crew_(crew), pool_(pool), limits_(limits) {}
  ~LineAhead() { give_up(); }

  /// Whether it may begin behind a text with `tail` left over, of a line that goes on.
  static bool can_begin(std::span<const std::uint8_t> tail);
  /// `input` stays until all was taken or given up. Requires: it never makes one wait; can_begin.
  void begin(Input& input, std::span<const std::uint8_t> tail);
  /// Whether there may be more to read, and there is a place for it.
  bool reads() const { return reading_ && texts_.size() < limits_.blocks; }
  /// Has one more block read. False when there is no memory, or a sink has no room for it.
  bool read(const Wanted& wanted, const Source::HasRoom& has_room);

  bool empty() const { return texts_.empty(); }
  /// Whether it has something, or will have.
  bool active() const { return reading_ || !empty(); }
  /// The oldest, when it has been read and checked. Requires: not empty.
  TextAhead take();
  /// The crew need not check so many of the texts that come.
  void leave_out(std::size_t texts) { left_out_ = texts; }
  /// Drops what was read.
  void give_up();

 private:
  /// A text on its way.
  struct Coming final : CrewTask {
    Coming(LineAhead& from, TextAhead&& begun, std::size_t words)
        : ahead(from), text(std::move(begun)), row_words(words) {}
    void begin() override { ahead.fill(text); }
    void finish(json::LineScanner& scanner) override;

    LineAhead& ahead;
    TextAhead text;
    std::size_t row_words;
    bool is_left_out = false;
  };

  std::optional<OpenBlock> take_block(const Wanted& wanted, const Source::HasRoom& has_room);
  void fill(TextAhead& text);

  ScanCrew& crew_;
  Pool& pool_;
  Limits limits_;
  Input* input_ = nullptr;
  std::deque<Coming> texts_;
  std::uint64_t bytes_ = 0;  ///< that they keep
  std::size_t left_out_ = 0;
  bool reading_ = false;

  // Of whoever reads next, in the order of the texts.
  std::array<std::uint8_t, kLargestTail> tail_;  ///< for the next block
  std::size_t tail_size_ = 0;
  bool ended_ = false;
};

}  // namespace sluice
