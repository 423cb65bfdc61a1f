// The HTTP layer alone: gives every body back where it lies. Measured against `http_floor`.
//
//   http_echo PORT

#include <cstdio>
#include <string>

#include "http/address.h"
#include "http/server.h"

using namespace sluice;

namespace {

class Echo final : public http::Application {
 public:
  Decision on_head(const http::Head&, http::Answer&) override {
    return {.most_body_bytes = 64 * 1024 * 1024};
  }
  void on_request(http::Exchange& exchange) override {
    http::Answer answer;
    answer.media_type = "text/plain";
    answer.add_piece(exchange.body());
    exchange.answer(std::move(answer));
  }
  void on_fault(ErrorCode code, const http::Head*, http::Answer& answer) override {
    answer.status = error_http_status(code);
    answer.text = error_name(code);
  }
};

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  const auto address = http::ListenAddress::parse("127.0.0.1:" + std::string(arguments[1]));
  auto listener = address ? http::listen_on(*address) : address.error();
  auto poller = EpollPoller::make();
  if (!listener || !poller) {
    std::fputs("http_echo: cannot listen there\n", stderr);
    return 2;
  }
  SteadyClock clock;
  Loop loop(clock, *poller);
  Budget budget(256ull * 1024 * 1024);
  Pool pool(budget, {});
  Echo echo;
  http::Server server(loop, pool, echo, {});
  if (!server.start(std::move(*listener))) return 2;
  while (true) loop.turn(true);
}
