#include "http/tls_stream.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <utility>

namespace sluice::http {
namespace {

/// Where a walk over pieces stands.
class Walk {
 public:
  explicit Walk(std::span<const iovec> pieces) : pieces_(pieces) { skip_empty(); }

  /// The bytes of the next record: in place where one piece fills it, else put together in `room`.
  std::span<const std::uint8_t> next(std::span<std::uint8_t> room) const {
    if (pieces_.empty()) return {};
    const std::span<const std::uint8_t> first = rest_of_first();
    if (first.size() >= room.size() || pieces_.size() == 1) {
      return first.first(std::min(first.size(), room.size()));
    }
    std::uint8_t* to = std::ranges::copy(first, room.data()).out;
    for (const iovec& piece : pieces_.subspan(1)) {
      const auto left = static_cast<std::size_t>(room.data() + room.size() - to);
      if (left == 0) break;
      to = std::copy_n(static_cast<const std::uint8_t*>(piece.iov_base),
                       std::min(left, piece.iov_len), to);
    }
    return {room.data(), to};
  }
  void advance(std::size_t bytes) {
    while (bytes > 0) {
      const std::size_t size = std::min(bytes, rest_of_first().size());
      begin_ += size;
      bytes -= size;
      skip_empty();
    }
  }

 private:
  std::span<const std::uint8_t> rest_of_first() const {
    const iovec& first = pieces_.front();
    return {static_cast<const std::uint8_t*>(first.iov_base) + begin_, first.iov_len - begin_};
  }
  void skip_empty() {
    while (!pieces_.empty() && begin_ == pieces_.front().iov_len) {
      pieces_ = pieces_.subspan(1);
      begin_ = 0;
    }
  }

  std::span<const iovec> pieces_;
  std::size_t begin_ = 0;  ///< in the first piece
};

}  // namespace

void TlsStream::Free::operator()(ssl_st* tls) const { SSL_free(tls); }

std::unique_ptr<TlsStream> TlsStream::accept(TlsContext& context, ssl_ctx_st* certificate,
                                             Descriptor socket, Budget& budget) {
  if (!budget.try_take(Region::fixed, kIdleBytes)) return nullptr;
  SSL* const tls = SSL_new(certificate);
  std::unique_ptr<TlsStream> stream(new TlsStream(context, tls, std::move(socket), budget));
  if (tls == nullptr || SSL_set_fd(tls, stream->socket_.get()) != 1 || !stream->count()) {
    return nullptr;
  }
  SSL_set_accept_state(tls);
  return stream;
}

TlsStream::~TlsStream() {
  if (tls_) say_goodbye();
  budget_.give_back(Region::input, counted_);
  budget_.give_back(Region::fixed, kIdleBytes);
}

Result<ReadResult> TlsStream::read(std::span<std::uint8_t> into) {
  std::size_t got = 0;
  while (got < into.size() && end_ == End::none) {
    const std::size_t size = read_some(into.subspan(got));
    if (size == 0) break;
    got += size;
  }
  if (end_ == End::none && !count()) return Error{.code = ErrorCode::budget_full};
  // What OpenSSL holds does not make the socket readable.
  more_ = end_ != End::none || (got == into.size() && SSL_has_pending(tls_.get()) == 1);
  if (got > 0 || end_ == End::none) return ReadResult{.bytes = got};
  if (end_ == End::clean) return ReadResult{.end = true};
  return Error{.code = ErrorCode::input_read};
}

std::size_t TlsStream::read_some(std::span<std::uint8_t> into) {
  ERR_clear_error();
  std::size_t size = 0;
  if (SSL_read_ex(tls_.get(), into.data(), into.size(), &size) == 1) return size;
  switch (SSL_get_error(tls_.get(), 0)) {
    case SSL_ERROR_WANT_READ:
    case SSL_ERROR_WANT_WRITE:  // of the handshake; its time is limited
      break;
    case SSL_ERROR_ZERO_RETURN:
      end_ = End::clean;
      break;
    default:
      end_ = End::failed;
      break;
  }
  return 0;
}

Result<std::size_t> TlsStream::write(std::span<const iovec> pieces) {
  if (SSL_is_init_finished(tls_.get()) == 0 || end_ == End::failed) {
    return Error{.code = ErrorCode::sink_closed};
  }
  Walk walk(pieces);
  std::size_t sent = 0;
  writing_ = false;
  for (auto record = walk.next(context_.record()); !record.empty();
       record = walk.next(context_.record())) {
    ERR_clear_error();
    std::size_t size = 0;
    if (SSL_write_ex(tls_.get(), record.data(), record.size(), &size) == 1) {
      sent += size;
      walk.advance(size);
      continue;
    }
    writing_ = SSL_get_error(tls_.get(), 0) == SSL_ERROR_WANT_WRITE;
    if (writing_) break;
    end_ = End::failed;
    return Error{.code = ErrorCode::sink_closed, .system_errno = errno};
  }
  if (!count()) return Error{.code = ErrorCode::budget_full};
  return sent;
}

/// Counts the buffers that OpenSSL keeps between two calls.
bool TlsStream::count() {
  const bool shaking_hands = SSL_is_init_finished(tls_.get()) == 0;
  const bool reading =
      SSL_has_pending(tls_.get()) == 1 || std::string_view(SSL_rstate_string(tls_.get())) != "RH";
  const std::size_t wanted =
      kBusyBytes * ((shaking_hands || reading ? 1 : 0) + (shaking_hands || writing_ ? 1 : 0));
  if (wanted > counted_ && !budget_.try_take(Region::input, wanted - counted_)) return false;
  if (wanted < counted_) budget_.give_back(Region::input, counted_ - wanted);
  counted_ = wanted;
  return true;
}

/// Tells the peer that the end is meant, where nothing stands in the way.
void TlsStream::say_goodbye() {
  if (SSL_is_init_finished(tls_.get()) == 0 || end_ == End::failed || writing_) return;
  ERR_clear_error();
  if ((SSL_get_shutdown(tls_.get()) & SSL_SENT_SHUTDOWN) == 0) SSL_shutdown(tls_.get());
}

void TlsStream::shut_writing() {
  say_goodbye();
  shutdown(socket_.get(), SHUT_WR);
}

}  // namespace sluice::http
