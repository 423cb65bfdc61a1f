#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "load/target.h"
#include "load/tls_link.h"

namespace sluice::load {

/// One run of the generator.
struct Options {
  Address address;
  std::string request;                   ///< as it goes over the wire
  std::shared_ptr<const TlsClient> tls;  ///< null: plain
  bool head_only = false;  ///< answers have no body, whatever their length says (HEAD)
  std::size_t connections = 10;
  std::size_t threads = 1;
  std::size_t pipeline = 1;  ///< requests in flight on a connection
  bool keep_alive = true;    ///< else a connection carries one request
  double rate = 0;           ///< requests a second in all; 0: closed loop, as fast as answers come
  std::uint64_t duration_ns = 10'000'000'000;
  std::uint64_t requests = 0;  ///< ends after so many; 0: when the time is over
  std::uint64_t timeout_ns = 10'000'000'000;
};

}  // namespace sluice::load
