#pragma once

#include <llhttp.h>

#include <span>

#include "base/error.h"
#include "http/head.h"

namespace sluice::http {

/// Reads whole heads that a HeadFinder has found, by llhttp, and checks what concerns several
/// headers at once: how the body is framed, Host, the form of the target (RFC 9112, 3.2 and 6).
class HeadParser {
 public:
  HeadParser();

  /// Fills `head`, which borrows from `bytes`, and leaves `parser` where the body begins.
  /// Returns none, http_framing, http_version, transfer_coding or expectation.
  ErrorCode parse(std::span<const std::uint8_t> bytes, llhttp_t& parser, Head& head);

 private:
  static int on_url(llhttp_t* parser, const char* at, std::size_t size);
  static int on_field(llhttp_t* parser, const char* at, std::size_t size);
  static int on_value(llhttp_t* parser, const char* at, std::size_t size);
  static int on_headers_complete(llhttp_t* parser);

  ErrorCode read_headers(Head& head);
  ErrorCode read_framing(const Header& header, Head& head);
  static ErrorCode read_target(Head& head);

  llhttp_settings_t settings_;
  std::uint32_t hosts_ = 0;
  std::uint32_t codings_ = 0;
};

}  // namespace sluice::http
