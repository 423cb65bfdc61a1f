#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/error.h"
#include "http/answer.h"
#include "http/head.h"
#include "memory/pool.h"

namespace sluice::http {

/// Names a request whose answer comes later; harmless when its connection is gone by then.
struct Ticket {
  std::uint32_t connection = 0;
  std::uint32_t generation = 0;
};

/// Bytes that must be readable behind a body, and may be written to while it is handled.
inline constexpr std::size_t kBodyPadding = 128;

/// One request that is there in full.
class Exchange {
 public:
  virtual ~Exchange() = default;
  virtual const Head& head() const = 0;
  /// The body, in place: it may be changed, and kBodyPadding bytes behind it may be read. Bytes
  /// behind it belong to the next request. Valid until the call that hands it over returns.
  virtual std::span<std::uint8_t> body() = 0;
  /// The memory that the body lies in, when that is its own and nothing else is in it but the head:
  /// whoever takes it has the body at body().data(). Null when the body lies in memory that is
  /// shared; it must be copied then.
  virtual Buffer* own_buffer() = 0;
  /// Answers. Once, unless `defer` was called.
  virtual void answer(Answer&& answer) = 0;
  /// The answer comes later, by Server::answer. Nothing of the request may be used after the call
  /// in which it was handed over.
  virtual Ticket defer() = 0;
};

/// What a server does with requests. Called on the server's loop; must not block.
class Application {
 public:
  /// What is to become of a request of which only the head is there.
  struct Decision {
    /// The most bytes that its body may have, also after it is decoded. More is body_limit.
    std::size_t most_body_bytes = 0;
    /// Answered at once, and the body is not read.
    bool refused = false;
  };

  virtual ~Application() = default;
  /// Decides by the head; fills `answer` when it refuses.
  virtual Decision on_head(const Head& head, Answer& answer) = 0;
  virtual void on_request(Exchange& exchange) = 0;
  /// A request that the server itself refuses: fills `answer` (status, media type, text). `head` is
  /// null when it was not understood. The server closes the connection where it must.
  virtual void on_fault(ErrorCode code, const Head* head, Answer& answer) = 0;
};

}  // namespace sluice::http
