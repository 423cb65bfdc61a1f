#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "http/connection.h"

/// A connection without a socket: bytes in as a test cuts them, bytes out as one text.
namespace sluice::http {

/// What a simulated peer sends and takes.
struct Wire {
  std::deque<std::string> segments;      ///< that are there to be read
  bool ended = false;                    ///< the peer sends no more
  std::size_t window = ~std::size_t{0};  ///< bytes that the peer still takes
  std::string out;
  bool shut = false;
};

class WireStream final : public Stream {
 public:
  explicit WireStream(Wire& wire) : wire_(wire) {}
  Result<ReadResult> read(std::span<std::uint8_t> into) override {
    if (wire_.segments.empty()) return ReadResult{.end = wire_.ended};
    std::string& first = wire_.segments.front();
    const std::size_t size = std::min(first.size(), into.size());
    std::copy_n(first.begin(), size, into.begin());
    first.erase(0, size);
    if (first.empty()) wire_.segments.pop_front();
    return ReadResult{.bytes = size};
  }
  bool may_have_more() const override { return !wire_.segments.empty(); }
  Result<std::size_t> write(std::span<const iovec> pieces) override {
    std::size_t all = 0;
    for (const iovec& piece : pieces) {
      const std::size_t size = std::min(piece.iov_len, wire_.window);
      wire_.out.append(static_cast<const char*>(piece.iov_base), size);
      wire_.window -= size;
      all += size;
      if (size < piece.iov_len) break;
    }
    return all;
  }
  void shut_writing() override { wire_.shut = true; }
  int descriptor() const override { return -1; }

 private:
  Wire& wire_;
};

/// Answers with the body, and remembers what it was handed.
class EchoApplication final : public Application {
 public:
  Decision on_head(const Head& head, Answer& answer) override {
    if (head.path == "/refused") {
      answer.status = 404;
      answer.text = "no";
      return {.refused = true};
    }
    return {.most_body_bytes = most_body};
  }
  void on_request(Exchange& exchange) override {
    const std::span<std::uint8_t> body = exchange.body();
    bodies.emplace_back(reinterpret_cast<const char*>(body.data()), body.size());
    targets.emplace_back(exchange.head().target);
    owned.push_back(exchange.own_buffer() != nullptr);
    if (exchange.head().path == "/later") {
      tickets.push_back(exchange.defer());
      return;
    }
    Answer answer;
    answer.media_type = "text/plain";
    answer.add_piece(body);
    exchange.answer(std::move(answer));
  }
  void on_fault(ErrorCode code, const Head*, Answer& answer) override {
    faults.push_back(code);
    answer.status = error_http_status(code);
    answer.text = error_name(code);
  }

  std::size_t most_body = 1024 * 1024;
  std::vector<std::string> bodies;
  std::vector<std::string> targets;
  std::vector<bool> owned;
  std::vector<ErrorCode> faults;
  std::vector<Ticket> tickets;
};

/// One connection with all it needs.
struct Line {
  explicit Line(std::uint64_t budget_bytes = 16 * 1024 * 1024) : budget(budget_bytes) {
    space.shared = std::move(*pool.take(Workspace::kReadBytes + kBodyPadding, Region::input));
  }
  /// The bytes arrive; says whether the connection is still there.
  bool receive(std::string_view bytes) {
    wire.segments.emplace_back(bytes);
    return turn();
  }
  bool turn() {
    using Wants = Connection::Wants;
    while (connection.wants() == Wants::read && (!wire.segments.empty() || wire.ended)) {
      connection.on_readable(space, {});
    }
    if (connection.wants() == Wants::write && wire.window > 0) {
      connection.on_writable(space, {});
      return turn();
    }
    return connection.wants() != Wants::end;
  }
  void pass(std::uint64_t ns) {
    space.now_ns += ns;
    connection.check_time(space, {});
    turn();
  }
  bool closing() const { return wire.shut || connection.wants() == Connection::Wants::end; }

  Budget budget;
  Pool pool{budget, {}};
  EchoApplication application;
  Workspace space{.pool = pool, .application = application, .limits = {}, .now_ns = 1};
  Wire wire;
  Connection connection{std::make_unique<WireStream>(wire), 1};
};

/// Statuses of the answers in `out`, in order; interim answers too.
inline std::vector<int> statuses(std::string_view out) {
  std::vector<int> found;
  for (std::size_t at = 0; (at = out.find("HTTP/1.1 ", at)) != out.npos; at += 9) {
    found.push_back(std::stoi(std::string(out.substr(at + 9, 3))));
  }
  return found;
}

}  // namespace sluice::http
