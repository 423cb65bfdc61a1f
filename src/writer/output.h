#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace sluice::json {

/// Where text is written to: a string that grows, a fixed piece of memory, or a sink that takes
/// pieces. Writing is asking for room, storing without checks, and saying how far one came; the
/// first failure sticks, and whoever writes looks at it once, when closing.
///
///     if (char* at = out.room(number::kNumberBytes)) out.commit(number::write(at, value));
///
/// Not thread-safe.
class Output {
 public:
  /// The most that may be asked for at once.
  static constexpr std::size_t kRoomMax = 4096;

  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  /// At least so many bytes to store to, or null after a failure. Requires: size <= kRoomMax.
  /// Valid until the next call of anything here. Bytes behind what is committed have no meaning.
  char* room(std::size_t size) {
    if (end_ - at_ >= static_cast<std::ptrdiff_t>(size)) [[likely]] {
      return at_;
    }
    return make_room(size) ? at_ : nullptr;
  }
  /// What was stored ends there. Requires: within the room that was given last.
  void commit(char* end) { at_ = end; }
  /// Bytes that `room` has at hand.
  std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }
  /// Writes a piece of any size.
  void put(std::string_view piece) {
    if (static_cast<std::ptrdiff_t>(piece.size()) <= end_ - at_) [[likely]] {
      if (piece.empty()) return;  // either side may be null then
      std::memcpy(at_, piece.data(), piece.size());
      at_ += piece.size();
    } else {
      put_long(piece);
    }
  }

  /// About so many bytes are to come: an output that grows does so at once.
  virtual void expect(std::size_t) {}

  /// Bytes written so far, those that a sink has taken included.
  std::uint64_t size() const { return passed_ + static_cast<std::uint64_t>(at_ - start_); }
  bool failed() const { return error_.code != ErrorCode::none; }
  /// Lets all that follows be refused. The first failure counts.
  void fail(ErrorCode code, std::uint64_t offset);
  void fail(const Error& error);

  /// Brings everything to where it belongs; nothing may be written behind it.
  /// Errors: the first failure; what that means for what is there already, each output says.
  Result<void> close();

 protected:
  Output() = default;
  ~Output() = default;

  /// Makes left() at least `size`, or fails.
  virtual bool make_room(std::size_t size) = 0;
  /// A piece that does not fit into what is left.
  virtual void put_long(std::string_view piece);
  virtual void finish() = 0;

  /// From now on bytes go to `start`, up to `end`; `passed` bytes were written before it.
  void continue_at(char* start, char* end, std::uint64_t passed);
  std::string_view pending() const { return {start_, static_cast<std::size_t>(at_ - start_)}; }

 private:
  char* at_ = nullptr;
  char* end_ = nullptr;
  char* start_ = nullptr;
  std::uint64_t passed_ = 0;
  Error error_{};
};

/// Appends to a string, which grows twofold. What it holds means nothing until `close`; after a
/// failure it is what it was before.
/// Errors: out_of_memory.
class StringOutput final : public Output {
 public:
  explicit StringOutput(std::string& text);
  ~StringOutput();

  void expect(std::size_t size) override {
    if (left() < size) make_room(size);
  }

 private:
  bool make_room(std::size_t size) override;
  void put_long(std::string_view piece) override;
  void finish() override;
  void resize(std::size_t size);

  std::string& text_;
  std::size_t size_before_;
  bool closed_ = false;
};

/// Writes to memory of a fixed size, never beyond its end.
/// Errors: output_full; the memory then holds the text's beginning.
class SpanOutput final : public Output {
 public:
  explicit SpanOutput(std::span<char> memory);
  ~SpanOutput() = default;

  /// What was written; after `close`.
  std::string_view text() const { return {memory_.data(), used_}; }

 private:
  bool make_room(std::size_t size) override;
  void finish() override;
  bool settle();

  std::span<char> memory_;
  std::size_t used_ = 0;
  bool in_scratch_ = false;
  /// The end of the text is stored here first: whoever asks for room may write less.
  std::array<char, kRoomMax> scratch_;
};

/// Takes text piece by piece.
class PieceSink {
 public:
  virtual ~PieceSink() = default;
  /// The piece is gone after the call. An error ends the writing.
  virtual Result<void> take(std::string_view piece) = 0;
};

/// Hands text to a sink, in pieces of up to 16 KiB and larger ones as they come, in constant
/// memory. Errors: those of the sink, which may have taken a part of the text.
class SinkOutput final : public Output {
 public:
  /// `sink` outlives the output.
  explicit SinkOutput(PieceSink& sink);
  ~SinkOutput() = default;

 private:
  bool make_room(std::size_t size) override;
  void put_long(std::string_view piece) override;
  void finish() override;
  bool hand_over(std::string_view piece);

  PieceSink& sink_;
  std::array<char, 16384> buffer_;
};

}  // namespace sluice::json
