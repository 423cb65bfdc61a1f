#include "http/server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <atomic>
#include <optional>
#include <thread>

#include "http/address.h"
#include "http/http_test_support.h"

namespace sluice::http {
namespace {

using Statuses = std::vector<int>;

/// A client's end of a connection, on a socket that blocks.
class Client {
 public:
  explicit Client(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(socket_.get(), reinterpret_cast<sockaddr*>(&to), sizeof to), 0);
  }
  /// False when the server does not take it any more.
  bool say(std::string_view text) {
    while (!text.empty()) {
      const ssize_t sent = send(socket_.get(), text.data(), text.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      text.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }
  void say_no_more() { shutdown(socket_.get(), SHUT_WR); }
  /// What comes until the server ends the connection.
  std::string hear_all() {
    std::string all;
    while (hear_some(all)) {
    }
    return all;
  }
  /// What comes until `end` is at the end of it.
  std::string hear_until(std::string_view end) {
    std::string all;
    while (!all.ends_with(end) && hear_some(all)) {
    }
    return all;
  }

 private:
  bool hear_some(std::string& all) {
    char bytes[4096];
    const ssize_t got = recv(socket_.get(), bytes, sizeof bytes, 0);
    if (got <= 0) return false;
    all.append(bytes, static_cast<std::size_t>(got));
    return true;
  }
  Descriptor socket_;
};

std::string post(std::string_view path, std::string_view body) {
  return "POST " + std::string(path) +
         " HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
         std::string(body);
}

/// A server on a loop; clients run on a thread of their own while it turns.
class ServerTest : public testing::Test {
 protected:
  void start(const Limits& limits = {}) {
    server_.emplace(loop_, pool_, application_, limits);
    Result<Descriptor> listener = listen_on(*ListenAddress::parse("127.0.0.1:0"));
    ASSERT_TRUE(listener);
    ASSERT_TRUE(server_->start(std::move(*listener)));
  }
  /// Turns until the client is through and `also` holds.
  template <class ClientWork, class Also>
  void run(const ClientWork& work, const Also& also) {
    std::atomic<bool> done = false;
    std::thread client([&] {
      work();
      done = true;
    });
    // An open connection sets a timer, so that a turn ends though nothing comes.
    while (!done || !also()) {
      poller_.wait(1'000'000);
      loop_.turn(false);
    }
    client.join();
  }
  template <class ClientWork>
  void run(const ClientWork& work) {
    run(work, [] { return true; });
  }

  SteadyClock clock_;
  EpollPoller poller_ = *EpollPoller::make();
  Loop loop_{clock_, poller_};
  Budget budget_{64 * 1024 * 1024};
  Pool pool_{budget_, {}};
  EchoApplication application_;
  std::optional<Server> server_;
};

TEST_F(ServerTest, AnswersManyRequestsOnManyConnections) {
  start();
  run([&] {
    std::vector<Client> clients;
    for (int i = 0; i < 50; ++i) clients.emplace_back(server_->port());
    for (int round = 0; round < 20; ++round) {
      for (Client& client : clients) ASSERT_TRUE(client.say(post("/e", "hello")));
      for (Client& client : clients) {
        ASSERT_EQ(statuses(client.hear_until("hello")), Statuses{200});
      }
    }
  });
  EXPECT_EQ(server_->counts().accepted, 50u);
  EXPECT_EQ(server_->counts().requests, 1000u);
  EXPECT_EQ(server_->counts().by_status_class[2], 1000u);
  EXPECT_EQ(server_->counts().bytes_in, 1000 * post("/e", "hello").size());
  run([] {}, [&] { return !server_->has_connections(); });
}

TEST_F(ServerTest, ABodyLargerThanEverySocketBufferComesBackWhole) {
  start();
  application_.most_body = 32 * 1024 * 1024;
  std::string body(20'000'000, 'x');
  for (std::size_t i = 0; i < body.size(); i += 1009) body[i] = static_cast<char>('a' + i % 26);
  std::string heard;
  run([&] {
    Client client(server_->port());
    ASSERT_TRUE(client.say(post("/e", body)));
    client.say_no_more();
    heard = client.hear_all();
  });
  EXPECT_TRUE(heard.ends_with(body));
  EXPECT_EQ(statuses(heard.substr(0, 200)), Statuses{200});
}

TEST_F(ServerTest, AClientThatWritesAllBeforeItReadsReadsThatItWasTooMuch) {
  start();
  std::string heard;
  run([&] {
    Client client(server_->port());
    const std::string body(50'000'000, 'x');
    EXPECT_TRUE(client.say(post("/e", body)));
    client.say_no_more();
    heard = client.hear_all();
  });
  EXPECT_EQ(statuses(heard), Statuses{413});
  EXPECT_TRUE(application_.bodies.empty());
}

TEST_F(ServerTest, BeyondTheLimitConnectionsAreTurnedAwayAndLetInLater) {
  Limits limits;
  limits.connections = 2;
  start(limits);
  std::string third;
  run([&] {
    std::vector<Client> kept;
    for (int i = 0; i < 2; ++i) {
      kept.emplace_back(server_->port());
      kept.back().say(post("/e", "x"));
      kept.back().hear_until("x");
    }
    Client client(server_->port());
    client.say(post("/e", "y"));
    client.say_no_more();
    third = client.hear_all();
  });
  EXPECT_EQ(statuses(third), Statuses{503});
  EXPECT_EQ(application_.faults, std::vector{ErrorCode::connections});
  EXPECT_EQ(server_->counts().turned_away, 1u);
  run([] {}, [&] { return !server_->has_connections(); });
  run([&] {
    Client client(server_->port());
    client.say(post("/e", "y"));
    EXPECT_EQ(statuses(client.hear_until("y")), Statuses{200});
  });
}

TEST_F(ServerTest, AnAnswerMayComeLaterOrItsConnectionBeGone) {
  start();
  std::string heard;
  std::thread client([&] {
    Client one(server_->port());
    one.say(post("/later", "x") + post("/e", "next"));
    heard = one.hear_until("next");
  });
  while (application_.tickets.empty()) loop_.turn(true);
  const Ticket ticket = application_.tickets[0];
  EXPECT_TRUE(server_->is_waiting(ticket));
  Answer answer;
  answer.status = 202;
  server_->answer(ticket, std::move(answer));
  EXPECT_FALSE(server_->is_waiting(ticket));
  while (server_->has_connections()) loop_.turn(true);
  client.join();
  EXPECT_EQ(statuses(heard), (Statuses{202, 200}));
  server_->answer(ticket, Answer{});  // nobody is there, and nothing happens
  EXPECT_EQ(server_->counts().requests, 2u);
}

TEST_F(ServerTest, DrainsByAnsweringWhatIsUnderWay) {
  start();
  std::string busy;
  std::string idle;
  const std::uint16_t port = server_->port();
  std::thread clients([&] {
    Client quiet(port);
    quiet.say(post("/e", "x"));
    quiet.hear_until("x");
    Client client(port);
    client.say(post("/later", "x"));
    busy = client.hear_all();
    idle = quiet.hear_all();
  });
  while (application_.tickets.empty()) loop_.turn(true);
  server_->drain();
  EXPECT_EQ(server_->counts().open, 1u);
  EXPECT_TRUE(server_->has_connections());
  server_->answer(application_.tickets[0], Answer{});
  while (server_->has_connections()) loop_.turn(true);
  clients.join();
  EXPECT_EQ(statuses(busy), Statuses{200});
  EXPECT_NE(busy.find("connection: close\r\n"), std::string::npos);
  EXPECT_EQ(idle, "");
}

TEST_F(ServerTest, GivesAllItsMemoryBack) {
  start();
  run([&] {
    for (int i = 0; i < 20; ++i) {
      Client client(server_->port());
      client.say(post("/e", std::string(200'000, 'x')).substr(0, 100'000));  // and goes away
    }
  });
  run([] {}, [&] { return !server_->has_connections(); });
  server_.reset();
  for (const Region region : {Region::fixed, Region::input, Region::sink}) {
    EXPECT_EQ(budget_.used(region), 0u);
  }
}

}  // namespace
}  // namespace sluice::http
