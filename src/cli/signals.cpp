#include "cli/signals.h"

#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <utility>

#include "base/check.h"

namespace sluice {

Signals::Signals(Loop& loop, std::function<void()> on_signal)
    : loop_(loop), on_signal_(std::move(on_signal)) {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, number);
  signal(SIGPIPE, SIG_IGN);
  SLUICE_CHECK(sigprocmask(SIG_BLOCK, &set, nullptr) == 0);
  descriptor_ = Descriptor(signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC));
  SLUICE_CHECK(descriptor_.is_open());
  loop_.watch(descriptor_.get(), Readiness::readable, *this);
}

Signals::~Signals() { loop_.forget(descriptor_.get()); }

void Signals::on_ready() {
  signalfd_siginfo info;
  while (read(descriptor_.get(), &info, sizeof info) == sizeof info) on_signal_();
}

}  // namespace sluice
