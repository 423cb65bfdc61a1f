#pragma once

#include <llhttp.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "http/head_finder.h"
#include "http/stream.h"
#include "http/workspace.h"

namespace sluice::http {

/// One connection: finds requests in the bytes that come, hands them over where they lie, and sends
/// the answers. Does no input or output but by its stream, and knows the time only from outside.
///
/// Bytes are read into memory that all connections share; whatever is complete there is served from
/// there, without a copy. Only a message that is not complete moves into a buffer of its own, which
/// for a body of known length is as large as head and body. A connection that waits for its next
/// request holds no buffer.
class Connection {
 public:
  Connection(std::unique_ptr<Stream> stream, std::uint64_t now_ns);

  enum class Wants : std::uint8_t { read, write, nothing, end };
  /// What it waits for.
  Wants wants() const;
  int descriptor() const { return stream_->descriptor(); }
  /// Whether there may be bytes that do not make the descriptor readable.
  bool may_have_more() const { return stream_->may_have_more(); }

  void on_readable(Workspace& space, Ticket ticket);
  void on_writable(Workspace& space, Ticket ticket);
  /// The answer to the request that was deferred. Requires: waits_for_answer().
  void answer_later(Answer&& answer, Workspace& space, Ticket ticket);
  bool waits_for_answer() const { return phase_ == Phase::waiting; }
  /// Says that there is no room for it, and ends. Requires: nothing was read yet.
  void turn_away(Workspace& space) { fail(ErrorCode::connections, nullptr, space); }
  /// Ends what has taken too long.
  void check_time(Workspace& space, Ticket ticket);
  /// Ends it where nothing is under way; else with the next answer.
  void drain();
  /// Closes at once.
  void end() { phase_ = Phase::ended; }
  /// Brings what all connections hold of messages that are not complete up to date: after each turn
  /// of this one.
  void count_received(Workspace& space);
  /// As it was counted last.
  std::size_t counted_bytes() const { return counted_; }
  /// Bytes of buffers that it holds.
  std::size_t held_bytes() const { return own_.capacity() + out_.capacity(); }

 private:
  enum class Phase : std::uint8_t {
    head,        ///< of the next request; nothing of it may be there yet
    body,        ///< of the request whose head is there
    waiting,     ///< for the application's answer
    skipping,    ///< the rest of a body that nobody wants
    last_words,  ///< the last answer is on its way
    lingering,   ///< it is out; what still comes is thrown away
    ended,
  };
  /// The bytes that were read and are not consumed.
  struct Window {
    std::uint8_t* data = nullptr;
    std::size_t begin = 0;
    std::size_t end = 0;
    bool own = false;
    std::size_t size() const { return end - begin; }
    std::span<std::uint8_t> bytes() const { return {data + begin, size()}; }
  };
  class Request;
  struct Decoding;

  Window window(Workspace& space) const;
  void process(Window window, Workspace& space, Ticket ticket);
  bool step(Window& window, Workspace& space, Ticket ticket);
  bool step_head(Window& window, Workspace& space, Ticket ticket);
  bool step_body(Window& window, Workspace& space, Ticket ticket);
  bool step_chunks(Window& window, Workspace& space, Ticket ticket);
  ErrorCode decode_chunks(Window& window, bool& complete);
  void decide(Window& window, Workspace& space, Ticket ticket);
  void dispatch(Window& window, Workspace& space, Ticket ticket);
  void refuse(Answer&& answer, Window& window, Workspace& space);
  void fail(ErrorCode code, const Head* head, Workspace& space);
  void message_done(Window& window, std::size_t size, Workspace& space);
  void start_message();
  bool keep(Window& window, Workspace& space);
  bool make_room(Workspace& space);
  bool may_hold(std::size_t bytes, std::size_t part, const Workspace& space) const;
  std::size_t room_in_own() const;
  std::size_t wanted_capacity(std::size_t held) const;
  void give_answer(Answer&& answer, Workspace& space);
  void flush(Workspace& space);
  void flush_rest(std::span<const iovec> pieces, std::size_t sent, Workspace& space);
  void after_write(Workspace& space);
  void throw_away(Workspace& space);
  bool reading() const { return phase_ == Phase::head || phase_ == Phase::body; }
  static int on_chunk_size(llhttp_t* parser);
  static int on_chunk_data(llhttp_t* parser, const char* at, std::size_t size);
  static int on_chunked_end(llhttp_t* parser);
  static const llhttp_settings_t& chunk_settings();

  std::unique_ptr<Stream> stream_;
  Buffer own_;               ///< the message that is being read, from its first byte on
  Buffer out_;               ///< what did not go out at once
  std::size_t counted_ = 0;  ///< of own_, in what all connections hold
  std::uint32_t own_end_ = 0;
  std::uint32_t out_begin_ = 0;
  std::uint32_t out_end_ = 0;

  HeadFinder finder_;
  std::uint32_t head_size_ = 0;
  std::uint32_t body_size_ = 0;       ///< of a chunked body: what is decoded, behind the head
  std::uint32_t chunk_extras_ = 0;    ///< bytes of chunked framing that are no data
  std::uint32_t chunk_frames_ = 0;    ///< of them, what its chunks need at least
  std::uint32_t empty_lines_ = 0;     ///< in front of the head
  std::uint64_t content_length_ = 0;  ///< while skipping: what is left
  std::uint64_t most_body_ = 0;

  Phase phase_ = Phase::head;
  bool chunked_ = false;
  bool keep_alive_ = true;
  bool is_head_ = false;
  bool http_1_1_ = true;
  bool served_ = false;  ///< a request was answered before
  bool draining_ = false;
  std::uint64_t began_ns_;     ///< the message, or the present phase
  std::uint64_t progress_ns_;  ///< the last byte in or out
  std::uint64_t lingered_ = 0;
  std::unique_ptr<llhttp_t> parser_;  ///< of a chunked body that is under way
};

}  // namespace sluice::http
