#include "load/connection.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "base/check.h"

namespace sluice::load {

Connection::Connection(const Options& options, Stats& stats)
    : options_(options), stats_(stats), ring_(options.pipeline) {
  llhttp_init(&parser_, HTTP_RESPONSE, &settings());
}

const llhttp_settings_t& Connection::settings() {
  static const llhttp_settings_t kSettings = [] {
    llhttp_settings_t made;
    llhttp_settings_init(&made);
    made.on_headers_complete = on_headers_complete;
    made.on_message_complete = on_message_complete;
    return made;
  }();
  return kSettings;
}

bool Connection::open() {
  SLUICE_CHECK(!is_open());
  socket_ =
      Descriptor(socket(options_.address.family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const int on = 1;
  if (is_open()) setsockopt(socket_.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  const auto* const to = reinterpret_cast<const sockaddr*>(options_.address.bytes.data());
  const auto size = static_cast<socklen_t>(options_.address.bytes.size());
  if (!is_open() || (connect(socket_.get(), to, size) != 0 && errno != EINPROGRESS)) {
    socket_ = Descriptor();
    stats_.count(Failure::connect);
    return false;
  }
  connecting_ = true;
  last_ = false;
  if (options_.tls) tls_.emplace(*options_.tls, socket_.get());
  llhttp_init(&parser_, HTTP_RESPONSE, &settings());
  parser_.data = this;
  return true;
}

void Connection::enqueue(std::uint64_t intended_ns, std::uint64_t now_ns) {
  SLUICE_CHECK(has_room());
  at(in_flight_++) = {.intended_ns = intended_ns, .sent_ns = now_ns};
  ++unsent_;
  last_ = !options_.keep_alive;
}

void Connection::send() {
  if (connecting_) {
    int error = 0;
    socklen_t size = sizeof error;
    getsockopt(socket_.get(), SOL_SOCKET, SO_ERROR, &error, &size);
    if (error != 0) return fail(Failure::connect);
    connecting_ = false;
  }
  while (unsent_ > 0) {
    const ssize_t sent = write_some();
    if (sent < 0 && (errno == EAGAIN || errno == ENOTCONN)) return;
    if (sent <= 0) return fail(tls_ && !tls_->is_connected() ? Failure::connect : Failure::write);
    stats_.bytes_out += static_cast<std::uint64_t>(sent);
    const std::size_t through = sent_of_next_ + static_cast<std::size_t>(sent);
    stats_.sent += through / options_.request.size();
    unsent_ -= through / options_.request.size();
    sent_of_next_ = through % options_.request.size();
  }
}

/// As sendmsg: some of what is queued.
ssize_t Connection::write_some() {
  const std::string& request = options_.request;
  if (tls_) return tls_->send(std::span(request).subspan(sent_of_next_));
  std::array<iovec, 64> pieces;
  const std::size_t count = std::min(unsent_, pieces.size());
  for (std::size_t piece = 0; piece < count; ++piece) {
    const std::size_t skip = piece == 0 ? sent_of_next_ : 0;
    pieces[piece] = {const_cast<char*>(request.data()) + skip, request.size() - skip};
  }
  msghdr message{};
  message.msg_iov = pieces.data();
  message.msg_iovlen = count;
  return sendmsg(socket_.get(), &message, MSG_NOSIGNAL);
}

void Connection::receive(std::span<char> scratch, std::uint64_t now_ns) {
  now_ns_ = now_ns;
  while (true) {
    const ssize_t got =
        tls_ ? tls_->receive(scratch) : recv(socket_.get(), scratch.data(), scratch.size(), 0);
    // The handshake may have come to where the request can leave.
    if (got < 0 && errno == EAGAIN && tls_ && tls_->is_connected()) return send();
    if (got < 0 && errno == EAGAIN) return;
    if (got < 0)
      return fail(connecting_ || (tls_ && !tls_->is_connected()) ? Failure::connect
                                                                 : Failure::read);
    if (got == 0) {
      if (llhttp_finish(&parser_) != HPE_OK) return fail(Failure::answer);
      return fail(Failure::closed);
    }
    const auto size = static_cast<std::size_t>(got);
    stats_.bytes_in += size;
    const llhttp_errno_t error = llhttp_execute(&parser_, scratch.data(), size);
    if (error != HPE_OK) return fail(in_flight_ == 0 ? Failure::closed : Failure::answer);
    if (last_ && in_flight_ == 0) return fail(Failure::closed);
    if (size < scratch.size()) return;
  }
}

int Connection::on_headers_complete(llhttp_t* parser) {
  constexpr int kNoBody = 1;
  return static_cast<Connection*>(parser->data)->options_.head_only ? kNoBody : 0;
}

int Connection::on_message_complete(llhttp_t* parser) {
  auto& self = *static_cast<Connection*>(parser->data);
  if (parser->status_code >= 100 && parser->status_code < 200) return 0;
  if (self.in_flight_ == self.unsent_) {
    if (self.sent_of_next_ == 0) return HPE_USER;  // an answer that nobody asked for
    self.give_up_sending();
  }
  if (llhttp_should_keep_alive(parser) == 0) self.last_ = true;
  self.on_answer();
  return 0;
}

/// The answer came before the request was out, as one that refuses a large body does: the rest of
/// it will not be read, nor will what is queued behind it.
void Connection::give_up_sending() {
  stats_.count(Failure::closed, unsent_ - 1);
  in_flight_ -= unsent_ - 1;
  unsent_ = 0;
  sent_of_next_ = 0;
  last_ = true;
}

void Connection::on_answer() {
  const std::size_t status_class = std::min<std::size_t>(parser_.status_code / 100, 6);
  ++stats_.by_status_class[status_class == 6 ? 0 : status_class];
  ++stats_.answered;
  stats_.latency.add(now_ns_ - std::min(now_ns_, at(0).intended_ns));
  head_ = (head_ + 1) % ring_.size();
  --in_flight_;
}

void Connection::fail(Failure failure) {
  stats_.count(failure, in_flight_);
  in_flight_ = 0;
  unsent_ = 0;
  sent_of_next_ = 0;
  connecting_ = false;
  last_ = false;
  tls_.reset();
  socket_ = Descriptor();
}

}  // namespace sluice::load
