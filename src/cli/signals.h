#pragma once

#include <functional>

#include "base/file.h"
#include "base/loop.h"

namespace sluice {

/// Blocks SIGINT, SIGTERM and SIGHUP for the process, ignores SIGPIPE, and calls back from the
/// loop for each one that comes.
class Signals final : private ReadyHandler {
 public:
  Signals(Loop& loop, std::function<void()> on_signal);
  ~Signals() override;

 private:
  void on_ready() override;

  Loop& loop_;
  std::function<void()> on_signal_;
  Descriptor descriptor_;
};

}  // namespace sluice
