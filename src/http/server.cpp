#include "http/server.h"

#include <sys/socket.h>

#include <cerrno>
#include <utility>

#include "base/check.h"
#include "http/address.h"

namespace sluice::http {
namespace {

constexpr int kAcceptsATurn = 64;
constexpr std::uint64_t kSweepEveryNs = kSecond / 4;
constexpr std::uint64_t kAcceptAgainNs = kSecond / 10;

/// What a connection costs whatever it does; counted, so that many of them leave less for bodies.
constexpr std::size_t kConnectionBytes = 512;

/// So many beyond the limit are told that there is no room; the rest are closed without a word.
constexpr std::uint64_t kToldAtATime = 64;

/// True while it lives.
class Flag {
 public:
  explicit Flag(bool& flag) : flag_(flag) { flag_ = true; }
  ~Flag() { flag_ = false; }
  Flag(const Flag&) = delete;
  Flag& operator=(const Flag&) = delete;

 private:
  bool& flag_;
};

}  // namespace

Server::Server(Loop& loop, Pool& pool, Application& application, const Limits& limits,
               MakeStream make_stream)
    : loop_(loop),
      space_{.pool = pool, .application = application, .limits = limits},
      make_stream_(std::move(make_stream)) {}

Server::~Server() { close(); }

Result<void> Server::start(Descriptor listener) {
  std::optional<Buffer> shared =
      space_.pool.take(Workspace::kReadBytes + kBodyPadding, Region::input);
  if (!shared) return Error{.code = ErrorCode::budget_full};
  space_.shared = std::move(*shared);
  listener_ = std::move(listener);
  port_of_ = http::port_of(listener_);
  watch_listener(true);
  return {};
}

void Server::watch_listener(bool watch) {
  if (watch == watching_ || !listener_.is_open()) return;
  watching_ = watch;
  if (watch) {
    loop_.watch(listener_.get(), Readiness::readable, *this);
  } else {
    loop_.forget(listener_.get());
  }
}

void Server::on_ready() {
  space_.now_ns = loop_.now_ns();
  for (int accepts = 0; accepts < kAcceptsATurn && accept_one(); ++accepts) {
  }
}

bool Server::accept_one() {
  Descriptor socket(accept4(listener_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (socket.is_open()) {
    open(std::move(socket));
    return true;
  }
  if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
    // Whoever knocks waits in the system's queue until descriptors are free again.
    watch_listener(false);
    loop_.set(again_, space_.now_ns + kAcceptAgainNs);
  }
  return errno == EINTR || errno == ECONNABORTED;
}

void Server::open(Descriptor socket) {
  ++space_.counts.accepted;
  const bool room = space_.counts.open < space_.limits.connections;
  if (!room) ++space_.counts.turned_away;
  if (space_.counts.open >= space_.limits.connections + kToldAtATime) return;
  if (!space_.pool.budget().try_take(Region::fixed, kConnectionBytes)) {
    if (room) ++space_.counts.turned_away;
    return;
  }
  std::unique_ptr<Stream> stream = make_stream_ ? make_stream_(std::move(socket))
                                                : std::make_unique<SocketStream>(std::move(socket));
  if (!stream) {
    if (room) ++space_.counts.turned_away;
    return space_.pool.budget().give_back(Region::fixed, kConnectionBytes);
  }
  Slot& slot = free_slot();
  slot.connection = std::make_unique<Connection>(std::move(stream), space_.now_ns);
  if (space_.counts.open++ == 0) loop_.set(sweep_, space_.now_ns + kSweepEveryNs);
  const Flag serving(serving_);
  if (room) {
    // What it has to say is often there already.
    slot.connection->on_readable(space_, ticket_of(slot));
  } else {
    slot.connection->turn_away(space_);
  }
  settle(slot);
}

Server::Slot& Server::free_slot() {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(slots_.size()));
    slots_.push_back(std::make_unique<Slot>(*this, free_.back()));
  }
  Slot& slot = *slots_[free_.back()];
  free_.pop_back();
  ++slot.generation;
  return slot;
}

