#include "load/tls_link.h"

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include <cerrno>
#include <utility>

namespace sluice::load {
namespace {

constexpr unsigned char kProtocols[] = "\x08http/1.1";

bool is_address(const std::string& host) {
  in6_addr address;
  return inet_pton(AF_INET, host.c_str(), &address) == 1 ||
         inet_pton(AF_INET6, host.c_str(), &address) == 1;
}

}  // namespace

void TlsClient::Free::operator()(ssl_ctx_st* context) const { SSL_CTX_free(context); }
void TlsLink::Free::operator()(ssl_st* tls) const { SSL_free(tls); }

TlsClient::TlsClient(std::string host, bool insecure)
    : host_(std::move(host)), insecure_(insecure), context_(SSL_CTX_new(TLS_client_method())) {
  if (!context_) return;
  SSL_CTX_set_min_proto_version(context_.get(), TLS1_2_VERSION);
  SSL_CTX_set_mode(context_.get(),
                   SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_read_ahead(context_.get(), 1);
  SSL_CTX_set_alpn_protos(context_.get(), kProtocols, sizeof kProtocols - 1);
  SSL_CTX_set_default_verify_paths(context_.get());
  SSL_CTX_set_verify(context_.get(), insecure_ ? SSL_VERIFY_NONE : SSL_VERIFY_PEER, nullptr);
}

TlsLink::TlsLink(const TlsClient& client, int socket) : tls_(SSL_new(client.context_.get())) {
  if (!tls_) return;
  SSL_set_fd(tls_.get(), socket);
  SSL_set_connect_state(tls_.get());
  const std::string& host = client.host_;
  if (is_address(host)) {
    X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(tls_.get()), host.c_str());
  } else {
    SSL_set1_host(tls_.get(), host.c_str());
    SSL_set_tlsext_host_name(tls_.get(), host.c_str());
  }
}

bool TlsLink::is_connected() const { return tls_ && SSL_is_init_finished(tls_.get()) == 1; }

/// What a call that brought nothing means, as a socket would say it.
ssize_t TlsLink::failed(int outcome) {
  const int error = SSL_get_error(tls_.get(), outcome);
  if (error == SSL_ERROR_ZERO_RETURN) return 0;
  const bool waits = error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE;
  waits_for_peer_ = error == SSL_ERROR_WANT_READ;
  errno = waits ? EAGAIN : EPROTO;
  return -1;
}

ssize_t TlsLink::send(std::span<const char> bytes) {
  if (!tls_) return errno = ENOMEM, -1;
  ERR_clear_error();
  waits_for_peer_ = false;
  std::size_t sent = 0;
  if (SSL_write_ex(tls_.get(), bytes.data(), bytes.size(), &sent) == 1) {
    return static_cast<ssize_t>(sent);
  }
  return failed(0);
}

ssize_t TlsLink::receive(std::span<char> into) {
  if (!tls_) return errno = ENOMEM, -1;
  std::size_t got = 0;
  while (got < into.size()) {
    ERR_clear_error();
    std::size_t size = 0;
    if (SSL_read_ex(tls_.get(), into.data() + got, into.size() - got, &size) != 1) break;
    got += size;
  }
  if (got > 0) return static_cast<ssize_t>(got);
  const bool waited_for_peer = waits_for_peer_;
  const ssize_t outcome = failed(0);
  waits_for_peer_ = waited_for_peer && !is_connected();
  return outcome;
}

}  // namespace sluice::load
