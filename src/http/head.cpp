#include "http/head.h"

#include <algorithm>

namespace sluice::http {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

const char* method_name(Method method) {
  switch (method) {
    case Method::get:
      return "GET";
    case Method::head:
      return "HEAD";
    case Method::post:
      return "POST";
    case Method::put:
      return "PUT";
    case Method::patch:
      return "PATCH";
    case Method::remove:
      return "DELETE";
    case Method::options:
      return "OPTIONS";
    case Method::other:
      break;
  }
  return "OTHER";
}

bool same_name(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::ranges::equal(a, b, {}, lower, lower);
}

std::string_view Head::header(std::string_view name) const {
  const auto found =
      std::ranges::find_if(headers, [=](const Header& each) { return same_name(each.name, name); });
  return found == headers.end() ? std::string_view() : found->value;
}

}  // namespace sluice::http
