#pragma once

#include <sys/socket.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "base/file.h"
#include "base/result.h"

namespace sluice::http {

/// Where a server listens: `127.0.0.1:8080`, `[::1]:8080`; port 0 is any that is free.
struct ListenAddress {
  sockaddr_storage storage{};
  socklen_t size = 0;

  /// Errors: option_value.
  static Result<ListenAddress> parse(std::string_view text);
  bool is_loopback() const;
};

/// A socket that listens there and does not block. Errors: input_open with the errno.
Result<Descriptor> listen_on(const ListenAddress& address);
/// The port that a listening socket has.
std::uint16_t port_of(const Descriptor& listener);

}  // namespace sluice::http
