#include "http/head_finder.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

namespace sluice::http {
namespace {

/// Characters that a target may have (RFC 3986, 2), by byte.
constexpr std::array<bool, 256> kTargetBytes = [] {
  std::array<bool, 256> allowed{};
  for (int byte = 0x21; byte <= 0x7E; ++byte) allowed[static_cast<std::size_t>(byte)] = true;
  for (const char c : std::string_view("\"<>\\^`{|}#"))
    allowed[static_cast<unsigned char>(c)] = false;
  return allowed;
}();

std::string_view text_of(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// METHOD, one blank, TARGET, one blank, HTTP/1.0 or HTTP/1.1.
ErrorCode check_request_line(std::span<const std::uint8_t> line) {
  const std::string_view text = text_of(line);
  const std::size_t first = text.find(' ');
  const std::size_t last = text.rfind(' ');
  if (first == text.npos || first == 0 || last == first || last == first + 1) {
    return ErrorCode::http_framing;
  }
  const std::string_view version = text.substr(last + 1);
  const auto target = line.subspan(first + 1, last - first - 1);
  if (!std::ranges::all_of(target, [](std::uint8_t byte) { return kTargetBytes[byte]; })) {
    return ErrorCode::http_framing;
  }
  if (version == "HTTP/1.1" || version == "HTTP/1.0") return ErrorCode::none;
  return version.starts_with("HTTP/") ? ErrorCode::http_version : ErrorCode::http_framing;
}

}  // namespace

HeadFinder::Found HeadFinder::refuse(ErrorCode fault) {
  fault_ = fault;
  return Found::fault;
}

ErrorCode HeadFinder::check_line(std::span<const std::uint8_t> line, const Limits& limits) {
  if (lines_++ == 0) {
    return line.size() > limits.request_line ? ErrorCode::target_limit : check_request_line(line);
  }
  if (lines_ - 1u > limits.headers) return ErrorCode::head_limit;
  const std::uint8_t first = line[0];
  return first == ' ' || first == '\t' || first == ':' ? ErrorCode::http_framing : ErrorCode::none;
}

HeadFinder::Found HeadFinder::look(std::span<const std::uint8_t> bytes, const Limits& limits) {
  while (true) {
    const auto rest = bytes.subspan(searched_);
    const void* const found = rest.empty() ? nullptr : std::memchr(rest.data(), '\n', rest.size());
    if (found == nullptr) break;
    const auto end =
        static_cast<std::size_t>(static_cast<const std::uint8_t*>(found) - bytes.data());
    if (end == line_start_ || bytes[end - 1] != '\r') return refuse(ErrorCode::http_framing);
    const auto line = bytes.subspan(line_start_, end - 1 - line_start_);
    searched_ = line_start_ = static_cast<std::uint32_t>(end + 1);
    if (line_start_ > limits.head) return refuse(ErrorCode::head_limit);
    if (line.empty()) return lines_ == 0 ? refuse(ErrorCode::http_framing) : Found::head;
    if (const ErrorCode fault = check_line(line, limits); fault != ErrorCode::none) {
      return refuse(fault);
    }
  }
  searched_ = static_cast<std::uint32_t>(bytes.size());
  if (lines_ == 0 && bytes.size() > limits.request_line + 2) return refuse(ErrorCode::target_limit);
  if (bytes.size() > limits.head) return refuse(ErrorCode::head_limit);
  return Found::more;
}

}  // namespace sluice::http
