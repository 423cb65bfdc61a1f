#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/loop.h"
#include "http/connection.h"

namespace sluice::http {

/// Serves one listening socket on a loop, for one application.
class Server final : private ReadyHandler {
 public:
  /// Makes the stream of a connection that was accepted: the socket itself, or TLS over it. Null:
  /// there is no room for it.
  using MakeStream = std::function<std::unique_ptr<Stream>(Descriptor socket)>;

  /// `loop`, `pool` and `application` outlive it. `make_stream` may be empty: plain sockets.
  Server(Loop& loop, Pool& pool, Application& application, const Limits& limits,
         MakeStream make_stream = {});
  ~Server() override;
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Takes the memory that all connections share, and begins to accept. `listener` must not block.
  /// Errors: budget_full.
  Result<void> start(Descriptor listener);
  std::uint16_t port() const { return port_of_; }

  /// The answer to a deferred request; does nothing when its connection is gone. Requires: not
  /// called from within a call to the application, whose own answers are being gathered then.
  void answer(Ticket ticket, Answer&& answer);
  bool is_waiting(Ticket ticket) const;

  /// Accepts no more, closes what is idle, and ends the others with the answer they wait for.
  void drain();
  /// Closes everything at once.
  void close();
  bool has_connections() const { return space_.counts.open > 0; }
  const Counts& counts() const { return space_.counts; }

 private:
  /// A connection and its place in the loop.
  struct Slot final : ReadyHandler {
    Slot(Server& owner, std::uint32_t number) : server(owner), index(number) {}
    void on_ready() override { server.serve(*this); }

    Server& server;
    std::uint32_t index;
    std::uint32_t generation = 0;
    std::unique_ptr<Connection> connection;
    Connection::Wants watched = Connection::Wants::nothing;
    bool unread = false;  ///< its turn comes without its descriptor
  };
  struct Sweep final : Timer {
    explicit Sweep(Server& owner) : server(owner) {}
    void on_time() override { server.sweep(); }
    Server& server;
  };
  struct Again final : Timer {
    explicit Again(Server& owner) : server(owner) {}
    void on_time() override { server.watch_listener(true); }
    Server& server;
  };

  struct Unread final : Timer {
    explicit Unread(Server& owner) : server(owner) {}
    void on_time() override { server.serve_unread(); }
    Server& server;
  };

  void on_ready() override;
  bool accept_one();
  void open(Descriptor socket);
  Slot& free_slot();
  void serve(Slot& slot);
  void settle(Slot& slot);
  void serve_unread();
  void sweep();
  void watch_listener(bool watch);
  void release(Slot& slot);
  Ticket ticket_of(const Slot& slot) const { return {slot.index, slot.generation}; }

  Loop& loop_;
  Workspace space_;
  MakeStream make_stream_;
  Descriptor listener_;
  std::uint16_t port_of_ = 0;
  bool watching_ = false;
  bool serving_ = false;  ///< the application may be in a call
  std::vector<std::unique_ptr<Slot>> slots_;
  std::vector<std::uint32_t> free_;
  Sweep sweep_{*this};
  Again again_{*this};
  Unread unread_timer_{*this};
  std::vector<Ticket> unread_;  ///< connections with bytes that no descriptor tells of
};

}  // namespace sluice::http
