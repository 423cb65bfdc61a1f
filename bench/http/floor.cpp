// The floor of the HTTP goals: epoll, one recv and one send of a canned answer a request, and
// nothing else. What a server costs beyond it is its own.
//
//   http_floor PORT BODY_BYTES

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

int listen_on(std::uint16_t port) {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  const int on = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  setsockopt(listener, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const bool bound = bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  return bound && listen(listener, 4096) == 0 ? listener : -1;
}

void watch(int epoll, int descriptor) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = descriptor;
  epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

void answer(int socket, const std::string& canned) {
  static std::array<char, 64 * 1024> bytes;
  const bool asked = recv(socket, bytes.data(), bytes.size(), 0) > 0;
  if (!asked || send(socket, canned.data(), canned.size(), MSG_NOSIGNAL) < 0) close(socket);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return 2;
  const int listener = listen_on(static_cast<std::uint16_t>(std::atoi(arguments[1])));
  if (listener < 0) {
    std::perror("http_floor");
    return 2;
  }
  const std::string body(static_cast<std::size_t>(std::atoi(arguments[2])), 'x');
  const std::string canned = "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: " +
                             std::to_string(body.size()) +
                             "\r\ndate: Sun, 06 Nov 1994 08:49:37 GMT\r\n\r\n" + body;
  const int epoll = epoll_create1(0);
  watch(epoll, listener);
  std::array<epoll_event, 128> events;
  while (true) {
    const int ready = epoll_wait(epoll, events.data(), static_cast<int>(events.size()), -1);
    for (int i = 0; i < ready; ++i) {
      const int descriptor = events[static_cast<std::size_t>(i)].data.fd;
      if (descriptor != listener) {
        answer(descriptor, canned);
      } else if (const int socket = accept4(listener, nullptr, nullptr, SOCK_NONBLOCK);
                 socket >= 0) {
        watch(epoll, socket);
      }
    }
  }
}
