#pragma once

#include <span>
#include <string_view>

#include "base/result.h"
#include "kernel/compact.h"
#include "kernel/decode.h"
#include "kernel/escape.h"
#include "kernel/index.h"
#include "kernel/numbers.h"
#include "kernel/shape.h"
#include "kernel/streams.h"

/// The byte work of the JSON reader, once for every instruction set. A pass goes over a whole
/// chunk, so that choosing a kernel at run time costs one indirect call a chunk and pass.
namespace sluice::kernel {

struct Kernel {
  /// The text pass (text_pass.inl): blocks of text to tokens and scalars.
  using TextPass = TextEnd (*)(TextCarry& carry, Streams& streams, const u8* text, u32 blocks,
                               u32 base);

  const char* name;
  TextPass text[kTokenForms][2];  ///< [TokenForm][escapes without a branch]
  /// Checks numbers and literals; 64 bytes behind `text` must be readable.
  ScalarEnd (*scalars)(const u8* text, u32 size);
  /// Adds the scalars that are wrong, where `scalars` said that some are; same text, `used` bytes.
  void (*suspects)(const u8* text, u32 size, Suspects& suspects);
  /// Checks the grammar of tokens; false at a fault. 64 bytes behind them must be readable.
  bool (*tokens)(TokenCarry& carry, const u8* tokens, u32 count);
  /// Skips tokens until `depth` open brackets are closed; returns how many, `count` when they are
  /// not. Requires: tokens that were checked, 64 readable bytes behind them.
  u32 (*skip)(const u8* tokens, u32 count, u32& depth);
  /// Fills rows from records of known shapes; returns the tokens of those it took.
  u32 (*replay)(Replay& replay);
  /// Appends `count` tokens that were checked to an index; `base` is added to their places.
  /// 64 tokens and places behind them must be readable, and there must be room for 64 more.
  void (*index)(IndexCarry& index, const u8* tokens, const u16* places, u32 count, u32 base);
  /// Converts the numbers among the tokens from `first` to before `end` of an index, but for those
  /// that it leaves to the exact way; at most 65,536 tokens. 64 behind them must be readable.
  void (*numbers)(Numbers& numbers, u32 first, u32 end);
  /// Counts the lines of whole blocks.
  NewlineCount (*newlines)(const u8* text, std::size_t blocks);
  /// Writes text as the inside of a JSON string, whether it is UTF-8 checked on the way.
  /// Room at `out`: kEscapeBytes x size + kEscapeSlack. Nothing behind `text` is read.
  EscapeEnd (*escape)(const u8* text, u32 size, u8* out);
  /// Copies a piece of a checked text without the blanks between tokens; returns the bytes written.
  /// Every piece but the last is of a multiple of 64 bytes. Room at `out`: size + kCompactSlack.
  /// Nothing behind `text` is read.
  u32 (*compact)(CompactCarry& carry, const u8* text, u32 size, u8* out);
  /// Decodes what stands between a checked string's quotes, from its beginning to wherever it finds
  /// no room, or an escape that is not for it: surrogates, and those that are none. Stops between
  /// characters. `out` may be `raw`, or lie before it; nothing is touched that was not read.
  Decoded (*decode)(const u8* raw, std::size_t size, u8* out, std::size_t room);
};

/// The kernels this machine can run, the plainest first.
std::span<const Kernel* const> supported();

/// The kernel that new scanners use: the fastest, or the one that the environment variable
/// SLUICE_KERNEL names. A name that cannot be had is passed over: a library does not end its
/// program. One that wants to refuse it calls `select_from_environment` first.
const Kernel& active();

/// Errors: option_value for a name that is unknown or that this machine cannot run.
Result<void> select(std::string_view name);
/// Selects what SLUICE_KERNEL names, if anything. Errors: as select.
Result<void> select_from_environment();

}  // namespace sluice::kernel
