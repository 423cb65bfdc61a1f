#pragma once

#include <cstdint>
#include <span>

#include "json/scan.h"
#include "kernel/kernel.h"

namespace sluice::json {

/// The text and scalar passes over consecutive chunks, with the state between them. After a chunk
/// its tokens stand in `streams()`, those of the chunks before included unless they were dropped.
class Passes {
 public:
  /// Bytes of text that one chunk holds at most: with the streams they fit into a 48 KiB cache.
  static constexpr std::uint32_t kChunkBytes = 16 * 1024;

  struct Chunk {
    std::uint32_t size = 0;     ///< bytes read
    bool fault = false;         ///< text fault: in the 64 bytes behind those read, or shows there
    bool scalar_fault = false;  ///< some number or literal of the text so far is none
  };

  Passes(const kernel::Kernel& kernel, const ScanOptions& options, kernel::TokenForm form,
         std::span<std::byte> memory);

  /// Forgets everything: what comes next begins a text.
  void restart();
  /// Goes on where another text or run of passes was: in the state `carry`, inside or between
  /// scalars, of which `scalar` is the beginning. No tokens are there.
  void resume(const kernel::TextCarry& carry, std::span<const std::uint8_t> scalar);
  /// Reads from the beginning of `text`, at most `size_max` bytes. `last`: nothing follows `text`;
  /// otherwise only whole blocks of 64 bytes are read. The place of the first byte is `base`.
  /// Reads nothing when the streams are full.
  Chunk read(std::span<const std::uint8_t> text, std::uint32_t size_max, bool last,
             std::uint32_t base);
  /// Ends the text: a newline token at `place`. False when the text ends inside a string or an
  /// escape, or when its last scalar is wrong.
  bool finish(std::uint32_t place);

  /// After a scalar fault: the tokens of the scalars that may be wrong, in order, and not all of
  /// them where there are very many. The first one is wrong; a true one may be behind a wrong one.
  std::span<const std::uint32_t> suspects() const { return {suspects_.numbers, suspects_.count}; }
  bool more_suspects() const { return suspects_.count == kernel::Suspects::kMax; }

  /// Drops the first `count` tokens and moves the places of the rest `shift` bytes back.
  void drop_tokens(std::uint32_t count, std::uint32_t shift);

  const kernel::Streams& streams() const { return streams_; }
  const kernel::TextCarry& carry() const { return carry_; }
  const kernel::Kernel& kernel() const { return kernel_; }

 private:
  void read_blocks(const std::uint8_t* text, std::uint32_t blocks, std::uint32_t base,
                   Chunk& chunk);
  bool read_copy(std::span<const std::uint8_t> rest, bool last, std::uint32_t base, Chunk& chunk);
  bool check_scalars();
  void find_suspects(std::uint32_t tokens_before, bool goes_on);

  const kernel::Kernel& kernel_;
  const std::uint64_t pass_surrogates_;
  const kernel::TokenForm form_;
  bool busy_ = false;
  kernel::Streams streams_;
  kernel::TextCarry carry_;
  kernel::Suspects suspects_;
};

}  // namespace sluice::json
