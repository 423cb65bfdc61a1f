#pragma once

#include <memory>

#include "http/stream.h"
#include "http/tls_context.h"
#include "memory/budget.h"

struct ssl_st;

namespace sluice::http {

/// The server's end of TLS over a socket. Reads drive the handshake: until it is done they bring
/// nothing, and nothing can be written.
///
/// OpenSSL's memory is counted against the budget by what was measured: a constant for a
/// connection, and a record's worth more for each direction that has begun one or is shaking hands.
class TlsStream final : public Stream {
 public:
  /// Measured with OpenSSL 3.0: 14 to 15 KiB, between two requests.
  static constexpr std::size_t kIdleBytes = 16 * 1024;
  /// A record with its head and what encryption adds.
  static constexpr std::size_t kBusyBytes = 17 * 1024;

  /// As TlsContext::accept, with the certificate that counts now.
  static std::unique_ptr<TlsStream> accept(TlsContext& context, ssl_ctx_st* certificate,
                                           Descriptor socket, Budget& budget);
  ~TlsStream() override;

  /// Errors: input_read, also of what is no TLS; budget_full.
  Result<ReadResult> read(std::span<std::uint8_t> into) override;
  bool may_have_more() const override { return more_; }
  /// Requires, after a call that sent less than everything: that the next begins with the rest.
  /// Errors: sink_closed, also before the handshake is done; budget_full.
  Result<std::size_t> write(std::span<const iovec> pieces) override;
  void shut_writing() override;
  int descriptor() const override { return socket_.get(); }

 private:
  struct Free {
    void operator()(ssl_st* tls) const;
  };
  enum class End : std::uint8_t { none, clean, failed };

  TlsStream(TlsContext& context, ssl_st* tls, Descriptor socket, Budget& budget)
      : context_(context), tls_(tls), socket_(std::move(socket)), budget_(budget) {}
  /// Reads one record's bytes at most; 0: none is there now, or it has ended.
  std::size_t read_some(std::span<std::uint8_t> into);
  bool count();
  void say_goodbye();

  TlsContext& context_;
  std::unique_ptr<ssl_st, Free> tls_;
  Descriptor socket_;
  Budget& budget_;
  std::size_t counted_ = 0;  ///< of kBusyBytes
  bool more_ = false;
  bool writing_ = false;  ///< a record did not go out whole
  End end_ = End::none;
};

}  // namespace sluice::http
