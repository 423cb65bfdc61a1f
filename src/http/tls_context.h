#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>

#include "http/stream.h"
#include "memory/budget.h"

struct ssl_ctx_st;

namespace sluice::http {

/// A certificate with its key, and how connections are encrypted with it: TLS 1.2 and 1.3, HTTP/1.1
/// by ALPN, no renegotiation, no compression, no resumption. Shared by the connections of one
/// thread, and outlives them.
class TlsContext {
 public:
  struct Files {
    std::string certificate;  ///< PEM; the server's first, then those that vouch for it
    std::string key;          ///< PEM, not encrypted
  };
  /// Why it cannot be: a sentence that names the file.
  using Problem = std::string;

  static std::expected<std::unique_ptr<TlsContext>, Problem> load(Files files);

  /// Reads the files again. Connections that come from now on get what they hold; when it fails,
  /// all stays as it was.
  std::expected<void, Problem> reload();

  /// TLS over a socket that does not block and whose peer speaks first. Null when `budget`, which
  /// outlives the stream, has no room for it.
  std::unique_ptr<Stream> accept(Descriptor socket, Budget& budget);

  /// The most plain bytes that a record of TLS holds.
  static constexpr std::size_t kRecordBytes = 16 * 1024;
  /// Memory for a record that is put together from pieces; streams use it in turn.
  std::array<std::uint8_t, kRecordBytes>& record() { return record_; }

 private:
  struct Free {
    void operator()(ssl_ctx_st* context) const;
  };
  using Handle = std::unique_ptr<ssl_ctx_st, Free>;

  explicit TlsContext(Files files) : files_(std::move(files)) {}
  static std::expected<Handle, Problem> read(const Files& files);

  Files files_;
  Handle handle_;
  std::array<std::uint8_t, kRecordBytes> record_;
};

}  // namespace sluice::http
