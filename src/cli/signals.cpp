#include "cli/signals.h"

#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/check.h"

namespace sluice {

Result<std::unique_ptr<Signals>> Signals::make(Loop& loop, std::function<void()> on_signal,
                                               std::function<void()> on_hangup) {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, number);
  for (const int number : {SIGPIPE, SIGXFSZ}) signal(number, SIG_IGN);
  SLUICE_CHECK(sigprocmask(SIG_BLOCK, &set, nullptr) == 0);
  Descriptor descriptor(signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC));
  if (!descriptor.is_open()) return Error{.code = ErrorCode::input_open, .system_errno = errno};
  return std::unique_ptr<Signals>(
      new Signals(loop, std::move(on_signal), std::move(on_hangup), std::move(descriptor)));
}

Signals::Signals(Loop& loop, std::function<void()> on_signal, std::function<void()> on_hangup,
                 Descriptor descriptor)
    : loop_(loop),
      on_signal_(std::move(on_signal)),
      on_hangup_(std::move(on_hangup)),
      descriptor_(std::move(descriptor)) {
  loop_.watch(descriptor_.get(), Readiness::readable, *this);
}

Signals::~Signals() { loop_.forget(descriptor_.get()); }

void Signals::on_ready() {
  signalfd_siginfo info;
  while (read(descriptor_.get(), &info, sizeof info) == sizeof info) {
    const bool reloads = info.ssi_signo == SIGHUP && on_hangup_;
    reloads ? on_hangup_() : on_signal_();
  }
}

}  // namespace sluice
