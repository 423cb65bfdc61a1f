#include "http/connection.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "base/check.h"

namespace sluice::http {
namespace {

constexpr std::size_t kFirstBuffer = 4 * 1024;
/// Announced sizes are believed up to here; beyond, memory comes with the bytes.
constexpr std::size_t kBelievedBody = 1024 * 1024;
/// Peers that announce much and send little must not keep others from being served: messages that
/// are not complete get memory for what is announced up to an eighth of the budget, beyond that for
/// what has come, and half of the budget in all.
constexpr std::size_t kBelievedPart = 8;
constexpr std::size_t kHeldPart = 2;
constexpr int kReadsATurn = 16;
constexpr std::uint32_t kMostEmptyLines = 4;

}  // namespace

/// A request while it is handed over.
class Connection::Request final : public Exchange {
 public:
  Request(Connection& connection, Window& window, std::size_t message_size, Workspace& space,
          Ticket ticket)
      : connection_(connection),
        window_(window),
        message_size_(message_size),
        space_(space),
        ticket_(ticket) {}

  const Head& head() const override { return space_.head; }
  std::span<std::uint8_t> body() override {
    return window_.bytes().subspan(connection_.head_size_, message_size_ - connection_.head_size_);
  }
  Buffer* own_buffer() override {
    const bool alone = window_.own && window_.begin == 0 && window_.end == message_size_;
    return alone ? &connection_.own_ : nullptr;
  }
  void answer(Answer&& answer) override {
    SLUICE_CHECK(!settled_);
    settled_ = true;
    connection_.give_answer(std::move(answer), space_);
  }
  Ticket defer() override {
    SLUICE_CHECK(!settled_);
    settled_ = true;
    connection_.phase_ = Phase::waiting;
    return ticket_;
  }
  bool settled() const { return settled_; }

