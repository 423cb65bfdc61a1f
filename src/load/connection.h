#pragma once

#include <llhttp.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/file.h"
#include "load/options.h"
#include "load/stats.h"

namespace sluice::load {

/// One connection of the generator: sends copies of one request and reads their answers, in order.
/// A connection that failed is opened again for the next request.
class Connection {
 public:
  /// `options` and `stats` outlive it.
  Connection(const Options& options, Stats& stats);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  int descriptor() const { return socket_.get(); }
  bool is_open() const { return socket_.is_open(); }
  /// Begins to connect, without waiting. False, counted, when that fails at once.
  bool open();
  /// Whether one more request may be in flight.
  bool has_room() const { return in_flight_ < options_.pipeline && !last_; }
  std::size_t in_flight() const { return in_flight_; }
  /// Puts a request into the queue that was meant to leave at `intended_ns`. Requires: has_room().
  void enqueue(std::uint64_t intended_ns, std::uint64_t now_ns);
  /// Sends what is queued, as far as it goes.
  void send();
  /// Whether it waits for the socket to take more.
  bool wants_to_write() const {
    return is_open() && (connecting_ || (unsent_ > 0 && !waits_for_peer()));
  }
  /// Reads what is there and counts the answers that are complete. `scratch` is shared by all.
  void receive(std::span<char> scratch, std::uint64_t now_ns);
  /// What is in flight counts as failed, and the socket is closed.
  void fail(Failure failure);
  void close() { fail(Failure::closed); }
  /// When the oldest request in flight was sent; requires: in_flight() > 0.
  std::uint64_t oldest_sent_ns() const { return at(0).sent_ns; }

 private:
  struct Request {
    std::uint64_t intended_ns;
    std::uint64_t sent_ns;
  };
  Request& at(std::size_t index) { return ring_[(head_ + index) % ring_.size()]; }
  const Request& at(std::size_t index) const { return ring_[(head_ + index) % ring_.size()]; }
  bool waits_for_peer() const { return tls_ && tls_->waits_for_peer(); }
  ssize_t write_some();
  void on_answer();
  void give_up_sending();
  static int on_headers_complete(llhttp_t* parser);
  static int on_message_complete(llhttp_t* parser);
  static const llhttp_settings_t& settings();

  const Options& options_;
  Stats& stats_;
  Descriptor socket_;
  std::optional<TlsLink> tls_;
  bool connecting_ = false;
  bool last_ = false;  ///< nothing more may be sent on this socket
  llhttp_t parser_;
  std::vector<Request> ring_;
  std::size_t head_ = 0;
  std::size_t in_flight_ = 0;
  std::size_t unsent_ = 0;        ///< of them, not or not wholly sent
  std::size_t sent_of_next_ = 0;  ///< bytes of the first unsent one that are out
  std::uint64_t now_ns_ = 0;
};

}  // namespace sluice::load
