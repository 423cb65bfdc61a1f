// What goes out, and what is kept when it does not go at once.

#include <algorithm>
#include <utility>

#include "http/connection.h"

namespace sluice::http {

void Connection::on_writable(Workspace& space, Ticket ticket) {
  if (!out_) return;
  const iovec piece{out_.data() + out_begin_, out_end_ - out_begin_};
  const Result<std::size_t> sent = stream_->write({&piece, 1});
  if (!sent) return end();
  space.counts.bytes_out += *sent;
  if (*sent > 0) progress_ns_ = space.now_ns;
  out_begin_ += static_cast<std::uint32_t>(*sent);
  if (out_begin_ < out_end_) return;
  out_ = Buffer();
  after_write(space);
  if (own_ && reading()) process(window(space), space, ticket);
}

/// Sends what is gathered; what does not go is kept.
void Connection::flush(Workspace& space) {
  if (space.gather.empty()) return after_write(space);
  const std::span<const iovec> pieces = space.gather.pieces();
  Result<std::size_t> sent = std::size_t{0};
  if (phase_ != Phase::ended && !out_) sent = stream_->write(pieces);
  if (!sent) {
    end();
  } else if (phase_ != Phase::ended) {
    space.counts.bytes_out += *sent;
    if (*sent < space.gather.bytes()) flush_rest(pieces, *sent, space);
  }
  space.gather.clear();
  after_write(space);
}

/// Copies what did not go out: `sent` bytes of the pieces did.
void Connection::flush_rest(std::span<const iovec> pieces, std::size_t sent, Workspace& space) {
  const std::size_t before = out_ ? out_end_ - out_begin_ : 0;
  std::optional<Buffer> rest = space.pool.take(before + space.gather.bytes() - sent, Region::sink);
  if (!rest) return end();
  std::uint8_t* to = rest->data();
  if (before > 0) to = std::copy_n(out_.data() + out_begin_, before, to);
  for (const iovec& piece : pieces) {
    const std::size_t skipped = std::min(sent, piece.iov_len);
    sent -= skipped;
    to = std::copy_n(static_cast<const std::uint8_t*>(piece.iov_base) + skipped,
                     piece.iov_len - skipped, to);
  }
  out_begin_ = 0;
  out_end_ = static_cast<std::uint32_t>(to - rest->data());
  out_ = std::move(*rest);
  progress_ns_ = space.now_ns;
}

/// The last answer is out: no more will be said, and what still comes is thrown away for a while,
/// because closing with unread bytes would take the answer away from the peer.
void Connection::after_write(Workspace& space) {
  if (phase_ != Phase::last_words || out_) return;
  stream_->shut_writing();
  phase_ = Phase::lingering;
  began_ns_ = progress_ns_ = space.now_ns;
}

}  // namespace sluice::http
