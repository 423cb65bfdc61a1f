#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace sluice::load {

/// Where the load goes.
struct Target {
  bool tls = false;
  std::string host;
  std::string port;
  std::string path = "/";  ///< with the query
};
/// Reads `http[s]://HOST[:PORT][/PATH]`; an IPv6 address stands in brackets.
/// Errors: option_value.
Result<Target> read_url(std::string_view url);

/// One request as it goes over the wire.
struct RequestOptions {
  std::string method = "GET";
  std::vector<std::string> headers;  ///< "Name: value"
  std::string body;
  bool keep_alive = true;
};
std::string request_text(const Target& target, const RequestOptions& options);

/// A JSON object of exactly `size` bytes, `{"name":"k","text":"xxx..."}`; the smallest there is, 22
/// bytes, when `size` is less.
std::string json_body(std::size_t size);

/// An address to connect to.
struct Address {
  int family = 0;
  std::vector<std::uint8_t> bytes;  ///< a sockaddr
};
/// Errors: input_open with the errno, or 0 where the name is not known.
Result<Address> resolve(const Target& target);

}  // namespace sluice::load
