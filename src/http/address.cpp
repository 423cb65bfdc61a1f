#include "http/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>

namespace sluice::http {
namespace {

constexpr int kBacklog = 4096;

std::optional<std::uint16_t> read_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return port;
}

}  // namespace

Result<ListenAddress> ListenAddress::parse(std::string_view text) {
  constexpr Error kBad{.code = ErrorCode::option_value};
  const std::size_t colon = text.rfind(':');
  if (colon == text.npos) return kBad;
  const auto port = read_port(text.substr(colon + 1));
  if (!port) return kBad;
  std::string host(text.substr(0, colon));
  ListenAddress address;
  if (host.starts_with('[') && host.ends_with(']')) {
    auto& to = reinterpret_cast<sockaddr_in6&>(address.storage);
    to.sin6_family = AF_INET6;
    to.sin6_port = htons(*port);
    address.size = sizeof to;
    host = host.substr(1, host.size() - 2);
    if (inet_pton(AF_INET6, host.c_str(), &to.sin6_addr) != 1) return kBad;
    return address;
  }
  auto& to = reinterpret_cast<sockaddr_in&>(address.storage);
  to.sin_family = AF_INET;
  to.sin_port = htons(*port);
  address.size = sizeof to;
  if (host == "localhost") host = "127.0.0.1";
  if (inet_pton(AF_INET, host.c_str(), &to.sin_addr) != 1) return kBad;
  return address;
}

bool ListenAddress::is_loopback() const {
  if (storage.ss_family == AF_INET6) {
    const auto& address = reinterpret_cast<const sockaddr_in6&>(storage).sin6_addr;
    return IN6_IS_ADDR_LOOPBACK(&address);
  }
  return ntohl(reinterpret_cast<const sockaddr_in&>(storage).sin_addr.s_addr) >> 24 == 127;
}

Result<Descriptor> listen_on(const ListenAddress& address) {
  const auto failed = [] { return Error{.code = ErrorCode::input_open, .system_errno = errno}; };
  Descriptor listener(
      socket(address.storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!listener.is_open()) return failed();
  const int on = 1;
  setsockopt(listener.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  // Accepted sockets inherit it: answers are written whole, and must not wait for an
  // acknowledgement.
  setsockopt(listener.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  const auto* const to = reinterpret_cast<const sockaddr*>(&address.storage);
  if (bind(listener.get(), to, address.size) != 0) return failed();
  if (listen(listener.get(), kBacklog) != 0) return failed();
  return listener;
}

std::uint16_t port_of(const Descriptor& listener) {
  sockaddr_storage bound{};
  socklen_t size = sizeof bound;
  getsockname(listener.get(), reinterpret_cast<sockaddr*>(&bound), &size);
  return ntohs(bound.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(bound).sin6_port
                                           : reinterpret_cast<sockaddr_in&>(bound).sin_port);
}

}  // namespace sluice::http
