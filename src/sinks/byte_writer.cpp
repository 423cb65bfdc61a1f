#include "sinks/byte_writer.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sluice {
namespace {

constexpr std::size_t kPiecesAWrite = 64;

}  // namespace

ByteWriter::ByteWriter(std::unique_ptr<ByteOutput> output, Port& port, Loop& loop,
                       EncoderOptions encoder, const WriterOptions& options)
    : output_(std::move(output)),
      port_(port),
      loop_(loop),
      encoder_(std::move(encoder)),
      options_(options),
      digests_(options.digests) {}

ByteWriter::~ByteWriter() { stop_waiting(); }

Result<void> ByteWriter::open(Pool& pool) {
  if (!batch_.open(pool, options_.largest_batch)) return Error{.code = ErrorCode::budget_full};
  set_limit();
  return output_->start();
}

/// To a multiple of the output's unit, so that all writes but the first end at one; never so near
/// that not even one decoded character would fit.
void ByteWriter::set_limit() {
  const std::size_t unit = std::min(output_->unit_bytes(), options_.largest_batch);
  std::size_t limit = options_.largest_batch;
  if (unit > 0) {
    limit = unit - static_cast<std::size_t>(digests_.bytes() % unit);
    while (limit < Encoder::kLeastRoom) limit += unit;
  }
  batch_.set_limit(limit);
}

bool ByteWriter::run(bool all) {
  bool moved = false;
  if (waiting_ && output_->broken()) stop_waiting();
  const bool holds_back = output_->unit_bytes() > 0 && !options_.eager && !ending_ && !all;
  while (!port_.failed() && !waiting_) {
    moved = fill() || moved;
    if (batch_.size() == 0) break;
    if (holds_back && !writing_ && !batch_.full()) break;
    if (!write()) break;
    moved = true;
  }
  close_if_done();
  return moved;
}

bool ByteWriter::fill() {
  if (writing_) return false;
  bool moved = false;
  while (encode_available()) {
    moved = true;
    // Records that write nothing are done as soon as they are encoded.
    const std::uint64_t records = batch_.records_without_bytes();
    if (records > 0) port_.acknowledge(records, loop_.now_ns());
  }
  return moved;
}

/// Encodes until the batch is full or nothing is left; true when it got on.
bool ByteWriter::encode_available() {
  bool moved = false;
  while (!batch_.full()) {
    if (!encoder_.active()) {
      const std::optional<Taken> taken = port_.take(loop_.now_ns());
      if (!taken) break;
      encoder_.begin(*taken);
    }
    const Block& block = encoder_.block();
    encoder_.run(batch_);
    moved = true;
    if (!encoder_.active() && !encoder_.refers_to(block)) port_.forget_block();
  }
  return moved;
}

bool ByteWriter::write() {
  writing_ = true;
  while (!batch_.written()) {
    std::array<iovec, kPiecesAWrite> pieces;
    const std::span<const iovec> unwritten(pieces.data(), batch_.unwritten(pieces));
    const Result<std::size_t> bytes = output_->write(unwritten);
    if (!bytes) {
      fail(bytes.error());
      return false;
    }
    if (*bytes == 0) {
      loop_.watch(output_->wait_descriptor(), Readiness::writable, *this);
      waiting_ = true;
      return false;
    }
    account(unwritten, *bytes);
    const std::uint64_t records = batch_.advance(*bytes);
    port_.acknowledge(records, loop_.now_ns());
  }
  batch_.clear();
  encoder_.batch_cleared();
  set_limit();
  writing_ = false;
  return true;
}

void ByteWriter::account(std::span<const iovec> pieces, std::size_t bytes) {
  for (const iovec& piece : pieces) {
    const std::size_t size = std::min(bytes, piece.iov_len);
    digests_.update({static_cast<const std::uint8_t*>(piece.iov_base), size});
    bytes -= size;
    if (bytes == 0) return;
  }
}

void ByteWriter::begin_end() {
  ending_ = true;
  flush();
}

void ByteWriter::close_if_done() {
  if (!ending_ || closing_ || port_.failed()) return;
  if (port_.outstanding() > 0 || batch_.size() > 0) return;
  closing_ = true;
  if (const Result<void> closed = output_->close(); !closed) port_.fail(closed.error());
}

bool ByteWriter::ended() {
  if (!closing_ || !output_->closed()) return false;
  if (port_.failed()) return true;
  if (const Result<void> outcome = output_->outcome(); !outcome) port_.fail(outcome.error());
  return true;
}

void ByteWriter::fail(const Error& error) {
  encoder_.abandon();
  batch_.discard();
  port_.fail(error);
  closing_ = true;
  static_cast<void>(output_->close());  // the first error is the one to tell
}

void ByteWriter::abandon() {
  stop_waiting();
  if (!port_.failed() && !closing_) fail({.code = ErrorCode::sink_abandoned});
  output_->abandon();
}

void ByteWriter::stop_waiting() {
  if (std::exchange(waiting_, false)) loop_.forget(output_->wait_descriptor());
}

void ByteWriter::on_ready() {
  stop_waiting();
  run(ending_);
}

SinkDigest ByteWriter::digest() const {
  return {.bytes = digests_.bytes(),
          .decoded_bytes = encoder_.decoded_bytes(),
          .crc32c = digests_.crc32c(),
          .sha256 = digests_.sha256()};
}

}  // namespace sluice
