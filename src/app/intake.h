#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "flow/pushed_source.h"
#include "memory/block.h"

namespace sluice {

/// Puts records that were received, checked and accepted into blocks, and pushes these into the
/// flow. Small ones are copied into a block that they share, since references, acknowledgements and
/// budget must cost by the block; a large one keeps the buffer that it was received in. One thread.
class Intake {
 public:
  struct Options {
    std::uint32_t source = 0;               ///< its number, for the records' origin
    std::size_t row_words = 1;              ///< of a row
    std::size_t alone_from = 4 * 1024;      ///< texts up to this size share a block
    std::size_t largest_block = 64 * 1024;  ///< of the shared ones
  };
  /// All outlive it.
  Intake(Pool& pool, Clock& clock, PushedSource& source, const Options& options);
  ~Intake();
  Intake(const Intake&) = delete;
  Intake& operator=(const Intake&) = delete;

  /// Whether `size` bytes would find room now, as far as can be known before they are there.
  bool may_have_room(std::size_t size);

  /// Takes a copy of `text`, which holds the records that `rows` tell of (whole rows; word 0 counts
  /// from the start of the text). False when there is no room; nothing is changed then.
  /// Requires: a text up to `alone_from` bytes; at least one row.
  [[nodiscard]] bool append(std::span<const std::uint8_t> text,
                            std::span<const std::uint64_t> rows);
  /// Takes over `data` (Region::input), whose records the `rows` at the start of `side`
  /// (Region::record) tell of; `text_bytes` of it
  /// were received. `multiline`: there may be newlines inside a record, or none behind one. False
  /// when there is no room; both are unchanged then.
  [[nodiscard]] bool adopt(Buffer& data, Buffer& side, std::uint32_t rows, bool multiline,
                           std::size_t text_bytes);

  /// Where acknowledgements have to come for all that was accepted.
  std::uint64_t accepted() const { return source_.pushed() + rows_; }
  bool is_stopped() const { return source_.stopped(); }
  std::size_t inlet() const { return source_.inlet(); }
  std::size_t row_words() const { return options_.row_words; }
  std::size_t alone_from() const { return options_.alone_from; }

 private:
  bool open_block(std::size_t size, std::size_t rows);
  void close_block();
  void push(OpenBlock&& block, std::uint32_t rows, bool multiline, std::uint64_t admitted,
            std::size_t text_bytes);
  bool fits(std::size_t size, std::size_t rows) const;
  std::size_t row_bytes() const { return options_.row_words * sizeof(std::uint64_t); }

  Pool& pool_;
  Clock& clock_;
  PushedSource& source_;
  Options options_;
  std::optional<OpenBlock> open_;  ///< the shared block that is being filled
  std::uint64_t admitted_ = 0;     ///< for it
  std::size_t used_ = 0;           ///< bytes of it
  std::uint32_t rows_ = 0;
  bool multiline_ = false;
  std::size_t wanted_data_;
  std::size_t wanted_rows_ = 16;
};

}  // namespace sluice