void Server::serve(Slot& slot) {
  const Flag serving(serving_);
  space_.now_ns = loop_.now_ns();
  if (slot.watched == Connection::Wants::write) {
    slot.connection->on_writable(space_, ticket_of(slot));
  } else {
    slot.connection->on_readable(space_, ticket_of(slot));
  }
  settle(slot);
}

/// Watches what the connection waits for now, or lets it go.
void Server::settle(Slot& slot) {
  slot.connection->count_received(space_);
  const Connection::Wants wants = slot.connection->wants();
  if (wants == Connection::Wants::read && slot.connection->may_have_more() && !slot.unread) {
    slot.unread = true;
    if (unread_.empty()) loop_.set(unread_timer_, loop_.now_ns());
    unread_.push_back(ticket_of(slot));
  }
  if (wants == slot.watched) return;
  const int descriptor = slot.connection->descriptor();
  if (slot.watched != Connection::Wants::nothing) loop_.forget(descriptor);
  slot.watched = wants;
  switch (wants) {
    case Connection::Wants::read:
      loop_.watch(descriptor, Readiness::readable, slot);
      break;
    case Connection::Wants::write:
      loop_.watch(descriptor, Readiness::writable, slot);
      break;
    case Connection::Wants::nothing:
      break;
    case Connection::Wants::end:
      release(slot);
      break;
  }
}

/// Those that have had their turn and left bytes which their streams hold.
void Server::serve_unread() {
  for (const Ticket& ticket : std::exchange(unread_, {})) {
    Slot& slot = *slots_[ticket.connection];
    if (!slot.connection || slot.generation != ticket.generation) continue;
    slot.unread = false;
    if (slot.watched == Connection::Wants::read) serve(slot);
  }
}

void Server::release(Slot& slot) {
  space_.receiving_bytes -= slot.connection->counted_bytes();
  slot.connection.reset();
  slot.unread = false;
  slot.watched = Connection::Wants::nothing;
  ++slot.generation;
  free_.push_back(slot.index);
  space_.pool.budget().give_back(Region::fixed, kConnectionBytes);
  --space_.counts.open;
}

void Server::sweep() {
  space_.now_ns = loop_.now_ns();
  for (const auto& slot : slots_) {
    if (!slot->connection) continue;
    slot->connection->check_time(space_, ticket_of(*slot));
    settle(*slot);
  }
  if (has_connections()) loop_.set(sweep_, space_.now_ns + kSweepEveryNs);
}

bool Server::is_waiting(Ticket ticket) const {
  if (ticket.connection >= slots_.size()) return false;
  const Slot& slot = *slots_[ticket.connection];
  return slot.connection && slot.generation == ticket.generation &&
         slot.connection->waits_for_answer();
}

void Server::answer(Ticket ticket, Answer&& answer) {
  SLUICE_CHECK(!serving_);
  if (!is_waiting(ticket)) return;
  const Flag serving(serving_);
  space_.now_ns = loop_.now_ns();
  Slot& slot = *slots_[ticket.connection];
  slot.connection->answer_later(std::move(answer), space_, ticket);
  settle(slot);
}

void Server::drain() {
  watch_listener(false);
  loop_.clear(again_);
  listener_ = Descriptor();
  space_.draining = true;
  for (const auto& slot : slots_) {
    if (!slot->connection) continue;
    slot->connection->drain();
    settle(*slot);
  }
}

void Server::close() {
  watch_listener(false);
  loop_.clear(again_);
  loop_.clear(sweep_);
  loop_.clear(unread_timer_);
  listener_ = Descriptor();
  for (const auto& slot : slots_) {
    if (!slot->connection) continue;
    slot->connection->end();
    settle(*slot);
  }
}

}  // namespace sluice::http
