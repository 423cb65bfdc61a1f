#pragma once

#include <sys/types.h>

#include <memory>
#include <span>
#include <string>

struct ssl_ctx_st;
struct ssl_st;

namespace sluice::load {

/// What the connections of a run share when they are encrypted.
class TlsClient {
 public:
  /// `host` is whom certificates must name; with `insecure` any will do, and none is checked.
  TlsClient(std::string host, bool insecure);
  bool is_usable() const { return context_ != nullptr; }

 private:
  friend class TlsLink;
  struct Free {
    void operator()(ssl_ctx_st* context) const;
  };
  std::string host_;
  bool insecure_;
  std::unique_ptr<ssl_ctx_st, Free> context_;
};

/// The client's end of TLS over one socket, with the manners of a socket: -1 and errno for what
/// fails, EAGAIN for what has to wait.
class TlsLink {
 public:
  TlsLink(const TlsClient& client, int socket);
  /// As send. Requires: after EAGAIN the same bytes again.
  ssize_t send(std::span<const char> bytes);
  /// As recv; what is less than asked for is all there is now.
  ssize_t receive(std::span<char> into);
  /// Whether sending waits for the peer, not for room in the socket.
  bool waits_for_peer() const { return waits_for_peer_; }
  bool is_connected() const;

 private:
  struct Free {
    void operator()(ssl_st* tls) const;
  };
  ssize_t failed(int outcome);

  std::unique_ptr<ssl_st, Free> tls_;
  bool waits_for_peer_ = false;
};

}  // namespace sluice::load
