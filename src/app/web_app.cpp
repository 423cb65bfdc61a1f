#include "app/web_app.h"

#include <algorithm>
#include <utility>

#include "app/bearer.h"
#include "app/problem.h"
#include "base/check.h"

namespace sluice {

using http::Method;

Endpoint& WebApp::add(std::string path, std::unique_ptr<Endpoint> endpoint) {
  std::string allow(endpoint->allowed());
  if (allow.starts_with("GET")) allow.insert(3, ", HEAD");
  allow += ", OPTIONS";
  const auto [place, added] =
      places_.emplace(std::move(path), Place{std::move(endpoint), std::move(allow)});
  SLUICE_CHECK(added);
  return *place->second.endpoint;
}

const WebApp::Place* WebApp::find(std::string_view path) const {
  const auto found = places_.find(path);
  return found == places_.end() ? nullptr : &found->second;
}

bool WebApp::knows(const Place& place, Method method) {
  if (method == Method::other) return false;
  return place.allow.find(http::method_name(method)) != std::string::npos;
}

bool WebApp::is_for_us(std::string_view host) const {
  return options_.host_names.empty() ||
         std::ranges::any_of(options_.host_names,
                             [=](const std::string& name) { return http::same_name(name, host); });
}

ErrorCode WebApp::check_token(const Endpoint& endpoint, const http::Head& head) const {
  if (options_.token.empty()) return ErrorCode::none;
  if (!options_.token_for_all && !endpoint.needs_token()) return ErrorCode::none;
  switch (check_bearer(head.authorization, options_.token)) {
    case Bearer::right:
      return ErrorCode::none;
    case Bearer::missing:
      return ErrorCode::auth_missing;
    case Bearer::wrong:
      break;
  }
  return ErrorCode::auth_wrong;
}

http::Application::Decision WebApp::refuse(ErrorCode code, const http::Head& head,
                                           http::Answer& answer, std::string_view detail) const {
  answer_problem(code, detail, {}, answer);
  if (code == ErrorCode::auth_missing) answer.add_header("www-authenticate", "Bearer");
  if (options_.cors != nullptr) options_.cors->add_to(answer, head.origin);
  return {.refused = true};
}

void WebApp::answer_options(const Place* place, const http::Head& head,
                            http::Answer& answer) const {
  const std::string_view allow =
      place == nullptr ? std::string_view("GET, HEAD, POST, OPTIONS") : place->allow;
  answer.status = 204;
  answer.add_header("allow", allow);
  if (options_.cors != nullptr) options_.cors->add_to_preflight(answer, head.origin, allow);
}

http::Application::Decision WebApp::on_head(const http::Head& head, http::Answer& answer) {
  if (!is_for_us(head.host)) return refuse(ErrorCode::misdirected, head, answer);
  const Place* const place = find(head.path);
  if (head.method == Method::options && (place != nullptr || head.path == "*")) {
    answer_options(place, head, answer);
    return {.refused = true};
  }
  if (place == nullptr) {
    return refuse(ErrorCode::not_found, head, answer, "nothing is under this path: see /docs");
  }
  if (!knows(*place, head.method)) {
    answer.add_header("allow", place->allow);
    return refuse(ErrorCode::method, head, answer);
  }
  if (const ErrorCode fault = check_token(*place->endpoint, head); fault != ErrorCode::none) {
    return refuse(fault, head, answer);
  }
  const Decision decision = place->endpoint->on_head(head, answer);
  if (decision.refused && options_.cors != nullptr) options_.cors->add_to(answer, head.origin);
  return decision;
}

void WebApp::on_request(http::Exchange& exchange) {
  find(exchange.head().path)->endpoint->on_request(exchange);
}

void WebApp::on_fault(ErrorCode code, const http::Head* head, http::Answer& answer) {
  answer_problem(code, "", {}, answer);
  if (head != nullptr && options_.cors != nullptr) options_.cors->add_to(answer, head->origin);
}

}  // namespace sluice
