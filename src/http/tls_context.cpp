#include "http/tls_context.h"

#include <openssl/err.h>
#include <openssl/ssl.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "http/tls_stream.h"

namespace sluice::http {
namespace {

constexpr unsigned char kProtocols[] = "\x08http/1.1";

/// A client that names protocols must name ours (RFC 7301, 3.2).
int choose_protocol(SSL*, const unsigned char** chosen, unsigned char* size,
                    const unsigned char* offered, unsigned int offered_size, void*) {
  unsigned char* found = nullptr;
  const int outcome =
      SSL_select_next_proto(&found, size, kProtocols, sizeof kProtocols - 1, offered, offered_size);
  *chosen = found;
  return outcome == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

/// A key that wants a password has none here; OpenSSL would ask on the terminal.
int no_password(char*, int, int, void*) { return -1; }

/// The oldest error that OpenSSL noted: later ones only say what did not work because of it.
std::string reason() {
  const unsigned long code = ERR_get_error();
  ERR_clear_error();
  if (ERR_SYSTEM_ERROR(code)) return std::strerror(ERR_GET_REASON(code));
  const char* const text = ERR_reason_error_string(code);
  return text != nullptr ? text : "not what is wanted";
}

void harden(SSL_CTX* context) {
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  // Without resumption there is neither a store that clients fill nor a key that outlives a reload.
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_NO_TICKET |
                                   SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_IGNORE_UNEXPECTED_EOF);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_num_tickets(context, 0);
  // A record that could not leave is offered again from where the rest of an answer is kept.
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  // Head and body of a record come with one call to the system.
  SSL_CTX_set_read_ahead(context, 1);
  SSL_CTX_set_alpn_select_cb(context, choose_protocol, nullptr);
  SSL_CTX_set_default_passwd_cb(context, no_password);
}

}  // namespace

void TlsContext::Free::operator()(ssl_ctx_st* context) const { SSL_CTX_free(context); }

std::expected<TlsContext::Handle, TlsContext::Problem> TlsContext::read(const Files& files) {
  ERR_clear_error();
  Handle handle(SSL_CTX_new(TLS_server_method()));
  if (!handle) return std::unexpected("OpenSSL cannot be set up: " + reason());
  harden(handle.get());
  if (SSL_CTX_use_certificate_chain_file(handle.get(), files.certificate.c_str()) != 1) {
    return std::unexpected("the certificate " + files.certificate + ": " + reason());
  }
  if (SSL_CTX_use_PrivateKey_file(handle.get(), files.key.c_str(), SSL_FILETYPE_PEM) != 1) {
    return std::unexpected("the key " + files.key + ": " + reason());
  }
  return handle;
}

std::expected<std::unique_ptr<TlsContext>, TlsContext::Problem> TlsContext::load(Files files) {
  std::unique_ptr<TlsContext> context(new TlsContext(std::move(files)));
  if (auto loaded = context->reload(); !loaded) return std::unexpected(loaded.error());
  return context;
}

std::expected<void, TlsContext::Problem> TlsContext::reload() {
  auto handle = read(files_);
  if (!handle) return std::unexpected(handle.error());
  handle_ = std::move(*handle);
  return {};
}

std::unique_ptr<Stream> TlsContext::accept(Descriptor socket, Budget& budget) {
  return TlsStream::accept(*this, handle_.get(), std::move(socket), budget);
}

}  // namespace sluice::http
