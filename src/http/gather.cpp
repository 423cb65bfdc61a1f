#include "http/gather.h"

#include <time.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "base/check.h"
#include "http/limits.h"

namespace sluice::http {

const char* status_phrase(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 202:
      return "Accepted";
    case 204:
      return "No Content";
    case 304:
      return "Not Modified";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 409:
      return "Conflict";
    case 413:
      return "Content Too Large";
    case 414:
      return "URI Too Long";
    case 415:
      return "Unsupported Media Type";
    case 417:
      return "Expectation Failed";
    case 421:
      return "Misdirected Request";
    case 422:
      return "Unprocessable Content";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "Status";
  }
}

void Gather::put(std::string_view text) {
  SLUICE_CHECK(text.size() <= kHeads - heads_used_);
  std::memcpy(heads_.data() + heads_used_, text.data(), text.size());
  heads_used_ += text.size();
}

void Gather::put_header(std::string_view name, std::string_view value) {
  put(name);
  put(": ");
  put(value);
  put("\r\n");
}

void Gather::add_piece(const void* data, std::size_t size) {
  if (size > 0) pieces_[count_++] = {const_cast<void*>(data), size};
}

/// As RFC 9110, 5.6.7 wants it: "Sun, 06 Nov 1994 08:49:37 GMT".
std::string_view Gather::date(std::uint64_t now_ns) {
  if (now_ns >= date_until_ns_) {
    const time_t seconds = ::time(nullptr);
    tm parts;
    gmtime_r(&seconds, &parts);
    date_size_ = strftime(date_.data(), date_.size(), "%a, %d %b %Y %H:%M:%S GMT", &parts);
    date_until_ns_ = now_ns + kSecond;
  }
  return {date_.data(), date_size_};
}

void Gather::add(Answer&& answer, const Framing& framing, std::uint64_t now_ns) {
  SLUICE_CHECK(has_room());
  const std::size_t start = heads_used_;
  std::size_t length = answer.text.size();
  for (std::size_t i = 0; i < answer.piece_count; ++i) length += answer.pieces[i].size();

  std::array<char, 24> digits;
  const auto number = [&](std::uint64_t value) {
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    return std::string_view(digits.data(), end);
  };
  put("HTTP/1.1 ");
  put(number(static_cast<std::uint64_t>(answer.status)));
  put(" ");
  put(status_phrase(answer.status));
  put("\r\n");
  if (!answer.media_type.empty()) put_header("content-type", answer.media_type);
  if (answer.status != 204 && answer.status != 304) put_header("content-length", number(length));
  put_header("date", date(now_ns));
  for (std::size_t i = 0; i < answer.header_count; ++i) {
    put_header(answer.headers[i].name, answer.headers[i].value);
  }
  if (!framing.keep_alive) {
    put("connection: close\r\n");
  } else if (!framing.http_1_1) {
    put("connection: keep-alive\r\n");
  }
  put("\r\n");
  add_piece(heads_.data() + start, heads_used_ - start);
  texts_[answers_] = std::move(answer.text);
  memories_[answers_] = std::move(answer.memory);
  if (!framing.without_body) {
    for (std::size_t i = 0; i < answer.piece_count; ++i) {
      add_piece(answer.pieces[i].data(), answer.pieces[i].size());
    }
    add_piece(texts_[answers_].data(), texts_[answers_].size());
  }
  ++answers_;
}

void Gather::add_continue() {
  static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
  add_piece(kContinue.data(), kContinue.size());
}

std::size_t Gather::bytes() const {
  std::size_t all = 0;
  for (const iovec& piece : pieces()) all += piece.iov_len;
  return all;
}

void Gather::clear() {
  for (std::size_t i = 0; i < answers_; ++i) {
    texts_[i] = std::string();
    memories_[i] = Buffer();
  }
  heads_used_ = 0;
  answers_ = 0;
  count_ = 0;
}

}  // namespace sluice::http
