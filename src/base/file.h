#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"

namespace sluice {

/// Owns a descriptor; closes it at the end and says nothing. Where a failing close matters, take
/// the descriptor out first.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(Descriptor&& other) noexcept : value_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();

  int get() const { return value_; }
  bool is_open() const { return value_ >= 0; }
  int release();

 private:
  int value_ = -1;
};

/// What a read brought.
struct ReadResult {
  std::size_t bytes = 0;
  bool end = false;  ///< nothing will ever follow; without bytes and end, try again when ready
};

/// Bytes that come in: a file, a pipe, or a simulation of one.
class Input {
 public:
  virtual ~Input() = default;
  /// Never blocks where `wait_descriptor` says that one can wait.
  /// Errors: input_read with the errno.
  virtual Result<ReadResult> read(std::span<std::uint8_t> into) = 0;
  /// Becomes readable when a read gets on; -1 for what is always ready.
  virtual int wait_descriptor() const = 0;
};

/// Bytes that go out: a file, a pipe, or a simulation of one.
class Output {
 public:
  virtual ~Output() = default;
  /// Writes some of `pieces` (at least one byte in all) and says how many bytes went; 0 when it
  /// would have to wait, see `wait_descriptor`.
  /// Errors: sink_write with the errno; sink_closed when nobody reads any more.
  virtual Result<std::size_t> write(std::span<const iovec> pieces) = 0;
  /// Becomes writable when a write gets on; -1 for what never makes one wait.
  virtual int wait_descriptor() const = 0;
  /// Writes are cheapest in whole units of so many bytes, at multiples of it; 0: any will do.
  virtual std::size_t unit_bytes() const { return 0; }
  /// Errors: sink_write, when what was written cannot be kept after all.
  virtual Result<void> close() = 0;
};

/// Opens a file, a device or a named pipe. Errors: input_open with the errno.
Result<Descriptor> open_input(const std::string& path);

/// An `Input` over a descriptor. Regular files are read at once; anything else only when it is
/// readable, so that a shared terminal or pipe need not be switched to non-blocking.
class DescriptorInput final : public Input {
 public:
  explicit DescriptorInput(Descriptor descriptor);
  Result<ReadResult> read(std::span<std::uint8_t> into) override;
  int wait_descriptor() const override { return pollable_ ? descriptor_.get() : -1; }

 private:
  Descriptor descriptor_;
  bool pollable_ = false;
};

}  // namespace sluice
