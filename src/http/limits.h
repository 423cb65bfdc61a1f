#pragma once

#include <cstddef>
#include <cstdint>

namespace sluice::http {

inline constexpr std::uint64_t kSecond = 1'000'000'000;

/// What a connection may cost. Sizes in bytes, times in nanoseconds.
struct Limits {
  std::size_t request_line = 8 * 1024;
  std::size_t head = 16 * 1024;
  std::size_t headers = 100;
  std::size_t chunk_extras = 16 * 1024;  ///< chunk extensions and trailers of one body
  std::size_t connections = 10'000;
  std::uint64_t head_ns = 10 * kSecond;          ///< from the first byte to the end of the head
  std::uint64_t body_silence_ns = 10 * kSecond;  ///< without a byte of the body
  std::uint64_t body_grace_ns = 10 * kSecond;    ///< then the average must be at least...
  std::uint64_t body_bytes_per_second = 16 * 1024;
  std::uint64_t idle_ns = 75 * kSecond;
  std::uint64_t write_stall_ns = 30 * kSecond;
  /// After an answer that ends the connection: so long, and so much, is read and thrown away, for a
  /// client that reads the answer only when it has written all.
  std::uint64_t linger_ns = 10 * kSecond;
  std::uint64_t linger_bytes = 256 * 1024 * 1024;
  /// Rests of bodies up to this size are read and thrown away to keep the connection.
  std::size_t skipped_body = 256 * 1024;
};

}  // namespace sluice::http
