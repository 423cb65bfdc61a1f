// Chunked bodies: decoded where they lie.

#include <algorithm>
#include <bit>
#include <cstring>

#include "http/connection.h"

namespace sluice::http {

const llhttp_settings_t& Connection::chunk_settings() {
  static const llhttp_settings_t kSettings = [] {
    llhttp_settings_t made;
    llhttp_settings_init(&made);
    made.on_chunk_header = on_chunk_size;
    made.on_body = on_chunk_data;
    made.on_message_complete = on_chunked_end;
    return made;
  }();
  return kSettings;
}

/// Where the decoding of a piece stands.
struct Connection::Decoding {
  std::uint8_t* end;         ///< of the body so far
  std::uint64_t room;        ///< bytes that the body may still have
  std::uint32_t frames = 0;  ///< bytes that the framing of its chunks takes at least
  bool too_large = false;
};

/// A chunk that is too large is refused by its announced size.
int Connection::on_chunk_size(llhttp_t* parser) {
  auto& decoding = *static_cast<Decoding*>(parser->data);
  decoding.too_large = parser->content_length > decoding.room;
  const auto bits = static_cast<std::uint32_t>(std::bit_width(parser->content_length));
  decoding.frames += std::max(1u, (bits + 3) / 4) + 4;
  return decoding.too_large ? HPE_USER : HPE_OK;
}

/// Moves the data to where the body ends; it never moves ahead of what was read.
int Connection::on_chunk_data(llhttp_t* parser, const char* at, std::size_t size) {
  auto& decoding = *static_cast<Decoding*>(parser->data);
  std::memmove(decoding.end, at, size);
  decoding.end += size;
  decoding.room -= size;
  return HPE_OK;
}

int Connection::on_chunked_end(llhttp_t*) { return HPE_PAUSED; }

/// Decodes what of the body is in the window, in place: afterwards the window holds the head, the
/// decoded body and, when that is complete, what follows the message.
ErrorCode Connection::decode_chunks(Window& window, bool& complete) {
  Decoding decoding{.end = window.data + window.begin + head_size_ + body_size_,
                    .room = most_body_ - body_size_};
  const std::uint8_t* const raw = decoding.end;
  const std::uint8_t* const raw_end = window.data + window.end;
  parser_->settings = const_cast<llhttp_settings_t*>(&chunk_settings());
  parser_->data = &decoding;
  llhttp_resume(parser_.get());  // it paused behind the head
  const llhttp_errno_t error = llhttp_execute(parser_.get(), reinterpret_cast<const char*>(raw),
                                              static_cast<std::size_t>(raw_end - raw));
  parser_->data = nullptr;
  if (decoding.too_large) return ErrorCode::body_limit;
  complete = error == HPE_PAUSED;
  if (error != HPE_OK && !complete) return ErrorCode::http_framing;
  const auto* const stopped =
      complete ? reinterpret_cast<const std::uint8_t*>(llhttp_get_error_pos(parser_.get()))
               : raw_end;
  const auto consumed = static_cast<std::size_t>(stopped - raw);
  const auto decoded = static_cast<std::size_t>(decoding.end - raw);
  body_size_ += static_cast<std::uint32_t>(decoded);
  chunk_extras_ += static_cast<std::uint32_t>(consumed - decoded);
  chunk_frames_ += decoding.frames;
  const auto behind = static_cast<std::size_t>(raw_end - stopped);
  std::memmove(decoding.end, stopped, behind);
  window.end = static_cast<std::size_t>(decoding.end - window.data) + behind;
  return ErrorCode::none;
}

bool Connection::step_chunks(Window& window, Workspace& space, Ticket ticket) {
  if (window.size() == head_size_ + body_size_) return false;
  bool complete = false;
  const ErrorCode fault = decode_chunks(window, complete);
  if (fault != ErrorCode::none) {
    fail(fault, nullptr, space);
    return false;
  }
  if (chunk_extras_ > chunk_frames_ + space.limits.chunk_extras) {
    fail(ErrorCode::http_framing, nullptr, space);
    return false;
  }
  if (!complete) return false;
  content_length_ = body_size_;
  if (space.parser.parse(window.bytes().first(head_size_), space.parsed, space.head) !=
      ErrorCode::none) {
    fail(ErrorCode::http_framing, nullptr, space);
    return false;
  }
  dispatch(window, space, ticket);
  return reading();
}

}  // namespace sluice::http
