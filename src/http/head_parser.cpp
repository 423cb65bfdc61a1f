#include "http/head_parser.h"

#include <algorithm>

namespace sluice::http {
namespace {

/// What of an authority could not be meant: blanks, a path, user information, more than one.
bool is_authority(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    return c > ' ' && c < '\x7F' &&
           std::string_view("\"#%/<>?@\\^`{|},").find(c) == std::string_view::npos;
  });
}

Method method_of(std::uint8_t method) {
  switch (method) {
    case HTTP_GET:
      return Method::get;
    case HTTP_HEAD:
      return Method::head;
    case HTTP_POST:
      return Method::post;
    case HTTP_PUT:
      return Method::put;
    case HTTP_PATCH:
      return Method::patch;
    case HTTP_DELETE:
      return Method::remove;
    case HTTP_OPTIONS:
      return Method::options;
    default:
      return Method::other;
  }
}

/// Calls `each` for every element of a comma-separated list.
template <class Each>
void for_each_token(std::string_view list, const Each& each) {
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    std::string_view token = list.substr(0, comma);
    while (!token.empty() && (token.front() == ' ' || token.front() == '\t'))
      token.remove_prefix(1);
    while (!token.empty() && (token.back() == ' ' || token.back() == '\t')) token.remove_suffix(1);
    if (!token.empty()) each(token);
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
}

}  // namespace

HeadParser::HeadParser() {
  llhttp_settings_init(&settings_);
  settings_.on_url = on_url;
  settings_.on_header_field = on_field;
  settings_.on_header_value = on_value;
  settings_.on_headers_complete = on_headers_complete;
}

int HeadParser::on_url(llhttp_t* parser, const char* at, std::size_t size) {
  static_cast<Head*>(parser->data)->target = {at, size};
  return 0;
}

int HeadParser::on_field(llhttp_t* parser, const char* at, std::size_t size) {
  static_cast<Head*>(parser->data)->headers.push_back({.name = {at, size}, .value = {}});
  return 0;
}

int HeadParser::on_value(llhttp_t* parser, const char* at, std::size_t size) {
  std::string_view value(at, size);
  while (!value.empty() && (value.back() == ' ' || value.back() == '\t')) value.remove_suffix(1);
  static_cast<Head*>(parser->data)->headers.back().value = value;
  return 0;
}

/// Nobody is asked to upgrade: such a request is an ordinary one.
int HeadParser::on_headers_complete(llhttp_t* parser) {
  parser->upgrade = 0;
  return HPE_PAUSED;
}

ErrorCode HeadParser::parse(std::span<const std::uint8_t> bytes, llhttp_t& parser, Head& head) {
  std::vector<Header> headers = std::move(head.headers);
  headers.clear();
  head = Head{};
  head.headers = std::move(headers);
  llhttp_init(&parser, HTTP_REQUEST, &settings_);
  parser.data = &head;
  const llhttp_errno_t error =
      llhttp_execute(&parser, reinterpret_cast<const char*>(bytes.data()), bytes.size());
  parser.data = nullptr;
  // The finder has seen the empty line, so it stops there or at a fault.
  if (error != HPE_PAUSED) return ErrorCode::http_framing;
  head.method = method_of(parser.method);
  head.http_1_1 = parser.http_minor == 1;
  head.keep_alive = head.http_1_1;
  if (const ErrorCode fault = read_headers(head); fault != ErrorCode::none) return fault;
  if ((parser.flags & F_CONTENT_LENGTH) != 0) {
    if (head.chunked) return ErrorCode::http_framing;
    head.content_length = parser.content_length;
  }
  return read_target(head);
}

ErrorCode HeadParser::read_headers(Head& head) {
  hosts_ = 0;
  codings_ = 0;
  for (const Header& header : head.headers) {
    if (const ErrorCode fault = read_framing(header, head); fault != ErrorCode::none) return fault;
    switch (header.name.size()) {
      case 6:
        if (same_name(header.name, "origin")) head.origin = header.value;
        break;
      case 12:
        if (same_name(header.name, "content-type")) head.content_type = header.value;
        break;
      case 13:
        if (same_name(header.name, "authorization")) head.authorization = header.value;
        break;
      case 15:
        if (same_name(header.name, "idempotency-key")) head.idempotency_key = header.value;
        break;
      case 16:
        if (same_name(header.name, "content-encoding")) head.content_encoding = header.value;
        break;
      default:
        break;
    }
  }
  return hosts_ > 1 || (hosts_ == 0 && head.http_1_1) ? ErrorCode::http_framing : ErrorCode::none;
}

/// The headers that decide where a message ends, or whether the connection goes on.
ErrorCode HeadParser::read_framing(const Header& header, Head& head) {
  if (same_name(header.name, "host")) {
    ++hosts_;
    head.host = header.value;
    return is_authority(header.value) ? ErrorCode::none : ErrorCode::http_framing;
  }
  if (same_name(header.name, "connection")) {
    for_each_token(header.value, [&](std::string_view token) {
      if (same_name(token, "close")) head.keep_alive = false;
      if (same_name(token, "keep-alive") && !head.http_1_1) head.keep_alive = true;
    });
    return ErrorCode::none;
  }
  if (same_name(header.name, "transfer-encoding")) {
    if (++codings_ > 1 || !head.http_1_1) return ErrorCode::http_framing;
    head.chunked = same_name(header.value, "chunked");
    if (head.chunked) return ErrorCode::none;
    // A coding that we do not know, in front of chunked, is well-formed; anything else is not.
    std::string_view last;
    bool chunked_before = false;
    for_each_token(header.value, [&](std::string_view token) {
      chunked_before = chunked_before || same_name(last, "chunked");
      last = token;
    });
    return same_name(last, "chunked") && !chunked_before && !header.value.starts_with(',')
               ? ErrorCode::transfer_coding
               : ErrorCode::http_framing;
  }
  if (same_name(header.name, "expect")) {
    if (!same_name(header.value, "100-continue")) return ErrorCode::expectation;
    head.expects_continue = head.http_1_1;
  }
  return ErrorCode::none;
}

/// `/path?query`, `*` with OPTIONS, or an absolute URL, whose authority counts instead of Host.
ErrorCode HeadParser::read_target(Head& head) {
  std::string_view rest = head.target;
  if (rest == "*") {
    head.path = rest;
    return head.method == Method::options ? ErrorCode::none : ErrorCode::http_framing;
  }
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (rest.size() < scheme.size() || !same_name(rest.substr(0, scheme.size()), scheme)) continue;
    rest.remove_prefix(scheme.size());
    const std::size_t end = std::min(rest.find_first_of("/?"), rest.size());
    head.host = rest.substr(0, end);
    if (head.host.empty() || !is_authority(head.host)) return ErrorCode::http_framing;
    rest.remove_prefix(end);
    if (rest.empty() || rest[0] == '?') {
      head.path = "/";
      head.query = rest.empty() ? rest : rest.substr(1);
      return ErrorCode::none;
    }
  }
  if (!rest.starts_with('/')) {
    // CONNECT names an authority; the application answers it as a method that it does not know.
    head.path = rest;
    return head.method == Method::other ? ErrorCode::none : ErrorCode::http_framing;
  }
  const std::size_t mark = rest.find('?');
  head.path = rest.substr(0, mark);
  if (mark != rest.npos) head.query = rest.substr(mark + 1);
  return ErrorCode::none;
}

}  // namespace sluice::http
