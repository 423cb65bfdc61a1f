#include "load/target.h"

#include <netdb.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

namespace sluice::load {
namespace {

constexpr std::string_view kScheme = "http://";
constexpr std::string_view kTlsScheme = "https://";
constexpr Error kBadUrl{.code = ErrorCode::option_value};

bool is_port(std::string_view text) {
  return !text.empty() && text.size() <= 5 &&
         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// Blanks and controls would end the request line.
bool is_plain(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > ' ' && c < '\x7F'; });
}

bool has_header(const std::vector<std::string>& headers, std::string_view name) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::ranges::any_of(headers, [&](std::string_view header) {
    return header.size() > name.size() && header[name.size()] == ':' &&
           std::ranges::equal(header.substr(0, name.size()), name, {}, lower, lower);
  });
}

}  // namespace

Result<Target> read_url(std::string_view url) {
  const bool tls = url.starts_with(kTlsScheme);
  if ((!tls && !url.starts_with(kScheme)) || !is_plain(url)) return kBadUrl;
  url.remove_prefix(tls ? kTlsScheme.size() : kScheme.size());
  const std::size_t slash = std::min(url.find_first_of("/?"), url.size());
  std::string_view authority = url.substr(0, slash);
  Target target{.tls = tls, .host = {}, .port = tls ? "443" : "80"};
  if (slash < url.size()) {
    target.path = (url[slash] == '?' ? "/" : "") + std::string(url.substr(slash));
  }
  const bool bracketed = authority.starts_with('[');
  const std::size_t host_end = bracketed ? authority.find(']') : authority.rfind(':');
  if (bracketed && host_end == authority.npos) return kBadUrl;
  target.host = authority.substr(bracketed ? 1 : 0, bracketed ? host_end - 1 : host_end);
  std::string_view rest =
      host_end == authority.npos ? "" : authority.substr(host_end + (bracketed ? 1 : 0));
  if (!rest.empty()) {
    rest.remove_prefix(1);
    if (!is_port(rest)) return kBadUrl;
    target.port = rest;
  }
  if (target.host.empty()) return kBadUrl;
  return target;
}

std::string request_text(const Target& target, const RequestOptions& options) {
  std::string text = options.method + " " + target.path + " HTTP/1.1\r\n";
  const auto add = [&](std::string_view name, const std::string& value) {
    if (!has_header(options.headers, name)) text += std::string(name) + ": " + value + "\r\n";
  };
  const bool is_ipv6 = target.host.find(':') != target.host.npos;
  add("Host", (is_ipv6 ? "[" + target.host + "]" : target.host) + ":" + target.port);
  if (!options.body.empty()) {
    add("Content-Type", "application/json");
    add("Content-Length", std::to_string(options.body.size()));
  }
  if (!options.keep_alive) add("Connection", "close");
  for (const std::string& header : options.headers) text += header + "\r\n";
  return text + "\r\n" + options.body;
}

std::string json_body(std::size_t size) {
  const std::string head = R"({"name":"k","text":")";
  const std::string tail = R"("})";
  const std::size_t fixed = head.size() + tail.size();
  return head + std::string(size > fixed ? size - fixed : 0, 'x') + tail;
}

Result<Address> resolve(const Target& target) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int failed = getaddrinfo(target.host.c_str(), target.port.c_str(), &hints, &found);
  if (failed != 0) {
    return Error{.code = ErrorCode::input_open, .system_errno = failed == EAI_SYSTEM ? errno : 0};
  }
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(found->ai_addr);
  Address address{.family = found->ai_family, .bytes = {bytes, bytes + found->ai_addrlen}};
  freeaddrinfo(found);
  return address;
}

}  // namespace sluice::load