 private:
  Connection& connection_;
  Window& window_;
  std::size_t message_size_;
  Workspace& space_;
  Ticket ticket_;
  bool settled_ = false;
};

Connection::Connection(std::unique_ptr<Stream> stream, std::uint64_t now_ns)
    : stream_(std::move(stream)), began_ns_(now_ns), progress_ns_(now_ns) {}

Connection::Wants Connection::wants() const {
  if (phase_ == Phase::ended) return Wants::end;
  if (out_) return Wants::write;
  return phase_ == Phase::waiting ? Wants::nothing : Wants::read;
}

Connection::Window Connection::window(Workspace& space) const {
  if (own_) return {.data = own_.data(), .begin = 0, .end = own_end_, .own = true};
  return {.data = space.shared.data()};
}

void Connection::on_readable(Workspace& space, Ticket ticket) {
  for (int reads = 0; reads < kReadsATurn && wants() == Wants::read; ++reads) {
    if (!reading()) return throw_away(space);
    if (own_ && !make_room(space)) return fail(ErrorCode::budget_full, nullptr, space);
    Window window = this->window(space);
    const std::size_t room = own_ ? room_in_own() : Workspace::kReadBytes;
    const Result<ReadResult> read = stream_->read({window.data + window.end, room});
    if (!read || read->end) return end();
    if (read->bytes == 0) return;
    if (!own_) began_ns_ = space.now_ns;
    space.counts.bytes_in += read->bytes;
    progress_ns_ = space.now_ns;
    const bool full = read->bytes == room;
    window.end += read->bytes;
    const bool was_own = window.own;
    process(window, space, ticket);
    // One large message a turn: others wait, and so does what the last one left for the sinks.
    const bool had_turn = was_own && !own_;
    if ((had_turn || !full) && !stream_->may_have_more()) return;
  }
}

/// Serves what is complete in the window, and keeps the rest.
void Connection::process(Window window, Workspace& space, Ticket ticket) {
  if (window.own) own_end_ = static_cast<std::uint32_t>(window.end);
  while (reading() && !out_ && step(window, space, ticket)) {
    if (!space.gather.has_room()) flush(space);
  }
  // What is gathered may lie in the window, so it goes before the window's bytes do.
  flush(space);
  if (phase_ == Phase::ended) return;
  if (phase_ == Phase::last_words || phase_ == Phase::lingering || window.size() == 0) {
    own_ = Buffer();
    own_end_ = 0;
    return;
  }
  if (phase_ == Phase::skipping) return;
  if (!keep(window, space)) end();
}

/// One step further in the present message; false when more bytes are needed.
bool Connection::step(Window& window, Workspace& space, Ticket ticket) {
  if (phase_ == Phase::head) return step_head(window, space, ticket);
  return chunked_ ? step_chunks(window, space, ticket) : step_body(window, space, ticket);
}

bool Connection::step_head(Window& window, Workspace& space, Ticket ticket) {
  // The request before is answered by now: nothing of it may frame what is said about this one.
  is_head_ = false;
  http_1_1_ = true;
  // A line end in front of a request is what some old clients send behind a body (RFC 9112, 2.2).
  while (head_size_ == 0 && window.size() >= 2 && empty_lines_ < kMostEmptyLines &&
         std::memcmp(window.bytes().data(), "\r\n", 2) == 0) {
    window.begin += 2;
    ++empty_lines_;
  }
  if (window.size() == 0) return false;
  switch (finder_.look(window.bytes(), space.limits)) {
    case HeadFinder::Found::more:
      return false;
    case HeadFinder::Found::fault:
      fail(finder_.fault(), nullptr, space);
      return false;
    case HeadFinder::Found::head:
      break;
  }
  head_size_ = static_cast<std::uint32_t>(finder_.size());
  const ErrorCode fault =
      space.parser.parse(window.bytes().first(head_size_), space.parsed, space.head);
  if (fault != ErrorCode::none) {
    is_head_ = space.head.method == Method::head;
    fail(fault, nullptr, space);
    return false;
  }
  decide(window, space, ticket);
  return reading();
}

/// The head is there: asks the application what is to become of the request.
void Connection::decide(Window& window, Workspace& space, Ticket ticket) {
  const Head& head = space.head;
  is_head_ = head.method == Method::head;
  http_1_1_ = head.http_1_1;
  keep_alive_ = head.keep_alive;
  chunked_ = head.chunked;
  content_length_ = head.content_length.value_or(0);
  phase_ = Phase::body;
  Answer answer;
  const Application::Decision decision = space.application.on_head(head, answer);
  if (decision.refused) return refuse(std::move(answer), window, space);
  most_body_ = decision.most_body_bytes;
  if (content_length_ > most_body_) {
    space.application.on_fault(ErrorCode::body_limit, &head, answer);
    return refuse(std::move(answer), window, space);
  }
  if (chunked_) parser_ = std::make_unique<llhttp_t>(space.parsed);
  const bool all_there = !chunked_ && window.size() - head_size_ >= content_length_;
  if (all_there) return dispatch(window, space, ticket);
  if (head.expects_continue && window.size() == head_size_) space.gather.add_continue();
}

/// Answers a request without its body, which is thrown away where that is cheaper than a new
/// connection.
void Connection::refuse(Answer&& answer, Window& window, Workspace& space) {
  const std::uint64_t there = std::min<std::uint64_t>(window.size() - head_size_, content_length_);
  const std::uint64_t missing = content_length_ - there;
  const bool skip = !chunked_ && missing <= space.limits.skipped_body &&
                    !(space.head.expects_continue && missing > 0) && keep_alive_;
  if (!skip) {
    keep_alive_ = keep_alive_ && !space.head.has_body();
    const std::size_t consumed = head_size_ + static_cast<std::size_t>(there);
    give_answer(std::move(answer), space);
    return message_done(window, consumed, space);
  }
  give_answer(std::move(answer), space);
  message_done(window, head_size_ + static_cast<std::size_t>(there), space);
  if (missing == 0 || phase_ != Phase::head) return;
  phase_ = Phase::skipping;
  content_length_ = missing;
}

bool Connection::step_body(Window& window, Workspace& space, Ticket ticket) {
  if (window.size() - head_size_ < content_length_) return false;
  // Other connections had their turn since the head was read.
  if (space.parser.parse(window.bytes().first(head_size_), space.parsed, space.head) !=
      ErrorCode::none) {
    fail(ErrorCode::http_framing, nullptr, space);
    return false;
  }
  dispatch(window, space, ticket);
  return reading();
}

/// The request is there in full: hands it over.
void Connection::dispatch(Window& window, Workspace& space, Ticket ticket) {
  const std::size_t size = head_size_ + static_cast<std::size_t>(content_length_);
  Request request(*this, window, size, space, ticket);
  space.application.on_request(request);
  SLUICE_CHECK(request.settled());
  message_done(window, size, space);
}

void Connection::message_done(Window& window, std::size_t size, Workspace& space) {
  window.begin += size;
  served_ = true;
  began_ns_ = progress_ns_ = space.now_ns;
  start_message();
  if (phase_ == Phase::waiting) return;
  phase_ = keep_alive_ ? Phase::head : Phase::last_words;
}

void Connection::start_message() {
  finder_ = HeadFinder();
  head_size_ = 0;
  body_size_ = 0;
  chunk_extras_ = 0;
  chunk_frames_ = 0;
  parser_.reset();
  empty_lines_ = 0;
}

/// Answers what cannot be understood or borne, and ends the connection with that.
void Connection::fail(ErrorCode code, const Head* head, Workspace& space) {
  Answer answer;
  space.application.on_fault(code, head, answer);
  keep_alive_ = false;
  give_answer(std::move(answer), space);
  phase_ = Phase::last_words;
  flush(space);
  own_ = Buffer();
  own_end_ = 0;
}

void Connection::give_answer(Answer&& answer, Workspace& space) {
  if (answer.close || draining_ || space.draining) keep_alive_ = false;
  ++space.counts.requests;
  ++space.counts.by_status_class[static_cast<std::size_t>(answer.status / 100 % 6)];
  space.gather.add(std::move(answer),
                   {.without_body = is_head_, .keep_alive = keep_alive_, .http_1_1 = http_1_1_},
                   space.now_ns);
}

void Connection::answer_later(Answer&& answer, Workspace& space, Ticket ticket) {
  SLUICE_CHECK(waits_for_answer());
  give_answer(std::move(answer), space);
  phase_ = keep_alive_ ? Phase::head : Phase::last_words;
  began_ns_ = progress_ns_ = space.now_ns;
  flush(space);
  // What came behind the request has waited as long.
  if (own_ && reading() && !out_) process(window(space), space, ticket);
}

/// Puts what is left in the window into a buffer of its own, from its first byte on.
bool Connection::keep(Window& window, Workspace& space) {
  const std::size_t left = window.size();
  if (window.own) {
    if (window.begin > 0) std::memmove(window.data, window.data + window.begin, left);
    own_end_ = static_cast<std::uint32_t>(left);
    return true;
  }
  std::size_t capacity = wanted_capacity(left);
  if (!may_hold(capacity, kBelievedPart, space)) capacity = std::max(kFirstBuffer, 2 * left);
  std::optional<Buffer> taken;
  if (may_hold(capacity, kHeldPart, space))
    taken = space.pool.take(capacity + kBodyPadding, Region::input);
  if (!taken) {
    if (phase_ == Phase::waiting) return false;
    fail(ErrorCode::budget_full, nullptr, space);
    return phase_ != Phase::ended;
  }
  std::memcpy(taken->data(), window.bytes().data(), left);
  own_ = std::move(*taken);
  own_end_ = static_cast<std::uint32_t>(left);
  return true;
}

/// How large the buffer of its own should be when `held` bytes of the message are there: head and
/// body where that is known and believed, else somewhat more than there is.
std::size_t Connection::wanted_capacity(std::size_t held) const {
  const std::size_t step = std::max(kFirstBuffer, 2 * held);
  if (phase_ != Phase::body || chunked_) {
    return own_ ? std::max(own_.capacity() - kBodyPadding, held + 1) : step;
  }
  const std::uint64_t all = head_size_ + content_length_;
  if (all <= kBelievedBody) return static_cast<std::size_t>(all);
  const std::size_t grown = held < kBelievedBody ? kBelievedBody : 2 * held;
  return static_cast<std::size_t>(std::min<std::uint64_t>(all, grown));
}

/// Makes sure that more can be read into the buffer of its own.
bool Connection::make_room(Workspace& space) {
  std::size_t wanted = wanted_capacity(own_end_);
  if (wanted <= own_end_ || (phase_ != Phase::body || chunked_)) {
    if (own_end_ + kBodyPadding < own_.capacity()) return true;
    wanted = 2 * own_.capacity();
  }
  if (own_.capacity() >= wanted + kBodyPadding) return true;
  if (!may_hold(wanted, kBelievedPart, space)) {
    if (own_end_ + kBodyPadding < own_.capacity()) return true;
    wanted = std::min(wanted, 2 * own_.capacity());
    if (!may_hold(wanted, kHeldPart, space)) return false;
  }
  return space.pool.grow(own_, wanted + kBodyPadding);
}

/// Whether all messages that are not complete would then hold no more than that part of the budget,
/// or there is only this one.
bool Connection::may_hold(std::size_t bytes, std::size_t part, const Workspace& space) const {
  const std::size_t others = space.receiving_bytes - counted_;
  return others == 0 || others + bytes <= space.pool.budget().limit() / part;
}

/// Never more than what is missing, so that the buffer holds nothing behind the message.
std::size_t Connection::room_in_own() const {
  return std::min(wanted_capacity(own_end_), own_.capacity() - kBodyPadding) - own_end_;
}

void Connection::count_received(Workspace& space) {
  space.receiving_bytes += own_.capacity() - counted_;
  counted_ = own_.capacity();
}

/// Reads and forgets: the rest of a body that nobody wants, or what comes after the last answer.
void Connection::throw_away(Workspace& space) {
  for (int reads = 0; reads < kReadsATurn; ++reads) {
    std::size_t most = Workspace::kReadBytes;
    if (phase_ == Phase::skipping) {
      most = static_cast<std::size_t>(std::min<std::uint64_t>(most, content_length_));
    }
    const Result<ReadResult> read = stream_->read({space.shared.data(), most});
    if (!read || read->end) return end();
    if (read->bytes == 0) return;
    progress_ns_ = space.now_ns;
    space.counts.bytes_in += read->bytes;
    lingered_ += read->bytes;
    if (phase_ == Phase::lingering && lingered_ > space.limits.linger_bytes) return end();
    if (phase_ != Phase::skipping) continue;
    content_length_ -= read->bytes;
    if (content_length_ > 0) continue;
    phase_ = Phase::head;
    began_ns_ = space.now_ns;
    return;
  }
}

void Connection::check_time(Workspace& space, Ticket) {
  const Limits& limits = space.limits;
  const std::uint64_t since = space.now_ns - std::min(space.now_ns, began_ns_);
  const std::uint64_t silent = space.now_ns - std::min(space.now_ns, progress_ns_);
  const auto time_out = [&] {
    ++space.counts.timeouts;
    fail(ErrorCode::timeout, nullptr, space);
  };
  if (out_) {
    if (silent >= limits.write_stall_ns) end();
    return;
  }
  switch (phase_) {
    case Phase::head:
      if (own_ ? since >= limits.head_ns : false) return time_out();
      if (!own_ && since >= (served_ ? limits.idle_ns : limits.head_ns)) end();
      return;
    case Phase::body: {
      const std::uint64_t received = own_end_;
      const bool slow = since >= limits.body_grace_ns &&
                        received < since / kSecond * limits.body_bytes_per_second;
      if (silent >= limits.body_silence_ns || slow) time_out();
      return;
    }
    case Phase::skipping:
    case Phase::lingering:
      if (silent >= limits.body_silence_ns || since >= limits.linger_ns) end();
      return;
    case Phase::waiting:
    case Phase::last_words:
    case Phase::ended:
      return;
  }
}

void Connection::drain() {
  draining_ = true;
  if (phase_ == Phase::head && !own_ && !out_) end();
}

}  // namespace sluice::http
