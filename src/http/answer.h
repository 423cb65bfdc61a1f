#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "http/head.h"
#include "memory/pool.h"

namespace sluice::http {

/// What goes back for one request.
struct Answer {
  static constexpr std::size_t kPieces = 8;
  static constexpr std::size_t kHeaders = 8;

  int status = 200;
  std::string_view media_type;  ///< empty: no body, unless pieces say otherwise
  /// Further headers; name and value are copied when the answer is given.
  std::array<Header, kHeaders> headers{};
  std::size_t header_count = 0;
  /// The body's pieces, one behind the other. They must stay as they are until the call in which
  /// the answer is given returns; pieces of the request's own body, of `memory`, and what lives as
  /// long as the program fulfil that.
  std::array<std::string_view, kPieces> pieces{};
  std::size_t piece_count = 0;
  Buffer memory{};     ///< what pieces may lie in; goes when they are sent, or copied
  std::string text{};  ///< a small body made for this answer, sent behind the pieces
  bool close = false;  ///< the connection ends with it

  void add_header(std::string_view name, std::string_view value) {
    headers[header_count++] = {.name = name, .value = value};
  }
  void add_piece(std::string_view piece) { pieces[piece_count++] = piece; }
  void add_piece(std::span<const std::uint8_t> piece) {
    add_piece({reinterpret_cast<const char*>(piece.data()), piece.size()});
  }
};

/// The standard phrase of a status (RFC 9110, 15), e.g. "Not Found".
const char* status_phrase(int status);

}  // namespace sluice::http
