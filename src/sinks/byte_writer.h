#pragma once

#include <memory>

#include "base/loop.h"
#include "flow/port.h"
#include "flow/sink.h"
#include "sinks/batch.h"
#include "sinks/byte_output.h"
#include "sinks/digests.h"
#include "sinks/encoder.h"

namespace sluice {

struct WriterOptions {
  Digests::Wanted digests;
  std::size_t largest_batch = 0;  ///< bytes held back for one write at most
  bool eager = false;             ///< writes at once what there is, whatever units cost least
};

/// The sink for everything that takes a stream of bytes: encodes records into batches and writes
/// them to an output.
class ByteWriter final : public Sink, private ReadyHandler {
 public:
  /// `port`, `loop` and the pool outlive it.
  ByteWriter(std::unique_ptr<ByteOutput> output, Port& port, Loop& loop, EncoderOptions encoder,
             const WriterOptions& options);
  ~ByteWriter() override;

  /// Takes the batch's memory and starts the output. Errors: budget_full; those of the output.
  Result<void> open(Pool& pool);

  bool pump() override { return run(false); }
  bool flush() override { return run(true); }
  void begin_end() override;
  bool ended() override;
  void abandon() override;
  bool holds_back() const override { return !port_.failed() && batch_.size() > 0 && !waiting_; }
  SinkDigest digest() const override;

 private:
  bool run(bool all);
  bool fill();
  bool encode_available();
  /// Writes the batch; false when the output makes us wait, or failed.
  bool write();
  void account(std::span<const iovec> pieces, std::size_t bytes);
  void set_limit();
  void close_if_done();
  void fail(const Error& error);
  void stop_waiting();
  void on_ready() override;

  std::unique_ptr<ByteOutput> output_;
  Port& port_;
  Loop& loop_;
  Encoder encoder_;
  WriterOptions options_;
  Batch batch_;
  Digests digests_;
  bool writing_ = false;  ///< the batch is partly written and must not grow
  bool waiting_ = false;  ///< for the output's descriptor
  bool ending_ = false;
  bool closing_ = false;
};

}  // namespace sluice
