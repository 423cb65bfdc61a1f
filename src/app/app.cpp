#include "app/app.h"

#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <optional>

#include "app/problem.h"
#include "app/service.h"

namespace sluice {
namespace {

constexpr std::uint64_t kDrainNs = 30'000'000'000;

int fail(const std::string& message) {
  std::fprintf(stderr, "sluice: %s\n", message.c_str());
  return 2;
}

/// SIGINT and SIGTERM as something to read.
Descriptor watch_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  sigprocmask(SIG_BLOCK, &set, nullptr);
  return Descriptor(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

/// Notes that a signal came, and takes it.
struct SignalWatch final : ReadyHandler {
  explicit SignalWatch(int from) : descriptor(from) {}
  void on_ready() override {
    signalfd_siginfo info;
    came = came || read(descriptor, &info, sizeof info) > 0;
  }
  int descriptor;
  bool came = false;
};

}  // namespace

struct App::State {
  struct Input {
    std::string name;
    std::vector<FieldDeclaration> fields;
    Handler handler;
  };
  AppOptions options;
  std::vector<Input> inputs;

  /// What is wrong with an input; empty when nothing is.
  std::string add_inputs(ServiceOptions& service);
  int serve(ServiceOptions service);
};

App::App(AppOptions options) : state_(std::make_unique<State>()) {
  state_->options = std::move(options);
}

App::~App() = default;

void App::add(std::string name, std::vector<FieldDeclaration> fields, Handler handler) {
  state_->inputs.push_back({std::move(name), std::move(fields), std::move(handler)});
}

void App::refuse(const Refusal& refusal, http::Answer& answer) {
  answer_problem(ErrorCode::json_range, refusal.detail,
                 {{Problem{.code = ErrorCode::json_range,
                           .index = std::nullopt,
                           .pointer = refusal.pointer,
                           .parameter = {},
                           .detail = refusal.detail,
                           .offset = std::nullopt}}},
                 answer);
}

/// The handler's result cannot be JSON: it holds a number that is none, or text that is not UTF-8.
void App::fail_to_write(const Error& error, http::Answer& answer) {
  answer_problem(error.code, "the answer could not be written", {}, answer);
  answer.status = 500;
}

std::string App::State::add_inputs(ServiceOptions& service) {
  for (Input& input : inputs) {
    auto shape = Shape::make(input.fields);
    if (!shape) {
      return "input " + input.name + ": " + shape.error().path + ": " + shape.error().key + " " +
             shape.error().message;
    }
    for (const InputOptions& other : service.inputs) {
      if (other.name == input.name) return "input " + input.name + " is declared twice";
    }
    const auto handler = [answer_one = input.handler](const ShapedRecord& record, std::string_view,
                                                      http::Answer& answer) {
      answer_one(record, answer);
    };
    service.inputs.push_back({.name = input.name,
                              .shape = std::move(*shape),
                              .reply = Reply::handler,
                              .handler = handler,
                              .ack = Ack::memory,
                              .max_body = options.max_body_bytes,
                              .source = nullptr});
  }
  return {};
}

int App::run() {
  ServiceOptions service;
  const auto address = http::ListenAddress::parse(state_->options.listen);
  if (!address)
    return fail("'" + state_->options.listen + "' is no address: give it as 127.0.0.1:8080");
  service.listen = *address;
  service.token = state_->options.token;
  if (const std::string problem = state_->add_inputs(service); !problem.empty()) {
    return fail(problem);
  }
  return state_->serve(std::move(service));
}

int App::State::serve(ServiceOptions service) {
  SteadyClock clock;
  auto poller = EpollPoller::make();
  if (!poller) return fail(std::strerror(poller.error().system_errno));
  Loop loop(clock, *poller);
  Budget budget(options.budget_bytes);
  Pool pool(budget, {});
  const json::Selection no_sinks;
  std::optional<Buffer> streams = pool.take(json::kStreamBytes, Region::parser);
  if (!streams) return fail("the budget is too small: give it at least 1 MiB");
  Service served({.loop = loop,
                  .clock = clock,
                  .pool = pool,
                  .selection = no_sinks,
                  .streams = std::as_writable_bytes(streams->bytes())},
                 std::move(service));
  const Descriptor signals = watch_signals();
  SignalWatch watch(signals.get());
  if (const Result<void> started = served.start(); !started) {
    return fail(options.listen + ": " + std::strerror(started.error().system_errno));
  }
  loop.watch(signals.get(), Readiness::readable, watch);
  std::fprintf(stderr, "sluice: listening on http://%s:%u\n",
               options.listen.substr(0, options.listen.rfind(':')).c_str(), served.port());
  while (!watch.came) loop.turn(true);
  loop.forget(signals.get());
  served.drain();
  served.finish(kDrainNs);
  return 0;
}

}  // namespace sluice
